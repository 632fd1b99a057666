import { isObject } from '@emu/wire';
import { badToken } from '../errors.ts';

/** The claims of an OpenID Connect token. */
export type Claims = Readonly<Record<string, unknown>>;

const notAToken = () => badToken('Not a valid OpenId Connect identity token.');

/** Reads the claims of a token; its signature is looked at elsewhere. @throws AwsError `NotAuthorizedException` */
export function readClaims(token: string): Claims {
  const parts = token.split('.');
  if (parts.length !== 3) throw notAToken();
  try {
    const value: unknown = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString());
    if (isObject(value)) return value;
  } catch {
    // Text that is no JSON is no token, either.
  }
  throw notAToken();
}

/** A claim that has to be there. @throws AwsError `NotAuthorizedException` */
export function requireText(claims: Claims, name: string): string {
  const value = claims[name];
  if (typeof value !== 'string' || value === '') throw badToken(`Missing a required claim: ${name}`);
  return value;
}

/** Refuses a token that has expired. @param now epoch milliseconds @throws AwsError `NotAuthorizedException` */
export function checkExpiry({ exp }: Claims, now: number): void {
  const seconds = Math.floor(now / 1000);
  if (typeof exp !== 'number') throw badToken('Missing a required claim: exp');
  if (seconds >= exp) throw badToken(`Token expired: ${seconds} >= ${exp}`);
}

/** The texts of a claim: one, several or none. */
export function textsOf(claim: unknown): string[] {
  if (Array.isArray(claim)) return claim.filter((one) => typeof one === 'string');
  return typeof claim === 'string' || typeof claim === 'number' || typeof claim === 'boolean' ? [String(claim)] : [];
}
