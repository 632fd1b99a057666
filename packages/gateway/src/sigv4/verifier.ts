import { createHash, timingSafeEqual } from 'node:crypto';
import type { Kernel } from '@emu/core';
import type {
  AuthFailure,
  Credential,
  OtherSignature,
  Principal,
  SignatureRules,
  SignedRequest,
  SigningScope,
} from '@emu/core/service';
import { type AwsError, awsError, headerOf, queryParameter } from '@emu/wire';
import type { ChunkVerifier } from '../body/aws-chunked.ts';
import { canonicalRequest, sha256 } from './canonical.ts';
import { ChunkSignatures } from './chunks.ts';
import type { Dialect } from './dialects.ts';
import { asymmetricKey, symmetricKey, type VerificationKey } from './keys.ts';
import { basicDate, readSignature, type Signature } from './signature.ts';
import { endOf, latestEnd } from './url-lifetime.ts';

/** Largest age of a signature in milliseconds. */
const SKEW = 15 * 60_000;
/** Milliseconds that a signature may be in the future. */
const AHEAD = 5 * 60_000;
/** Content hashes of bodies whose chunks are signed. */
const SIGNED_CHUNKS = /^STREAMING-AWS4-.*-PAYLOAD(-TRAILER)?$/;
const UNSIGNED = 'UNSIGNED-PAYLOAD';
/** Largest number of cached signing keys. Each is valid for a day. */
const MAX_KEYS = 1000;

/** A request in verification. Its head may be verified before its body has arrived. */
export interface Verification {
  /** The signer; undefined for an accepted unsigned request. */
  principal: Principal | undefined;
  /** Whether the signature covers the hash of a body that must be read first. */
  needsBody: boolean;
  /** Checks the chunks of an aws-chunked body. */
  chunks: ChunkVerifier | undefined;
  /** Checks the whole body as it arrived. @throws AwsError if it differs from the signed one */
  body(bytes: Uint8Array): void;
  /** Returns a streamed body that is checked at its end. */
  guard(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/**
 * Verifies SigV4 and SigV4A signatures of headers, presigned URLs and chunks, and a service's own signatures of
 * presigned URLs, by the registered credentials and the emulated time.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
export class SignatureVerifier {
  private readonly keys = new Map<string, VerificationKey>();

  constructor(private readonly kernel: Kernel) {}

  /**
   * Begins the verification of a request.
   * @param expected service and region that receive the request
   * @param unsignedAllowed whether the operation accepts unsigned requests
   * @throws AwsError of the service
   */
  begin(request: SignedRequest, dialect: Dialect, expected: SigningScope, unsignedAllowed: boolean): Verification {
    const { rules } = dialect;
    const signature = readSignature(request.headers, request.query, rules);
    if (!signature) {
      const other = dialect.otherSignature?.(request.query);
      if (other) return this.beginOther(request, other, dialect);
      if (unsignedAllowed) return UNVERIFIED;
      throw dialect.error({ kind: 'missing' });
    }
    if ('kind' in signature) throw dialect.error(signature);
    const fail = (failure: AuthFailure): never => {
      throw dialect.error(failure);
    };
    const credential = this.credentialOf(signature.scope.accessKeyId, signature.sessionToken, fail);
    checkScope(signature, expected, fail);
    this.checkTime(signature, rules, fail);
    this.checkHeaders(request, signature, rules, fail);
    const principal: Principal = { ...credential.principal, accessKeyId: credential.accessKeyId };
    const key = this.keyOf(signature, credential);
    const check = (payloadHash: string): void => verify(request, signature, key, payloadHash, rules, fail);
    const declared = declaredHash(request, signature, rules);
    if (declared === undefined)
      return { principal, needsBody: true, chunks: undefined, body: (bytes) => check(sha256(bytes)), guard: same };
    check(declared);
    return {
      principal,
      needsBody: false,
      chunks: SIGNED_CHUNKS.test(declared)
        ? new ChunkSignatures(signature, key, declared, scopeText(signature), fail)
        : undefined,
      body: (bytes) => {
        if (PAYLOAD_HASH.test(declared)) compareHash(declared, sha256(bytes));
      },
      guard: (stream) => (PAYLOAD_HASH.test(declared) ? hashed(stream, declared) : stream),
    };
  }

  /** Verifies a signature of another scheme, which does not cover the body. */
  private beginOther(request: SignedRequest, signature: OtherSignature | AuthFailure, dialect: Dialect): Verification {
    const fail = (failure: AuthFailure): never => {
      throw dialect.error(failure);
    };
    if ('kind' in signature) return fail(signature);
    const { accessKeyId, sessionToken } = signature;
    const credential = this.credentialOf(accessKeyId, sessionToken, fail);
    const { clock } = this.kernel;
    const [now, expiresAt] = [clock.now(), latestEnd(signature.expiresAt, clock)];
    if (now > expiresAt) fail({ kind: 'expired-url', expiresAt, now, detail: '' });
    const stringToSign = signature.stringToSign(request);
    if (!signature.verifies(stringToSign, credential.secretAccessKey))
      fail({
        kind: 'mismatch',
        accessKeyId,
        stringToSign,
        signature: signature.signature,
        canonicalRequest: undefined,
      });
    return { ...UNVERIFIED, principal: { ...credential.principal, accessKeyId } };
  }

  private credentialOf(
    accessKeyId: string,
    sessionToken: string | undefined,
    fail: (failure: AuthFailure) => never,
  ): Credential {
    const credential = this.kernel.credentials.get(accessKeyId);
    if (!credential?.active) return fail({ kind: 'unknown-key', accessKeyId });
    if (credential.sessionToken !== sessionToken) return fail({ kind: 'bad-token' });
    if (credential.expiresAt !== undefined && credential.expiresAt <= this.kernel.clock.now())
      return fail({ kind: 'expired-token' });
    return credential;
  }

  private checkTime(signature: Signature, rules: SignatureRules, fail: (failure: AuthFailure) => never): void {
    const { signedAt, date, expires, scope } = signature;
    const now = this.kernel.clock.now();
    if (!date.startsWith(scope.date)) {
      const from = date.slice(0, 8);
      const detail = `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${scope.date}' != '${from}', from '${date}'.`;
      fail({ kind: 'scope-date', detail });
    }
    // Clients sign by machine time or by emulated time.
    const times = [now, Date.now()];
    const { ahead = AHEAD } = rules;
    if (times.every((time) => signedAt - time > ahead)) {
      const detail = `Signature not yet current: ${date} is still later than ${basicDate(now + ahead)} (${basicDate(now)} + ${ahead / 60_000} min.)`;
      fail({ kind: 'skew', signedAt, now, detail });
    }
    if (expires === undefined) {
      const oldest = now - SKEW;
      const detail = `Signature expired: ${date} is now earlier than ${basicDate(oldest)} (${basicDate(now)} - 15 min.)`;
      if (!times.some((time) => signedAt >= time - SKEW && signedAt - time <= ahead))
        fail({ kind: 'skew', signedAt, now, detail });
      return;
    }
    const expiresAt = endOf(signature, this.kernel.clock)!;
    const detail = `Signature expired: ${date} is now earlier than ${basicDate(now - expires * 1000)} (${basicDate(now)} - ${expires} sec.)`;
    if (now > expiresAt) fail({ kind: 'expired-url', expiresAt, now, seconds: expires, detail });
  }

  /** Requires a signed `host`, and the service's own headers if it requires them. */
  private checkHeaders(
    { headers }: SignedRequest,
    { signedHeaders, expires }: Signature,
    rules: SignatureRules,
    fail: (failure: AuthFailure) => never,
  ): void {
    const unsigned = signedHeaders.includes('host') ? [] : ['host'];
    if (rules.coversOwnHeaders)
      for (const name of Object.keys(headers))
        if (
          name.startsWith('x-amz-') &&
          !signedHeaders.includes(name) &&
          !(expires !== undefined && name === 'x-amz-content-sha256')
        )
          unsigned.push(name);
    if (unsigned.length) fail({ kind: 'unsigned-headers', headers: unsigned });
  }

  private keyOf({ algorithm, scope }: Signature, { accessKeyId, secretAccessKey }: Credential): VerificationKey {
    const id = JSON.stringify([algorithm, accessKeyId, secretAccessKey, scope.date, scope.region, scope.service]);
    let key = this.keys.get(id);
    if (!key) {
      key =
        algorithm === 'AWS4-HMAC-SHA256'
          ? symmetricKey(secretAccessKey, scope.date, scope.region!, scope.service)
          : asymmetricKey(accessKeyId, secretAccessKey);
      if (this.keys.size >= MAX_KEYS) this.keys.clear();
      this.keys.set(id, key);
    }
    return key;
  }
}

/**
 * Requires a signature for the service and region: one for another service is not valid here. A signature of version 4A
 * is valid in several regions.
 * @see https://github.com/aws/aws-sdk-js/issues/4097 and https://github.com/joona/aws-es-curl/issues/15
 */
function checkScope(
  { scope }: Signature,
  { services, region }: SigningScope,
  fail: (failure: AuthFailure) => never,
): void {
  const otherRegion = scope.region !== undefined && scope.region !== region;
  const detail = [
    ...(otherRegion ? [`Credential should be scoped to a valid region, not '${scope.region}'. `] : []),
    ...(services.includes(scope.service) ? [] : [`Credential should be scoped to correct service: '${services[0]}'. `]),
  ].join('');
  if (detail) fail({ kind: 'scope', detail });
}

const same = (stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => stream;

const UNVERIFIED: Verification = {
  principal: undefined,
  needsBody: false,
  chunks: undefined,
  body: () => undefined,
  guard: same,
};

const PAYLOAD_HASH = /^[0-9a-f]{64}$/i;
/** Values that replace a hash, in the order of the error's list. */
const PAYLOADS: readonly string[] = [
  UNSIGNED,
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
  'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD',
  'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER',
];

/** Returns the error for an invalid payload hash. @see https://github.com/versity/versitygw/issues/1352 */
function invalidHash(ArgumentValue: string): AwsError {
  return awsError('InvalidArgument', `x-amz-content-sha256 must be ${PAYLOADS.join(', ')} or a valid sha256 value.`, {
    status: 400,
    members: { ArgumentName: 'x-amz-content-sha256', ArgumentValue },
  });
}

/** Returns the declared payload hash; undefined if the signature covers the hash of the body itself. */
function declaredHash(
  { headers, query }: SignedRequest,
  { expires }: Signature,
  { declaresPayload }: SignatureRules,
): string | undefined {
  // Other services sign every body, whatever the header declares.
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-lambda.html
  if (!declaresPayload) return undefined;
  const header = headerOf(headers, 'x-amz-content-sha256') ?? queryParameter(query, 'X-Amz-Content-Sha256');
  if (header !== undefined) {
    if (!PAYLOAD_HASH.test(header) && !PAYLOADS.includes(header)) throw invalidHash(header);
    return header;
  }
  if (expires !== undefined) return UNSIGNED;
  throw awsError('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256', { status: 400 });
}

function verify(
  request: SignedRequest,
  signature: Signature,
  key: VerificationKey,
  payloadHash: string,
  rules: SignatureRules,
  fail: (failure: AuthFailure) => never,
): void {
  const { scope, signedHeaders, algorithm, date } = signature;
  const canonical = canonicalRequest({
    ...request,
    signedHeaders,
    payloadHash,
    pathAsSent: rules.declaresPayload === true,
  });
  const stringToSign = [algorithm, date, scopeText(signature), sha256(canonical)].join('\n');
  if (key.verifies(stringToSign, signature.signature)) return;
  const { accessKeyId } = scope;
  fail({ kind: 'mismatch', accessKeyId, stringToSign, signature: signature.signature, canonicalRequest: canonical });
}

/** Returns the credential scope as it is signed. */
function scopeText({ scope: { date, region, service } }: Signature): string {
  return [date, ...(region === undefined ? [] : [region]), service, 'aws4_request'].join('/');
}

/** Checks a declared hash. @throws AwsError for another body */
function compareHash(declared: string, computed: string): void {
  if (timingSafeEqual(Buffer.from(declared.toLowerCase()), Buffer.from(computed))) return;
  throw awsError(
    'XAmzContentSHA256Mismatch',
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
    {
      status: 400,
      members: { ClientComputedContentSHA256: declared, S3ComputedContentSHA256: computed },
    },
  );
}

async function* hashed(
  stream: AsyncIterable<Uint8Array>,
  declared: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  for await (const chunk of stream) {
    hash.update(chunk);
    yield chunk;
  }
  compareHash(declared, hash.digest('hex'));
}
