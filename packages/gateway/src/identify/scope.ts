import { type HeaderValues, queryParameter } from '@emu/wire';

/** The credential of a SigV4 request: access key, date, region and service. Shared between requests. */
export interface CredentialScope {
  readonly accessKeyId: string;
  /** `YYYYMMDD`. */
  readonly date: string;
  /** Undefined for SigV4A, whose signatures are valid in every region of a set. */
  readonly region: string | undefined;
  /** Signing name. */
  readonly service: string;
  /** Whether it is part of a presigned query. */
  readonly presigned: boolean;
}

/** Splits `<access key>/<date>/<region>/<service>/aws4_request`; SigV4A's has no region. Undefined for another text. */
export function parseCredential(
  credential: string,
  presigned: boolean,
  asymmetric: boolean,
): CredentialScope | undefined {
  const parts = credential.split('/');
  if (parts.pop() !== 'aws4_request') return undefined;
  const service = parts.pop();
  const region = asymmetric ? undefined : parts.pop();
  const date = parts.pop();
  // An access key id may itself contain slashes.
  const accessKeyId = parts.join('/');
  if (!service || !date || accessKeyId === '' || region === '') return undefined;
  return { accessKeyId, date, region, service, presigned };
}

/** Largest number of cached credentials. */
const MAX_REMEMBERED = 1000;
const parsed = new Map<string, CredentialScope | undefined>();

/** Returns the parts of a header's credential from a cache, because clients repeat theirs. */
function remembered(credential: string): CredentialScope | undefined {
  const known = parsed.get(credential);
  if (known) return known;
  const scope = parseCredential(credential, false, false);
  if (credential.length < 1024) {
    if (parsed.size >= MAX_REMEMBERED) parsed.clear();
    parsed.set(credential, scope);
  }
  return scope;
}

/** Whether a header's or query's algorithm is SigV4 (`false`), SigV4A (`true`) or neither (undefined). */
function isAsymmetric(algorithm: string): boolean | undefined {
  if (algorithm === 'AWS4-HMAC-SHA256') return false;
  return algorithm === 'AWS4-ECDSA-P256-SHA256' ? true : undefined;
}

/**
 * Returns the credential scope of a request, from its `Authorization` header or presigned query; undefined if it is
 * unsigned or signed in another way. Verifies nothing.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
export function credentialScopeOf(headers: HeaderValues, query: string): CredentialScope | undefined {
  const authorization = headers.authorization;
  if (typeof authorization === 'string' && authorization.startsWith('AWS4-')) {
    const space = authorization.indexOf(' ');
    const asymmetric = isAsymmetric(space < 0 ? authorization : authorization.slice(0, space));
    const start = authorization.indexOf('Credential=');
    if (asymmetric === undefined || start < 0) return undefined;
    const from = start + 'Credential='.length;
    const comma = authorization.indexOf(',', from);
    const credential = authorization.slice(from, comma < 0 ? undefined : comma).trim();
    return asymmetric ? parseCredential(credential, false, true) : remembered(credential);
  }
  if (!query.includes('X-Amz-Credential=')) return undefined;
  const asymmetric = isAsymmetric(queryParameter(query, 'X-Amz-Algorithm') ?? '');
  const credential = queryParameter(query, 'X-Amz-Credential');
  if (asymmetric === undefined || credential === undefined) return undefined;
  return parseCredential(credential, true, asymmetric);
}
