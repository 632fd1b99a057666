import { parseArn, roleSessionPrincipal } from '@emu/core/service';
import type { Grantee } from '@emu/service-types/s3control';
import type { S3controlContext } from '../context.ts';
import { invalidGrant } from './errors.ts';
import type { GrantRecord, InstanceRecord } from './records.ts';

const UUID = /^([0-9a-f]{10}-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is the ARN of a user, role or root user. */
function isIdentity(text: string): boolean {
  const arn = parseArn(text);
  return arn?.service === 'iam' && /^\d{12}$/.test(arn.accountId) && /^(root$|(user|role)\/.)/.test(arn.resource);
}

/**
 * Validates a grantee: an IAM user or role, or one of the directory associated with the instance.
 * @throws AwsError `InvalidAccessGrant`
 */
export function checkGrantee(
  { GranteeType: type, GranteeIdentifier: identifier = '' }: Grantee,
  identityCenter: InstanceRecord['identityCenter'] | undefined,
): Pick<GrantRecord, 'granteeType' | 'granteeIdentifier'> {
  const known = type === 'IAM' ? isIdentity(identifier) : identityCenter !== undefined && UUID.test(identifier);
  if (type === undefined || !known) throw invalidGrant();
  return { granteeType: type, granteeIdentifier: identifier };
}

/** Whether a caller is a grant's grantee: the user, the root user, or a session of the role. */
export function isGrantee(
  { granteeType, granteeIdentifier }: Pick<GrantRecord, 'granteeType' | 'granteeIdentifier'>,
  { principal, credentials }: S3controlContext,
): boolean {
  if (granteeType !== 'IAM') return false;
  if (principal.type !== 'assumed-role') return granteeIdentifier === principal.arn;
  const key = principal.accessKeyId;
  const session = key === undefined ? undefined : credentials.get(key)?.session;
  if (session?.roleArn !== undefined) return granteeIdentifier === session.roleArn;
  if (!/:role\//.test(granteeIdentifier)) return false;
  // For unregistered sessions only the role's name is known, without its path.
  return roleSessionPrincipal(granteeIdentifier, principal.arn.split('/').at(-1)!).arn === principal.arn;
}
