import type { OperationContext } from '@emu/core';
import type {
  DisableOrganizationsRootCredentialsManagementResponse,
  DisableOrganizationsRootSessionsResponse,
  EnableOrganizationsRootCredentialsManagementResponse,
  EnableOrganizationsRootSessionsResponse,
  FeatureType,
  ListOrganizationsFeaturesResponse,
} from '@emu/service-types/iam';
import { requireManagedOrganization } from '../organization.ts';
import type { IamState } from '../state.ts';

type Ctx = OperationContext<IamState>;

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_EnableOrganizationsRootCredentialsManagement.html */
export function EnableOrganizationsRootCredentialsManagement(
  _input: object,
  ctx: Ctx,
): Promise<EnableOrganizationsRootCredentialsManagementResponse> {
  return turn('RootCredentialsManagement', true, ctx);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DisableOrganizationsRootCredentialsManagement.html */
export function DisableOrganizationsRootCredentialsManagement(
  _input: object,
  ctx: Ctx,
): Promise<DisableOrganizationsRootCredentialsManagementResponse> {
  return turn('RootCredentialsManagement', false, ctx);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_EnableOrganizationsRootSessions.html */
export function EnableOrganizationsRootSessions(
  _input: object,
  ctx: Ctx,
): Promise<EnableOrganizationsRootSessionsResponse> {
  return turn('RootSessions', true, ctx);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_DisableOrganizationsRootSessions.html */
export function DisableOrganizationsRootSessions(
  _input: object,
  ctx: Ctx,
): Promise<DisableOrganizationsRootSessionsResponse> {
  return turn('RootSessions', false, ctx);
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListOrganizationsFeatures.html */
export async function ListOrganizationsFeatures(_input: object, ctx: Ctx): Promise<ListOrganizationsFeaturesResponse> {
  const { Id } = await requireManagedOrganization(ctx, 'AccountNotManagementOrDelegatedAdministratorException');
  return { OrganizationId: Id!, EnabledFeatures: [...(ctx.state.account.organizationsFeatures ?? [])] };
}

/** Turns a feature on or off; nothing happens where it is. */
async function turn(
  feature: FeatureType,
  on: boolean,
  ctx: Ctx,
): Promise<{ OrganizationId: string; EnabledFeatures: FeatureType[] }> {
  const { Id } = await requireManagedOrganization(ctx, 'CallerIsNotManagementAccountException');
  const others = (ctx.state.account.organizationsFeatures ?? []).filter((one) => one !== feature);
  const features = on ? [...others, feature].sort() : others;
  ctx.state.updateAccount((draft) => {
    draft.organizationsFeatures = features;
  });
  return { OrganizationId: Id!, EnabledFeatures: [...features] };
}
