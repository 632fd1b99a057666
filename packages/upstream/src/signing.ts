import { SignatureV4 } from '@smithy/signature-v4';
import { SignatureV4a } from '@smithy/signature-v4a';
import type { AwsCredentials } from './credentials.ts';
import { Sha256 } from './hash.ts';
import type { OutgoingRequest } from './sender.ts';

/** Whose signature a request gets, and for what. */
export interface Signing {
  readonly credentials: AwsCredentials;
  readonly service: string;
  /** Region, or for SigV4A the set of regions: `*` or names separated by commas. */
  readonly region: string;
  /** Whether the signature is asymmetric and valid in several regions (SigV4A). */
  readonly asymmetric: boolean;
}

/** Services whose paths are signed as sent. */
const PLAIN_PATHS = new Set(['s3', 's3express', 's3-object-lambda', 's3-outposts']);
/** The content hash of a body that the signature does not cover. */
export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';
/** Parameters that a presigned URL gets from its signature. */
const SIGNATURE_PARAMETERS = new Set([
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-signedheaders',
  'x-amz-signature',
  'x-amz-security-token',
]);
const MAX_EXPIRES = 7 * 24 * 3600;

/** Whether the body of a service's requests may be outside of the signature. */
export const mayLeaveBodyUnsigned = (service: string): boolean => PLAIN_PATHS.has(service);

/** Name and value of each parameter of a query, decoded. */
function parametersOf(query: string): [name: string, value: string][] {
  return query === ''
    ? []
    : query.split('&').map((parameter) => {
        const equals = parameter.indexOf('=');
        const [name, value] = equals < 0 ? [parameter, ''] : [parameter.slice(0, equals), parameter.slice(equals + 1)];
        return [decoded(name), decoded(value)];
      });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function queryOf(parameters: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = {};
  for (const [name, value] of parameters) {
    const before = out[name];
    out[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
  }
  return out;
}

function smithyRequest(request: OutgoingRequest, query: Record<string, string | string[]>) {
  const { method, hostname, path, headers, body } = request;
  return {
    method,
    protocol: request.secure ? 'https:' : 'http:',
    hostname,
    path,
    query,
    headers: { ...headers },
    ...(body !== undefined && { body }),
  };
}

function signerOf({ credentials, service, region }: Signing): SignatureV4 {
  return new SignatureV4({
    credentials: { ...credentials, sessionToken: credentials.sessionToken! },
    region,
    service,
    sha256: Sha256,
    uriEscapePath: !PLAIN_PATHS.has(service),
    // S3 requires the header; other services ignore it.
    applyChecksum: PLAIN_PATHS.has(service),
  });
}

/**
 * Signs a request by headers. A body that is no array of bytes is outside of the signature, unless `x-amz-content-sha256`
 * has its hash.
 */
export async function signByHeaders(request: OutgoingRequest, signing: Signing): Promise<void> {
  const toSign = smithyRequest(request, queryOf(parametersOf(request.query)));
  if (signing.asymmetric) {
    const { credentials, region, service } = signing;
    const signer = new SignatureV4a({
      credentials: { ...credentials, sessionToken: credentials.sessionToken! },
      region,
      service,
      sha256: Sha256,
      uriEscapePath: !PLAIN_PATHS.has(service),
    });
    request.headers = { ...((await signer.sign(toSign, { signingRegion: region })) as typeof toSign).headers };
    return;
  }
  // Sessions of directory buckets have their token in a header of their own, which the client has set.
  const { credentials } = signing;
  const own = request.headers['x-amz-s3session-token'] !== undefined;
  const signer = signerOf(own ? { ...signing, credentials: { ...credentials, sessionToken: undefined } } : signing);
  request.headers = { ...(await signer.sign(toSign)).headers };
}

/** Signs a presigned URL anew: with its own time and lifetime, and for the headers that it covers. */
export async function signByQuery(request: OutgoingRequest, signing: Signing): Promise<void> {
  const parameters = parametersOf(request.query);
  const before = new Map(parameters.map(([name, value]) => [name.toLowerCase(), value]));
  const covered = (before.get('x-amz-signedheaders') ?? 'host').split(';');
  const { headers } = request;
  const signed = Object.fromEntries(
    covered.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  const rest = parameters.filter(([name]) => !SIGNATURE_PARAMETERS.has(name.toLowerCase()));
  const unsigned = PLAIN_PATHS.has(signing.service) && request.headers['x-amz-content-sha256'] === undefined;
  const toSign = {
    ...smithyRequest({ ...request, headers: { ...signed, host: headers.host! } }, queryOf(rest)),
    // The signer leaves a body of another type out of the signature.
    ...(unsigned && { body: {} }),
  };
  const presigned = await signerOf(signing).presign(toSign, {
    signingDate: dateOf(before.get('x-amz-date')),
    expiresIn: Math.min(Number(before.get('x-amz-expires')) || 3600, MAX_EXPIRES),
    unhoistableHeaders: new Set(Object.keys(signed)),
  });
  const added = Object.entries(presigned.query ?? {}).filter(([name]) => SIGNATURE_PARAMETERS.has(name.toLowerCase()));
  const kept = request.query.split('&').filter((parameter) => {
    const name = decoded(parameter.split('=', 1)[0]!).toLowerCase();
    return parameter !== '' && !SIGNATURE_PARAMETERS.has(name);
  });
  request.query = [...kept, ...added.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)].join('&');
}

/** Returns the time of `20261129T090000Z`; now for another text. */
function dateOf(text: string | undefined): Date {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text ?? '');
  return parts ? new Date(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`) : new Date();
}

/** Signs the messages of an event stream, each with the signature of the one before. */
export class EventSigner {
  private readonly signer: SignatureV4;

  /** @param signature of the request that carries the stream, in hexadecimal digits */
  constructor(
    signing: Signing,
    private signature: string,
  ) {
    this.signer = signerOf(signing);
  }

  /**
   * Returns the signature of the next message.
   * @param headers its encoded headers
   */
  async next(headers: Uint8Array, payload: Uint8Array, date: Date): Promise<Uint8Array> {
    this.signature = await this.signer.sign(
      { headers, payload },
      { priorSignature: this.signature, signingDate: date },
    );
    return Buffer.from(this.signature, 'hex');
  }
}
