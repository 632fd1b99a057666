import { createHash } from 'node:crypto';
import { same } from '../auth/srp.ts';
import type { LocatedClient } from '../lookup.ts';
import type { AuthorizationCodeRecord, User } from '../records.ts';

/** How long an authorization code is good for. */
const VALIDITY = 5 * 60_000;

/** What an authorization code is for. */
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

/** Makes an authorization code. */
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

/** Takes a client's authorization code, which is good once; undefined where it is not good. */
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

/** Proof Key for Code Exchange (RFC 7636). */
function isVerified(
  { challenge, challengeMethod }: Readonly<AuthorizationCodeRecord>,
  verifier: string | undefined,
): boolean {
  if (challenge === undefined) return true;
  if (verifier === undefined) return false;
  const expected = challengeMethod === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  return same(Buffer.from(expected), Buffer.from(challenge));
}
