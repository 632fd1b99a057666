import type { AuthFailure, SignatureRules } from '@emu/core/service';
import { type HeaderValues, headerOf, queryParameter } from '@emu/wire';
import { type CredentialScope, parseCredential } from '../identify/scope.ts';

/** A request's signature with everything that its verification needs. */
export interface Signature {
  algorithm: 'AWS4-HMAC-SHA256' | 'AWS4-ECDSA-P256-SHA256';
  scope: CredentialScope;
  signedHeaders: readonly string[];
  /** Hexadecimal. */
  signature: string;
  /** As sent, `YYYYMMDDTHHMMSSZ`. */
  date: string;
  /** Epoch milliseconds of the date. */
  signedAt: number;
  sessionToken: string | undefined;
  /** Lifetime of a presigned URL in seconds; undefined for a signed header. */
  expires: number | undefined;
}

const ALGORITHMS: ReadonlySet<string> = new Set(['AWS4-HMAC-SHA256', 'AWS4-ECDSA-P256-SHA256']);
/** Longest lifetime of a presigned URL in seconds: a week. */
const LONGEST = 604_800;

/** Reads the signature of a request. @returns a failure for an invalid one, undefined without one */
export function readSignature(
  headers: HeaderValues,
  query: string,
  rules: SignatureRules,
): Signature | AuthFailure | undefined {
  const authorization = headerOf(headers, 'authorization');
  if (authorization !== undefined) return fromHeader(authorization, headers, rules);
  return queryParameter(query, 'X-Amz-Algorithm') === undefined ? undefined : fromQuery(query, rules);
}

function fromHeader(
  authorization: string,
  headers: HeaderValues,
  { sessionToken }: SignatureRules,
): Signature | AuthFailure {
  const space = authorization.indexOf(' ');
  const algorithm = space < 0 ? authorization : authorization.slice(0, space);
  if (!ALGORITHMS.has(algorithm)) return { kind: 'scheme' };
  const parts = new Map<string, string>();
  for (const part of authorization.slice(algorithm.length).split(',')) {
    const equals = part.indexOf('=');
    if (equals > 0) parts.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim());
  }
  const missing = ['Credential', 'Signature', 'SignedHeaders'].filter((name) => !parts.get(name));
  const date = headerOf(headers, 'x-amz-date') ?? isoOfHttpDate(headerOf(headers, 'date'));
  const complaints = missing.map((name) => `Authorization header requires '${name}' parameter.`);
  if (date === undefined)
    complaints.push("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.");
  if (complaints.length) return incomplete(`${complaints.join(' ')} Authorization=${authorization}`);
  return assemble(algorithm as Signature['algorithm'], {
    credential: parts.get('Credential')!,
    signedHeaders: parts.get('SignedHeaders')!,
    signature: parts.get('Signature')!,
    date: date!,
    sessionToken:
      headerOf(headers, 'x-amz-security-token') ?? (sessionToken && headerOf(headers, sessionToken.toLowerCase())),
    expires: undefined,
  });
}

function fromQuery(query: string, rules: SignatureRules): Signature | AuthFailure {
  const algorithm = queryParameter(query, 'X-Amz-Algorithm')!;
  if (!ALGORITHMS.has(algorithm)) return { kind: 'scheme' };
  const names = ['X-Amz-Credential', 'X-Amz-Signature', 'X-Amz-SignedHeaders', 'X-Amz-Date'];
  const values = names.map((name) => queryParameter(query, name));
  const missing = names.filter((_, index) => !values[index]);
  const expires = queryParameter(query, 'X-Amz-Expires');
  if (expires === undefined && rules.presignedHeaders) missing.push('X-Amz-Expires');
  if (missing.length)
    return incomplete(
      missing.map((name) => `AWS query-string parameters must include '${name}'.`).join(' '),
      'missing',
    );
  const [credential, signature, signedHeaders, date] = values as [string, string, string, string];
  // Without an expiry, a presigned request is valid as long as a signed one.
  const seconds = expires === undefined ? 900 : Number(expires);
  if (!/^\d{1,9}$/.test(expires ?? '900') || seconds > LONGEST)
    return incomplete(
      'X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds',
      'expires',
    );
  const sessionToken =
    queryParameter(query, 'X-Amz-Security-Token') ?? (rules.sessionToken && queryParameter(query, rules.sessionToken));
  return assemble(algorithm as Signature['algorithm'], {
    credential,
    signature,
    signedHeaders,
    date,
    sessionToken,
    expires: seconds,
  });
}

type Parts = Pick<Signature, 'signature' | 'date' | 'sessionToken' | 'expires'> & {
  credential: string;
  signedHeaders: string;
};

function assemble(algorithm: Signature['algorithm'], parts: Parts): Signature | AuthFailure {
  const { credential, signedHeaders, ...rest } = parts;
  const scope = parseCredential(credential, rest.expires !== undefined, algorithm !== 'AWS4-HMAC-SHA256');
  if (!scope)
    return incomplete(
      `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${credential}'`,
      rest.expires === undefined ? undefined : 'credential',
    );
  const signedAt = dateOf(rest.date);
  if (signedAt === undefined) return incomplete(`Date must be in ISO-8601 'basic format'. Got '${rest.date}'.`);
  return { ...rest, algorithm, scope, signedHeaders: signedHeaders.toLowerCase().split(';'), signedAt };
}

const incomplete = (detail: string, query?: 'missing' | 'credential' | 'expires'): AuthFailure => ({
  kind: 'incomplete',
  detail,
  ...(query && { query }),
});

/** Returns the epoch milliseconds of `YYYYMMDDTHHMMSSZ`. */
function dateOf(date: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns epoch milliseconds as `YYYYMMDDTHHMMSSZ`. */
export function basicDate(time: number): string {
  return new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function isoOfHttpDate(date: string | undefined): string | undefined {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? date : basicDate(time);
}
