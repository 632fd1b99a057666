import { createHash } from 'node:crypto';
import type { Ids } from '../base/ids.ts';
import type { Clock } from '../time/clock.ts';
import { newAccessKeyId } from './access-keys.ts';
import type { Credential, CredentialRegistry, Principal } from './principal.ts';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Prefix of AWS's session tokens: base64 of a header that names their origin. */
const TOKEN_HEAD = 'IQoJb3JpZ2luX2Vj';
/** Bytes after the prefix: AWS's tokens have a few hundred to a thousand characters. */
const TOKEN_BYTES = 540;

/** Creates a secret access key of 40 characters, like AWS's. */
export function newSecretAccessKey(ids: Ids): string {
  return ids.chars(40, BASE64);
}

/**
 * Returns the unique id of a role (`AROA…`, 21 characters). It is derived from the ARN alone, so that every session of
 * a role has the same id.
 */
export function roleIdOf(roleArn: string): string {
  let id = 'AROA';
  for (const byte of createHash('sha256').update(roleArn).digest().subarray(0, 17)) id += BASE32[byte & 31];
  return id;
}

/** Partition, account and name of a role, after an optional path. */
const ROLE = /^arn:([^:]+):iam::(\d{12}):role\/(?:.*\/)?([^/]+)$/;

/** Whether a text is the ARN of a role. */
export const isRoleArn = (text: string): boolean => ROLE.test(text);

/**
 * Returns the principal of a role's session. Its ARN omits the role's path, as in AWS.
 * @param roleArn e.g. `arn:aws:iam::123456789012:role/team/deploy`
 * @throws RangeError for any other ARN
 */
export function roleSessionPrincipal(roleArn: string, sessionName: string): Omit<Principal, 'accessKeyId'> {
  const match = ROLE.exec(roleArn);
  if (!match) throw new RangeError(`${roleArn} is not the ARN of a role`);
  const [, partition, accountId, name] = match as unknown as [string, string, string, string];
  return {
    type: 'assumed-role',
    accountId,
    arn: `arn:${partition}:sts::${accountId}:assumed-role/${name}/${sessionName}`,
    userId: `${roleIdOf(roleArn)}:${sessionName}`,
  };
}

/** Dependencies of a new session; kernels, service handles and operation contexts have them. */
export interface SessionIssuer {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly credentials: CredentialRegistry;
}

/** Temporary credentials as registered. */
export type SessionCredential = Credential & Required<Pick<Credential, 'sessionToken' | 'expiresAt'>>;

/**
 * Creates temporary credentials for a principal and registers them, so that requests signed with them belong to the
 * principal's account and pass verification.
 * @param duration seconds of validity from now
 * @param rights limits of the session other than policies of its principal
 */
export function issueSession(
  { clock, ids, credentials }: SessionIssuer,
  principal: Omit<Principal, 'accessKeyId'>,
  duration: number,
  session: Omit<NonNullable<Credential['session']>, 'issuedAt'>,
  rights: Pick<Credential, 'administrator'> = {},
): SessionCredential {
  const now = clock.now();
  const credential: SessionCredential = {
    accessKeyId: newAccessKeyId('ASIA', principal.accountId, ids),
    secretAccessKey: newSecretAccessKey(ids),
    sessionToken: TOKEN_HEAD + ids.bytes(TOKEN_BYTES).toString('base64'),
    // AWS returns the expiration in whole seconds.
    expiresAt: (Math.floor(now / 1000) + duration) * 1000,
    active: true,
    principal,
    ...rights,
    session: { ...session, issuedAt: now },
  };
  credentials.put(credential);
  return credential;
}
