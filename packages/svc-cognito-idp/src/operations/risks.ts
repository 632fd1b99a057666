import { copyOf, parseArn } from '@emu/core/service';
import type {
  AccountTakeoverRiskConfigurationType,
  InputOf,
  OutputOf,
  RiskConfigurationType,
} from '@emu/service-types/cognito-idp';
import { addressesIn, riskKey } from '../auth/risks.ts';
import type { CognitoIdpContext } from '../context.ts';
import { addOnNotEnabled, invalidParameter } from '../errors.ts';
import { clientIn, poolOf } from '../lookup.ts';
import type { RiskRecord } from '../records.ts';

const describe = (
  poolId: string,
  clientId: string | undefined,
  risk: Readonly<RiskRecord> | undefined,
): RiskConfigurationType => ({
  UserPoolId: poolId,
  ...(clientId !== undefined && { ClientId: clientId }),
  ...(risk?.compromised && { CompromisedCredentialsRiskConfiguration: copyOf(risk.compromised) }),
  ...(risk?.takeover && { AccountTakeoverRiskConfiguration: copyOf(risk.takeover) }),
  ...(risk?.exceptions && { RiskExceptionConfiguration: copyOf(risk.exceptions) }),
  ...(risk && { LastModifiedDate: new Date(risk.updatedAt) }),
});

/**
 * Validates an account takeover configuration.
 * @throws AwsError `InvalidParameterException` for notifications without sender
 */
function checkTakeover({ Actions, NotifyConfiguration: notify }: AccountTakeoverRiskConfigurationType): void {
  const actions = [Actions.LowAction, Actions.MediumAction, Actions.HighAction];
  if (actions.some((action) => action?.Notify) && !notify)
    throw invalidParameter('NotifyConfiguration is required where an action notifies users.');
  if (notify && parseArn(notify.SourceArn)?.service !== 'ses')
    throw invalidParameter(`${notify.SourceArn} is not the ARN of an identity of Amazon SES.`);
}

export function SetRiskConfiguration(
  input: InputOf<'SetRiskConfiguration'>,
  ctx: CognitoIdpContext,
): OutputOf<'SetRiskConfiguration'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  if (input.ClientId !== undefined) clientIn(pool, input.ClientId, state);
  if ((pool.settings.UserPoolAddOns?.AdvancedSecurityMode ?? 'OFF') === 'OFF')
    throw addOnNotEnabled('User Pool Add-ons are not enabled for this user pool.');
  const takeover = input.AccountTakeoverRiskConfiguration;
  if (takeover) checkTakeover(takeover);
  const { CompromisedCredentialsRiskConfiguration: compromised, RiskExceptionConfiguration: exceptions } = input;
  addressesIn([...(exceptions?.BlockedIPRangeList ?? []), ...(exceptions?.SkippedIPRangeList ?? [])]);
  const risk = state.risks.put(riskKey(pool.id, input.ClientId), {
    poolId: pool.id,
    clientId: input.ClientId ?? '',
    ...(takeover && { takeover: copyOf(takeover) }),
    ...(compromised && { compromised: copyOf(compromised) }),
    ...(exceptions && { exceptions: copyOf(exceptions) }),
    updatedAt: ctx.clock.now(),
  });
  return { RiskConfiguration: describe(pool.id, input.ClientId, risk as Readonly<RiskRecord>) };
}

export function DescribeRiskConfiguration(
  input: InputOf<'DescribeRiskConfiguration'>,
  ctx: CognitoIdpContext,
): OutputOf<'DescribeRiskConfiguration'> {
  const pool = poolOf(input, ctx);
  if (input.ClientId !== undefined) clientIn(pool, input.ClientId, ctx.state);
  const risk = ctx.state.risks.get(riskKey(pool.id, input.ClientId));
  return { RiskConfiguration: describe(pool.id, input.ClientId, risk as Readonly<RiskRecord> | undefined) };
}
