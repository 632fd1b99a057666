import { createHash } from 'node:crypto';
import { type Arn, parseArn } from '@emu/core';
import { invalid } from './errors.ts';

/** A role as its ARN names it. */
export interface RoleReference {
  /** E.g. `arn:aws:iam::123456789012:role/team/deploy`. */
  arn: string;
  partition: string;
  accountId: string;
  /** The name without its path, e.g. `deploy`. */
  name: string;
}

/**
 * Splits an ARN as STS does before it looks at what it names.
 * @throws AwsError `ValidationError` (`… is invalid`) where the string is no ARN
 */
export function requireArn(value: string): Arn {
  const arn = parseArn(value);
  if (!arn) throw invalid(`${value} is invalid`);
  return arn;
}

/**
 * The role an ARN names, undefined where it names something else.
 * @throws AwsError `ValidationError` where the string is no ARN
 */
export function parseRoleArn(value: string): RoleReference | undefined {
  const { partition, service, region, accountId, resource } = requireArn(value);
  const name = /^role\/(?:[\u0021-\u007e]+\/)?([\w+=,.@-]{1,64})$/.exec(resource)?.[1];
  if (service !== 'iam' || region !== '' || !/^\d{12}$/.test(accountId) || name === undefined) return undefined;
  return { arn: value, partition, accountId, name };
}

/**
 * The unique id of a role (`AROA…`, 21 characters). It depends on nothing but the ARN, so that every session of a role
 * carries the same one.
 */
export function roleId(roleArn: string): string {
  const digest = createHash('sha256').update(roleArn).digest();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let id = 'AROA';
  for (const byte of digest.subarray(0, 17)) id += alphabet[byte & 31];
  return id;
}

/** ARN of a role's session. The role's path is no part of it, as in AWS. */
export function assumedRoleArn(role: RoleReference, sessionName: string): string {
  return `arn:${role.partition}:sts::${role.accountId}:assumed-role/${role.name}/${sessionName}`;
}
