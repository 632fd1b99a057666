import { type DeepReadonly, ServiceRole, servicePrincipalName } from '@emu/core/service';
import type { Credentials, InputOf, OutputOf, Permission } from '@emu/service-types/s3control';
import { noMatchingGrant } from '../access-grants/errors.ts';
import { isGrantee } from '../access-grants/grantees.ts';
import { requireSharedInstance } from '../access-grants/instance.ts';
import type { GrantRecord } from '../access-grants/records.ts';
import { contains, parseScope } from '../access-grants/scopes.ts';
import { sessionPolicy } from '../access-grants/session-policy.ts';
import type { S3controlContext } from '../context.ts';
import { invalidRequest, s3controlError } from '../errors.ts';
import { accessGrantsInstanceType } from '../resources.ts';
import type { S3ControlState } from '../state.ts';

/** Default lifetime of credentials in seconds. */
const DURATION = 3600;
/** S3's error codes for STS's errors. */
const STS_ERRORS: Readonly<Record<string, [code: Parameters<typeof s3controlError>[0], status: number]>> = {
  AccessDenied: ['StsNotAuthorizedError', 403],
  PackedPolicyTooLarge: ['StsPackedPolicyTooLargeError', 400],
  ValidationError: ['StsValidationError', 400],
};

/** Roles with access to locations. */
const locationRole = new ServiceRole({
  service: 'access-grants.s3',
  session: 'access-grants',
  refuse(roleArn, refusal) {
    const known = STS_ERRORS[refusal.code];
    if (!known) return undefined;
    const [code, status] = known;
    const message =
      code === 'StsNotAuthorizedError'
        ? `User: ${servicePrincipalName('access-grants.s3')} is not authorized to perform: sts:AssumeRole on resource: ${roleArn}`
        : refusal.message;
    return s3controlError(code, message, { status });
  },
});

/**
 * Returns temporary credentials for a grant of the caller: those of the location's role, restricted to the most
 * specific matching grant, or to the target.
 * @throws AwsError `AccessGrantsInstanceNotExistsError`, `InvalidRequest`, `AccessDenied` without a matching grant,
 * `StsNotAuthorizedError`, `StsValidationError`, `StsPackedPolicyTooLargeError`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-grants-credentials.html
 */
export async function GetDataAccess(
  input: InputOf<'GetDataAccess'>,
  ctx: S3controlContext,
): Promise<OutputOf<'GetDataAccess'>> {
  const { Target: target, Permission: permission, TargetType: type, Privilege: privilege = 'Default' } = input;
  const { state } = requireSharedInstance(ctx, input.AccountId);
  const parsed = parseScope(target);
  if (!parsed || (type === 'Object' && (target.endsWith('*') || parsed.prefix === '')))
    throw invalidRequest('The target must be of the form s3://bucket/prefix* or, for an object, s3://bucket/key.');
  const grant = closestGrant(ctx, state, target, permission);
  if (!grant) throw noMatchingGrant(permission, target);
  const whole = type === 'Object' || target.endsWith('*');
  const minimal = whole ? target : `s3://${parsed.bucket}/${parsed.prefix}*`;
  const scope = privilege === 'Minimal' ? minimal : grant.scope;
  return {
    Credentials: await credentialsFor(ctx, state, grant, scope, permission, input.DurationSeconds),
    MatchedGrantTarget: privilege === 'Minimal' ? target : grant.scope,
    Grantee: { GranteeType: grant.granteeType, GranteeIdentifier: grant.granteeIdentifier },
  };
}

/** Returns the caller's grant with the longest scope that contains a target. */
function closestGrant(
  ctx: S3controlContext,
  state: S3ControlState,
  target: string,
  permission: Permission,
): DeepReadonly<GrantRecord> | undefined {
  let closest: DeepReadonly<GrantRecord> | undefined;
  for (const grant of state.accessGrants.values()) {
    const permits = grant.permission === 'READWRITE' || grant.permission === permission;
    // Grants for an application only apply to calls through it.
    if (!permits || grant.applicationArn !== undefined) continue;
    if (!contains(grant.scope, target) || !isGrantee(grant, ctx)) continue;
    if (!closest || grant.scope.length > closest.scope.length) closest = grant;
  }
  return closest;
}

async function credentialsFor(
  ctx: S3controlContext,
  state: S3ControlState,
  { locationId }: DeepReadonly<GrantRecord>,
  scope: string,
  permission: Permission,
  duration = DURATION,
): Promise<Credentials> {
  const { accountId } = state;
  const { roleArn } = state.accessGrantsLocations.get(locationId)!;
  const { Credentials: credentials } = await locationRole.assume(roleArn, ctx, {
    RoleSessionName: `access-grants-${ctx.ids.uuid()}`,
    DurationSeconds: duration,
    Policy: sessionPolicy(scope, permission, ctx.region),
    principal: locationRole.principal(accountId),
    sourceArn: accessGrantsInstanceType.arn({}, state),
  });
  return credentials!;
}
