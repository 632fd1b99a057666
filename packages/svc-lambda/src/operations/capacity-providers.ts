import { type DeepReadonly, numericKey, type Place } from '@emu/core/service';
import type { CapacityProvider, CapacityProviderScalingConfig, InputOf, OutputOf } from '@emu/service-types/lambda';
import { lambdaTime } from '../configuration/configuration.ts';
import type { LambdaContext } from '../context.ts';
import { conflict, invalidParameterValue, lambdaError, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import type { CapacityProviderRecord, Version } from '../records.ts';
import { capacityProviderAddress, capacityProviderType } from '../resources.ts';
import type { LambdaState } from '../state.ts';
import { tagging } from '../tags.ts';

type Provider = DeepReadonly<CapacityProviderRecord>;

/** AWS's limit per account and region. */
const MAX_PROVIDERS = 1000;

const arnOf = (state: LambdaState, name: string): string => capacityProviderType.arn({ name }, state);

function shown(state: LambdaState, provider: Provider, status: CapacityProvider['State'] = 'Active'): CapacityProvider {
  const copy = structuredClone(provider) as CapacityProviderRecord;
  return {
    CapacityProviderArn: arnOf(state, copy.name),
    State: status,
    VpcConfig: copy.vpcConfig,
    PermissionsConfig: copy.permissionsConfig,
    ...(copy.instanceRequirements && { InstanceRequirements: copy.instanceRequirements }),
    ...(copy.scalingConfig && { CapacityProviderScalingConfig: copy.scalingConfig }),
    ...(copy.kmsKeyArn && { KmsKeyArn: copy.kmsKeyArn }),
    LastModified: lambdaTime(copy.modifiedAt),
  };
}

const isHere = ({ accountId, region }: Place, state: LambdaState): boolean =>
  accountId === state.accountId && region === state.region;

function find(nameOrArn: string, { state }: LambdaContext): Provider {
  const { key, place } = capacityProviderAddress(nameOrArn, state);
  const provider = isHere(place, state) ? state.capacityProviders.get(key.name) : undefined;
  if (!provider) throw notFound(`Capacity provider not found: ${capacityProviderType.arn(key, place)}`);
  return provider;
}

/** Returns the function versions on a capacity provider. */
const versionsOn = (state: LambdaState, name: string): Version[] =>
  [...state.versions.values()].filter(
    ({ config }) =>
      config.capacityProvider?.LambdaManagedInstancesCapacityProviderConfig.CapacityProviderArn === arnOf(state, name),
  );

function checkScaling(scaling: CapacityProviderScalingConfig | undefined): void {
  if (scaling?.ScalingMode === 'Manual' && !scaling.ScalingPolicies?.length)
    throw invalidParameterValue('ScalingPolicies are required when ScalingMode is Manual.');
  if (scaling?.ScalingMode !== 'Manual' && scaling?.ScalingPolicies?.length)
    throw invalidParameterValue('ScalingPolicies can be specified only when ScalingMode is Manual.');
}

/** Creates a capacity provider. */
export function CreateCapacityProvider(
  input: InputOf<'CreateCapacityProvider'>,
  ctx: LambdaContext,
): OutputOf<'CreateCapacityProvider'> {
  const { state } = ctx;
  const { key, place } = capacityProviderAddress(input.CapacityProviderName, state);
  const { name } = key;
  if (!isHere(place, state))
    throw invalidParameterValue(`Capacity provider is not of this account and region: ${input.CapacityProviderName}`);
  if (state.capacityProviders.has(name)) throw conflict(`Capacity provider already exists: ${arnOf(state, name)}`);
  if (state.capacityProviders.size >= MAX_PROVIDERS)
    throw lambdaError(
      'CapacityProviderLimitExceededException',
      `The maximum number of capacity providers (${MAX_PROVIDERS}) has been exceeded.`,
    );
  const tags = tagging.merge(undefined, input.Tags);
  checkScaling(input.CapacityProviderScalingConfig);
  const { AllowedInstanceTypes, ExcludedInstanceTypes } = input.InstanceRequirements ?? {};
  if (AllowedInstanceTypes?.length && ExcludedInstanceTypes?.length)
    throw invalidParameterValue('AllowedInstanceTypes and ExcludedInstanceTypes must not be specified together.');
  const provider = state.capacityProviders.put(name, {
    name,
    vpcConfig: input.VpcConfig,
    permissionsConfig: input.PermissionsConfig,
    ...(input.InstanceRequirements && { instanceRequirements: input.InstanceRequirements }),
    ...(input.CapacityProviderScalingConfig && { scalingConfig: input.CapacityProviderScalingConfig }),
    ...(input.KmsKeyArn && { kmsKeyArn: input.KmsKeyArn }),
    tags,
    modifiedAt: ctx.clock.now(),
  });
  return { CapacityProvider: shown(state, provider, 'Pending') };
}

/** Returns a capacity provider. */
export function GetCapacityProvider(
  input: InputOf<'GetCapacityProvider'>,
  ctx: LambdaContext,
): OutputOf<'GetCapacityProvider'> {
  return { CapacityProvider: shown(ctx.state, find(input.CapacityProviderName, ctx)) };
}

/** Updates the scaling of a capacity provider. */
export function UpdateCapacityProvider(
  input: InputOf<'UpdateCapacityProvider'>,
  ctx: LambdaContext,
): OutputOf<'UpdateCapacityProvider'> {
  const { state } = ctx;
  const { name } = find(input.CapacityProviderName, ctx);
  checkScaling(input.CapacityProviderScalingConfig);
  const provider = state.capacityProviders.update(name, (draft) => {
    if (input.CapacityProviderScalingConfig) draft.scalingConfig = input.CapacityProviderScalingConfig;
    draft.modifiedAt = ctx.clock.now();
  });
  return { CapacityProvider: shown(state, provider) };
}

/** Deletes a capacity provider without functions. */
export function DeleteCapacityProvider(
  input: InputOf<'DeleteCapacityProvider'>,
  ctx: LambdaContext,
): OutputOf<'DeleteCapacityProvider'> {
  const { state } = ctx;
  const provider = find(input.CapacityProviderName, ctx);
  if (versionsOn(state, provider.name).length)
    throw conflict(
      `Capacity provider ${arnOf(state, provider.name)} cannot be deleted because function versions use it.`,
    );
  state.capacityProviders.delete(provider.name);
  return { CapacityProvider: shown(state, provider, 'Deleting') };
}

/** Lists the capacity providers of the account and region. */
export function ListCapacityProviders(
  input: InputOf<'ListCapacityProviders'>,
  ctx: LambdaContext,
): OutputOf<'ListCapacityProviders'> {
  const { state } = ctx;
  // emu's providers are active immediately.
  const providers = input.State === undefined || input.State === 'Active' ? state.capacityProviders.values() : [];
  return paging
    .page('ListCapacityProviders', input, providers, ({ name }) => name)
    .list((provider) => shown(state, provider));
}

/** Lists the function versions on a capacity provider. */
export function ListFunctionVersionsByCapacityProvider(
  input: InputOf<'ListFunctionVersionsByCapacityProvider'>,
  ctx: LambdaContext,
): OutputOf<'ListFunctionVersionsByCapacityProvider'> {
  const { state } = ctx;
  const { name } = find(input.CapacityProviderName, ctx);
  const { items, next } = paging.page(
    'ListFunctionVersionsByCapacityProvider',
    input,
    versionsOn(state, name),
    ({ functionName, version }) => `${functionName}:${/^\d+$/.test(version) ? numericKey(Number(version)) : version}`,
  );
  return {
    CapacityProviderArn: arnOf(state, name),
    FunctionVersions: items.map(({ functionName, version }) => ({
      FunctionArn: state.functionArn(functionName, version),
      State: 'Active' as const,
    })),
    ...next,
  };
}
