import type { FeatureType, InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { requireManagedOrganization } from '../organization.ts';

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_EnableOrganizationsRootCredentialsManagement.html */
export function EnableOrganizationsRootCredentialsManagement(
  _input: InputOf<'EnableOrganizationsRootCredentialsManagement'>,
  ctx: IamContext,
): Promise<OutputOf<'EnableOrganizationsRootCredentialsManagement'>> {
  return turn('RootCredentialsManagement', true, ctx);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DisableOrganizationsRootCredentialsManagement.html */
export function DisableOrganizationsRootCredentialsManagement(
  _input: InputOf<'DisableOrganizationsRootCredentialsManagement'>,
  ctx: IamContext,
): Promise<OutputOf<'DisableOrganizationsRootCredentialsManagement'>> {
  return turn('RootCredentialsManagement', false, ctx);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_EnableOrganizationsRootSessions.html */
export function EnableOrganizationsRootSessions(
  _input: InputOf<'EnableOrganizationsRootSessions'>,
  ctx: IamContext,
): Promise<OutputOf<'EnableOrganizationsRootSessions'>> {
  return turn('RootSessions', true, ctx);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DisableOrganizationsRootSessions.html */
export function DisableOrganizationsRootSessions(
  _input: InputOf<'DisableOrganizationsRootSessions'>,
  ctx: IamContext,
): Promise<OutputOf<'DisableOrganizationsRootSessions'>> {
  return turn('RootSessions', false, ctx);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListOrganizationsFeatures.html */
export async function ListOrganizationsFeatures(
  _input: InputOf<'ListOrganizationsFeatures'>,
  ctx: IamContext,
): Promise<OutputOf<'ListOrganizationsFeatures'>> {
  const { Id } = await requireManagedOrganization(ctx, 'AccountNotManagementOrDelegatedAdministratorException');
  return { OrganizationId: Id!, EnabledFeatures: [...(ctx.state.account.organizationsFeatures ?? [])] };
}

/** Enables or disables a feature; idempotent. */
async function turn(
  feature: FeatureType,
  on: boolean,
  ctx: IamContext,
): Promise<{ OrganizationId: string; EnabledFeatures: FeatureType[] }> {
  const { Id } = await requireManagedOrganization(ctx, 'CallerIsNotManagementAccountException');
  const others = (ctx.state.account.organizationsFeatures ?? []).filter((one) => one !== feature);
  const features = on ? [...others, feature].sort() : others;
  ctx.state.updateAccount((draft) => {
    draft.organizationsFeatures = features;
  });
  return { OrganizationId: Id!, EnabledFeatures: [...features] };
}
