import type { OperationContext } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/sts';
import { federatedUserType } from '../resources.ts';
import { requireLongTermCredentials } from '../sessions/callers.ts';
import { authenticateMfa } from '../sessions/mfa.ts';
import { sessionPolicies } from '../sessions/session-policies.ts';
import { issueCredentials } from '../sessions/sessions.ts';
import { sessionTags } from '../tags.ts';

const DEFAULT_DURATION = 43_200;
/** Longer sessions of a root user are shortened to this. */
const MAX_ROOT_DURATION = 3600;

function durationOf(requested: number | undefined, ctx: OperationContext): number {
  const duration = requested ?? DEFAULT_DURATION;
  return ctx.principal.type === 'root' ? Math.min(duration, MAX_ROOT_DURATION) : duration;
}

/**
 * Returns temporary credentials of the caller itself.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetSessionToken.html
 */
export async function GetSessionToken(
  input: InputOf<'GetSessionToken'>,
  ctx: OperationContext,
): Promise<OutputOf<'GetSessionToken'>> {
  requireLongTermCredentials(ctx);
  const { accessKeyId: _, ...principal } = ctx.principal;
  const mfaAuthenticated = await authenticateMfa(ctx, input.SerialNumber, input.TokenCode);
  return {
    Credentials: issueCredentials(ctx, principal, durationOf(input.DurationSeconds, ctx), {
      name: principal.userId,
      mfaAuthenticated,
    }),
  };
}

/**
 * Returns temporary credentials of a federated user.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetFederationToken.html
 */
export async function GetFederationToken(
  input: InputOf<'GetFederationToken'>,
  ctx: OperationContext,
): Promise<OutputOf<'GetFederationToken'>> {
  requireLongTermCredentials(ctx);
  const { accountId } = ctx.principal;
  const { tags } = sessionTags(input.Tags ?? [], []);
  const { packedSize, ...policies } = await sessionPolicies(input, ctx.partition);
  const arn = federatedUserType.arn({ name: input.Name }, { accountId, region: ctx.region });
  const userId = `${accountId}:${input.Name}`;
  return {
    Credentials: issueCredentials(
      ctx,
      { type: 'federated-user', accountId, arn, userId },
      durationOf(input.DurationSeconds, ctx),
      { name: input.Name, ...policies, tags, issuerArn: ctx.principal.arn },
    ),
    FederatedUser: { FederatedUserId: userId, Arn: arn },
    PackedPolicySize: packedSize ?? 0,
  };
}
