import type { Clock } from '@emu/core/service';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { KeySets } from '../../authorizers/key-sets.ts';
import { forbidden, type JwtContext, unauthorized } from '../../authorizers/verdict.ts';
import type { AuthorizerRecord } from '../../records.ts';
import type { HttpExchange } from '../exchange.ts';
import { identityValues } from './identity.ts';

/** API Gateway accepts RSA signatures only. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

const challenge = (error: string, description: string, scopes: readonly string[]): Record<string, string> => ({
  'www-authenticate': `Bearer scope="${scopes.join(' ')}" error="${error}" error_description="${description}"`,
});

/**
 * Accepts requests with a token that its issuer signed for the audience, with one of the route's scopes.
 * @throws Refusal
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export async function authorizeByToken(
  exchange: HttpExchange,
  authorizer: AuthorizerRecord,
  keySets: KeySets,
): Promise<JwtContext> {
  const { state, match } = exchange;
  const [value] = identityValues(exchange, authorizer.IdentitySource);
  const wanted = match!.route.AuthorizationScopes ?? [];
  if (!value) throw unauthorized('no token', { 'www-authenticate': 'Bearer' });
  const token = value.replace(/^Bearer\s+/i, '');
  const { Issuer = '', Audience = [] } = authorizer.JwtConfiguration ?? {};
  const payload = await verifiedToken(token, Issuer, keySets, state.clock).catch((error: Error) => {
    throw unauthorized(error.message, challenge('invalid_token', descriptionOf(error), wanted));
  });
  const audiences = payload.aud === undefined ? [payload.client_id] : [payload.aud].flat();
  if (!audiences.some((one) => typeof one === 'string' && Audience.includes(one)))
    throw unauthorized(
      'invalid audience',
      challenge('invalid_token', 'the token does not have a valid audience', wanted),
    );
  const had = scopesOf(payload);
  if (wanted.length > 0 && !wanted.some((scope) => had.includes(scope)))
    throw forbidden(
      'insufficient scope',
      challenge('insufficient_scope', 'the token does not have the required scopes', wanted),
    );
  const claims = Object.fromEntries(Object.entries(payload).map(([name, claim]) => [name, claimText(claim)]));
  return { kind: 'jwt', claims, scopes: wanted.length > 0 ? had : null };
}

/**
 * Returns the claims of a token.
 * @throws Error if it is invalid
 */
export async function verifiedToken(
  token: string,
  issuer: string,
  keySets: KeySets,
  clock: Clock,
): Promise<JWTPayload> {
  const check = async (keys: JSONWebKeySet): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer,
      algorithms: ALGORITHMS,
      currentDate: new Date(clock.now()),
    });
    const { iat } = payload;
    if (iat !== undefined && iat * 1000 > clock.now()) throw new Error('the token was issued in the future');
    return payload;
  };
  try {
    return await check(await keySets.of(issuer));
  } catch (error) {
    // The issuer may have rotated its keys.
    const fresh = error instanceof errors.JWKSNoMatchingKey ? await keySets.refreshed(issuer) : undefined;
    if (!fresh) throw error;
    return check(fresh);
  }
}

function descriptionOf(error: Error): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iss')
    return 'the token does not have a valid issuer';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature is invalid';
  return 'unable to verify the token';
}

function scopesOf({ scope, scp }: JWTPayload): string[] {
  const value = scope ?? scp;
  if (typeof value === 'string') return value.split(' ').filter((one) => one !== '');
  return Array.isArray(value) ? value.map(String) : [];
}

/** Converts a claim to text: lists in brackets, without commas. */
function claimText(claim: unknown): string {
  if (Array.isArray(claim)) return `[${claim.map(claimText).join(' ')}]`;
  return typeof claim === 'object' ? JSON.stringify(claim) : String(claim);
}
