import { isObject, parseJson } from '@emu/wire';
import { badToken } from '../errors.ts';

/** Claims of an OpenID Connect token. */
export type Claims = Readonly<Record<string, unknown>>;

const invalidToken = () => badToken('Not a valid OpenId Connect identity token.');

/** Parses the claims of a token. The signature is verified elsewhere. @throws AwsError `NotAuthorizedException` */
export function readClaims(token: string): Claims {
  const parts = token.split('.');
  if (parts.length !== 3) throw invalidToken();
  try {
    const value: unknown = parseJson(Buffer.from(parts[1]!, 'base64url').toString());
    if (isObject(value)) return value;
  } catch {
    // Invalid JSON is an invalid token.
  }
  throw invalidToken();
}

/** Returns a required claim. @throws AwsError `NotAuthorizedException` */
export function requireText(claims: Claims, name: string): string {
  const value = claims[name];
  if (typeof value !== 'string' || value === '') throw badToken(`Missing a required claim: ${name}`);
  return value;
}

/** Rejects an expired token. @param now epoch milliseconds @throws AwsError `NotAuthorizedException` */
export function checkExpiry({ exp }: Claims, now: number): void {
  const seconds = Math.floor(now / 1000);
  if (typeof exp !== 'number') throw badToken('Missing a required claim: exp');
  if (seconds >= exp) throw badToken(`Token expired: ${seconds} >= ${exp}`);
}

/** Returns the strings of a claim: one, several or none. */
export function textsOf(claim: unknown): string[] {
  if (Array.isArray(claim)) return claim.filter((one) => typeof one === 'string');
  return typeof claim === 'string' || typeof claim === 'number' || typeof claim === 'boolean' ? [String(claim)] : [];
}
