import {
  type Arn,
  identityDirectory,
  type OperationContext,
  type Principal,
  parseArn,
  roleSessionPrincipal,
} from '@emu/core/service';
import { invalid } from '../errors.ts';

/** A parsed role ARN. */
export interface RoleReference {
  /** E.g. `arn:aws:iam::123456789012:role/team/deploy`. */
  arn: string;
  partition: string;
  accountId: string;
  /** Name without path, e.g. `deploy`. */
  name: string;
}

/**
 * Splits an ARN into parts, which STS does before other checks.
 * @throws AwsError `ValidationError` (`… is invalid`) for an invalid ARN
 */
export function requireArn(value: string): Arn {
  const arn = parseArn(value);
  if (!arn) throw invalid(`${value} is invalid`);
  return arn;
}

/**
 * Parses the ARN of a role.
 * @returns undefined for an ARN of another type
 * @throws AwsError `ValidationError` for an invalid ARN
 */
export function parseRoleArn(value: string): RoleReference | undefined {
  const { partition, service, region, accountId, resource } = requireArn(value);
  const name = /^role\/(?:[\u0021-\u007e]+\/)?([\w+=,.@-]{1,64})$/.exec(resource)?.[1];
  if (service !== 'iam' || region !== '' || !/^\d{12}$/.test(accountId) || name === undefined) return undefined;
  return { arn: value, partition, accountId, name };
}

/**
 * Returns the principal of a role session, with the role's id if IAM contains the role.
 * @param duration of the session in seconds
 * @throws AwsError `ValidationError` for a duration above the role's maximum
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
