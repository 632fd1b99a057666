import { createHash } from 'node:crypto';
import type { LocatedClient } from '../lookup.ts';
import type { AuthorizationCodeRecord, User } from '../records.ts';
import { same } from '../srp/srp.ts';

/** Validity of an authorization code, in milliseconds. */
const VALIDITY = 5 * 60_000;

/** Members of an authorization code. */
export interface CodeRequest {
  redirectUri: string;
  scopes: string[];
  challenge?: string | undefined;
  challengeMethod?: 'S256' | 'plain' | undefined;
  nonce?: string | undefined;
  authTime: number;
  eventId?: string | undefined;
  resource?: string | undefined;
}

/** Creates an authorization code. */
export function grantCode(
  { state, pool, client }: LocatedClient,
  user: User,
  request: CodeRequest,
): Readonly<AuthorizationCodeRecord> {
  const { redirectUri, scopes, challenge, challengeMethod, nonce, authTime, eventId, resource } = request;
  const record: AuthorizationCodeRecord = {
    code: state.ids.uuid(),
    poolId: pool.id,
    clientId: client.id,
    username: user.username,
    redirectUri,
    scopes,
    ...(challenge !== undefined && { challenge, challengeMethod: challengeMethod ?? 'plain' }),
    ...(nonce !== undefined && { nonce }),
    ...(eventId !== undefined && { eventId }),
    ...(resource !== undefined && { resource }),
    authTime,
    expiresAt: state.clock.now() + VALIDITY,
  };
  state.sweep(state.authorizationCodes, (key) => state.authorizationCodes.delete(key));
  state.authorizationCodes.put(record.code, record);
  return record;
}

/** Takes a client's authorization code, which is valid once; undefined if it is invalid. */
export function takeAuthorizationCode(
  { state, client }: LocatedClient,
  code: string,
  redirectUri: string | undefined,
  verifier: string | undefined,
): Readonly<AuthorizationCodeRecord> | undefined {
  const record = state.authorizationCodes.get(code);
  if (record?.clientId !== client.id) return undefined;
  state.authorizationCodes.delete(code);
  if (record.expiresAt <= state.clock.now() || record.redirectUri !== redirectUri) return undefined;
  return isVerified(record as AuthorizationCodeRecord, verifier) ? (record as AuthorizationCodeRecord) : undefined;
}

/** Verifies a Proof Key for Code Exchange (RFC 7636). */
function isVerified(
  { challenge, challengeMethod }: Readonly<AuthorizationCodeRecord>,
  verifier: string | undefined,
): boolean {
  if (challenge === undefined) return true;
  if (verifier === undefined) return false;
  const expected = challengeMethod === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  return same(Buffer.from(expected), Buffer.from(challenge));
}
