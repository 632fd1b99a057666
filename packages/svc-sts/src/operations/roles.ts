import { notEmulated, type OperationContext } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/sts';
import { accessDenied, invalid, notAuthorized } from '../errors.ts';
import { credentialsOf, isRegisteredRoot, requireSigned } from '../sessions/callers.ts';
import { authenticateMfa } from '../sessions/mfa.ts';
import { parseRoleArn, sessionOf } from '../sessions/roles.ts';
import { parseTarget, requireTaskPolicy } from '../sessions/root-access.ts';
import { sessionPolicies } from '../sessions/session-policies.ts';
import { issueCredentials } from '../sessions/sessions.ts';
import { sessionTags } from '../tags.ts';

const DEFAULT_DURATION = 3600;
/** A role session that assumes a role lasts one hour at most, independent of the role's maximum. */
const MAX_CHAINED_DURATION = 3600;
const ROOT_DURATION = 900;

/**
 * Returns temporary credentials of a role.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
 */
export async function AssumeRole(input: InputOf<'AssumeRole'>, ctx: OperationContext): Promise<OutputOf<'AssumeRole'>> {
  requireSigned(ctx);
  const { principal } = ctx;
  const role = parseRoleArn(input.RoleArn);
  if (isRegisteredRoot(ctx)) throw accessDenied('Roles may not be assumed by root accounts.');
  if (!role || role.partition !== ctx.partition || principal.type === 'federated-user')
    throw notAuthorized(principal.arn, 'sts:AssumeRole', input.RoleArn);
  if (input.ProvidedContexts?.length) throw notEmulated('ProvidedContexts of sts.AssumeRole');
  const duration = input.DurationSeconds ?? DEFAULT_DURATION;
  if (principal.type === 'assumed-role' && duration > MAX_CHAINED_DURATION)
    throw invalid('The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining.');
  const mfaAuthenticated = await authenticateMfa(ctx, input.SerialNumber, input.TokenCode);
  const calling = credentialsOf(ctx)?.session;
  const { tags, transitiveTagKeys } = sessionTags(input.Tags ?? [], input.TransitiveTagKeys ?? [], calling);
  const sourceIdentity = calling?.sourceIdentity ?? input.SourceIdentity;
  if (input.SourceIdentity !== undefined && input.SourceIdentity !== sourceIdentity)
    throw notAuthorized(principal.arn, 'sts:SetSourceIdentity', input.RoleArn);
  const { packedSize, ...policies } = await sessionPolicies(input, ctx.partition);

  const session = await sessionOf(role, input.RoleSessionName, duration, ctx);
  return {
    Credentials: issueCredentials(ctx, session, duration, {
      roleArn: role.arn,
      name: input.RoleSessionName,
      ...policies,
      tags,
      transitiveTagKeys,
      ...(sourceIdentity !== undefined && { sourceIdentity }),
      mfaAuthenticated,
      ...(principal.type === 'service' && { service: principal.arn }),
    }),
    AssumedRoleUser: { AssumedRoleId: session.userId, Arn: session.arn },
    PackedPolicySize: packedSize,
    SourceIdentity: sourceIdentity,
  };
}

/**
 * Returns credentials of another account's root user for one task.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoot.html
 */
export function AssumeRoot(input: InputOf<'AssumeRoot'>, ctx: OperationContext): OutputOf<'AssumeRoot'> {
  requireSigned(ctx);
  const target = parseTarget(input.TargetPrincipal, ctx.region);
  const policyArn = requireTaskPolicy(input.TaskPolicyArn.arn, ctx.partition);
  if (isRegisteredRoot(ctx) || ctx.principal.type === 'federated-user')
    throw notAuthorized(ctx.principal.arn, 'sts:AssumeRoot', target.arn);
  const sourceIdentity = credentialsOf(ctx)?.session?.sourceIdentity;
  return {
    Credentials: issueCredentials(ctx, target, input.DurationSeconds ?? ROOT_DURATION, {
      name: target.accountId,
      policyArns: [policyArn],
      ...(sourceIdentity !== undefined && { sourceIdentity }),
    }),
    SourceIdentity: sourceIdentity,
  };
}
