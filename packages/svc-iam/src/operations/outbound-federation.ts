import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { iamError } from '../errors.ts';
import { NOTHING } from '../outputs.ts';

const disabled = (): Error =>
  iamError('FeatureDisabledException', 'The outbound web identity federation feature is not enabled for this account.');

/**
 * Allows STS to issue tokens for other systems. The account's issuer never changes.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_EnableOutboundWebIdentityFederation.html
 */
export function EnableOutboundWebIdentityFederation(
  _input: InputOf<'EnableOutboundWebIdentityFederation'>,
  ctx: IamContext,
): OutputOf<'EnableOutboundWebIdentityFederation'> {
  const { outboundFederation } = ctx.state.account;
  if (outboundFederation?.enabled)
    throw iamError(
      'FeatureEnabledException',
      'The outbound web identity federation feature is already enabled for this account.',
    );
  const issuer = outboundFederation?.issuer ?? `https://${ctx.ids.uuid()}.tokens.sts.global.api.aws`;
  ctx.state.updateAccount((draft) => {
    draft.outboundFederation = { issuer, enabled: true };
  });
  return { IssuerIdentifier: issuer };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DisableOutboundWebIdentityFederation.html */
export function DisableOutboundWebIdentityFederation(
  _input: InputOf<'DisableOutboundWebIdentityFederation'>,
  ctx: IamContext,
): OutputOf<'DisableOutboundWebIdentityFederation'> {
  if (!ctx.state.account.outboundFederation?.enabled) throw disabled();
  ctx.state.updateAccount((draft) => {
    draft.outboundFederation!.enabled = false;
  });
  return NOTHING;
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetOutboundWebIdentityFederationInfo.html */
export function GetOutboundWebIdentityFederationInfo(
  _input: InputOf<'GetOutboundWebIdentityFederationInfo'>,
  ctx: IamContext,
): OutputOf<'GetOutboundWebIdentityFederationInfo'> {
  const { outboundFederation } = ctx.state.account;
  if (!outboundFederation?.enabled) throw disabled();
  return { IssuerIdentifier: outboundFederation.issuer, JwtVendingEnabled: true };
}
