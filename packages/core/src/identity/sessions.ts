import { createHash } from 'node:crypto';
import type { Ids } from '../base/ids.ts';
import type { Clock } from '../time/clock.ts';
import { newAccessKeyId } from './access-keys.ts';
import type { Credential, CredentialRegistry, Principal } from './principal.ts';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** What session tokens of AWS begin with: base64 of a header that names their origin. */
const TOKEN_HEAD = 'IQoJb3JpZ2luX2Vj';
/** Bytes behind the head: AWS's tokens have a few hundred to a thousand characters. */
const TOKEN_BYTES = 540;

/** A secret access key: 40 characters, as AWS's have. */
export function newSecretAccessKey(ids: Ids): string {
  return ids.chars(40, BASE64);
}

/**
 * The unique id of a role (`AROA…`, 21 characters). It depends on nothing but the ARN, so that every session of a role
 * carries the same one.
 */
export function roleIdOf(roleArn: string): string {
  let id = 'AROA';
  for (const byte of createHash('sha256').update(roleArn).digest().subarray(0, 17)) id += BASE32[byte & 31];
  return id;
}

/** Partition, account and name of a role; its path may come between. */
const ROLE = /^arn:([^:]+):iam::(\d{12}):role\/(?:.*\/)?([^/]+)$/;

/** Whether a text is the ARN of a role. */
export const isRoleArn = (text: string): boolean => ROLE.test(text);

/**
 * Who the holder of a role's session is; the role's path is no part of its ARN, as in AWS.
 * @param roleArn e.g. `arn:aws:iam::123456789012:role/team/deploy`
 * @throws RangeError where that is not the ARN of a role
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

/** What making a session needs; kernels, service handles and operation contexts have it. */
export interface SessionIssuer {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly credentials: CredentialRegistry;
}

/** Temporary credentials as they were registered. */
export type SessionCredential = Credential & Required<Pick<Credential, 'sessionToken' | 'expiresAt'>>;

/**
 * Makes temporary credentials for a principal and registers them, so that requests signed with them belong to the
 * principal's account and verify.
 * @param duration seconds they are valid from now
 * @param rights what besides policies says what the session may do
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
    // AWS tells the expiration in whole seconds.
    expiresAt: (Math.floor(now / 1000) + duration) * 1000,
    active: true,
    principal,
    ...rights,
    session: { ...session, issuedAt: now },
  };
  credentials.put(credential);
  return credential;
}
