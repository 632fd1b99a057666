import {
  type Arn,
  identityDirectory,
  type OperationContext,
  type Principal,
  parseArn,
  roleSessionPrincipal,
} from '@emu/core';
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
 * Who holds a session of a role, with the role's id in IAM where IAM has the role.
 * @param duration seconds the session is to last
 * @throws AwsError `ValidationError` where that is more than IAM's role allows
 */
export async function sessionOf(
  { arn }: RoleReference,
  sessionName: string,
  duration: number,
  ctx: OperationContext,
): Promise<Omit<Principal, 'accessKeyId'>> {
  const principal = roleSessionPrincipal(arn, sessionName);
  const identity = await (await ctx.capability(identityDirectory))?.identity(arn);
  if (identity?.arn !== arn) return principal;
  if (duration > (identity.maxSessionDuration ?? duration))
    throw invalid('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.');
  return { ...principal, userId: `${identity.uniqueId}:${sessionName}` };
}
