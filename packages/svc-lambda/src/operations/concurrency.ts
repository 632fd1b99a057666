import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/lambda';
import { checkProvisioned, checkReserved } from '../configuration/concurrency.ts';
import { lambdaTime } from '../configuration/configuration.ts';
import type { LambdaContext } from '../context.ts';
import { conflict, functionNotFound, invalidParameterValue, lambdaError } from '../errors.ts';
import { LATEST } from '../function-name.ts';
import { aliasNotFound, targetOf } from '../names.ts';
import { paging } from '../paging.ts';
import type { ProvisionedConcurrencyRecord } from '../records.ts';
import { Executor } from '../runtime/executor.ts';
import type { LambdaState } from '../state.ts';

/**
 * Returns the function of a reserved concurrency request.
 * @param suffix of the ARN in the error about a missing function
 */
function functionTarget(functionName: string, ctx: LambdaContext, suffix?: string) {
  const { state, name, qualifier } = targetOf(ctx.state, functionName);
  if (qualifier !== undefined)
    throw invalidParameterValue(
      'This operation is permitted on Lambda functions only. Aliases and versions do not support this operation. Please specify either a function name or an unqualified function ARN.',
    );
  const record = state.functions.get(name);
  if (!record) throw functionNotFound(state.functionArn(name, suffix));
  return { state, name, record };
}

/** Sets the reserved concurrency of a function. */
export function PutFunctionConcurrency(
  input: InputOf<'PutFunctionConcurrency'>,
  ctx: LambdaContext,
): OutputOf<'PutFunctionConcurrency'> {
  const { state, name } = functionTarget(input.FunctionName, ctx, LATEST);
  const { ReservedConcurrentExecutions: reserved } = input;
  checkReserved(state, name, reserved);
  state.functions.update(name, (draft) => {
    draft.reservedConcurrency = reserved;
  });
  return { ReservedConcurrentExecutions: reserved };
}

/** Returns the reserved concurrency of a function. */
export function GetFunctionConcurrency(
  input: InputOf<'GetFunctionConcurrency'>,
  ctx: LambdaContext,
): OutputOf<'GetFunctionConcurrency'> {
  const { record } = functionTarget(input.FunctionName, ctx);
  return { ReservedConcurrentExecutions: record.reservedConcurrency };
}

/** Removes the reserved concurrency of a function. */
export function DeleteFunctionConcurrency(
  input: InputOf<'DeleteFunctionConcurrency'>,
  ctx: LambdaContext,
): OutputOf<'DeleteFunctionConcurrency'> {
  const { state, name } = functionTarget(input.FunctionName, ctx);
  state.functions.update(name, (draft) => {
    delete draft.reservedConcurrency;
  });
  return {};
}

interface ProvisionedTarget {
  state: LambdaState;
  name: string;
  qualifier: string;
  key: string;
}

const NOT_PUBLISHED = 'The function resource provided must be an alias or a published version.';

/**
 * Returns the version or alias of a request.
 * @param message error message for `$LATEST`
 */
function provisionedTarget(
  input: { FunctionName: string; Qualifier: string },
  ctx: LambdaContext,
  message = NOT_PUBLISHED,
): ProvisionedTarget {
  const { state, name, qualifier = LATEST } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  if (qualifier === LATEST) throw invalidParameterValue(message);
  const key = `${name}:${qualifier}`;
  if (/^\d+$/.test(qualifier)) {
    if (!state.versions.has(key)) throw functionNotFound(state.functionArn(name, qualifier));
  } else if (!state.aliases.has(key)) throw aliasNotFound(state, name, qualifier);
  return { state, name, qualifier, key };
}

/** Rejects provisioned concurrency on both a version and its alias. */
function checkOverlap({ state, name, qualifier, key }: ProvisionedTarget): void {
  const alias = state.aliases.get(key);
  if (alias) {
    if (alias.version === LATEST)
      throw invalidParameterValue(
        'Provisioned Concurrency Configs cannot be applied to unpublished function versions.',
      );
    if (state.provisioned.has(`${name}:${alias.version}`))
      throw conflict("Alias can't be used for Provisioned Concurrency configuration on an already Provisioned version");
    return;
  }
  for (const other of state.aliases.values())
    if (other.functionName === name && other.version === qualifier && state.provisioned.has(`${name}:${other.name}`))
      throw conflict('Version is pointed by a Provisioned Concurrency alias');
}

/** Sets the provisioned concurrency of a version or alias. */
export function PutProvisionedConcurrencyConfig(
  input: InputOf<'PutProvisionedConcurrencyConfig'>,
  ctx: LambdaContext,
): OutputOf<'PutProvisionedConcurrencyConfig'> {
  const unpublished = 'Provisioned Concurrency Configs cannot be applied to unpublished function versions.';
  const target = provisionedTarget(input, ctx, unpublished);
  const { state, name, qualifier, key } = target;
  checkOverlap(target);
  const version = state.versions.get(`${name}:${state.aliases.get(key)?.version ?? qualifier}`);
  // https://docs.aws.amazon.com/lambda/latest/dg/snapstart.html#snapstart-runtimes
  if (version?.config.snapStart === 'PublishedVersions')
    throw invalidParameterValue('Provisioned Concurrency is not supported for SnapStart enabled functions.');
  const { ProvisionedConcurrentExecutions: requested } = input;
  checkProvisioned(state, name, qualifier, requested);
  const modifiedAt = ctx.clock.now();
  state.provisioned.put(key, { functionName: name, qualifier, requested, modifiedAt });
  Executor.of(state).provision(key);
  return {
    RequestedProvisionedConcurrentExecutions: requested,
    AvailableProvisionedConcurrentExecutions: 0,
    AllocatedProvisionedConcurrentExecutions: 0,
    Status: 'IN_PROGRESS',
    LastModified: lambdaTime(modifiedAt),
  };
}

/** Returns the provisioned concurrency with the number of ready environments. */
function shown(state: LambdaState, record: DeepReadonly<ProvisionedConcurrencyRecord>) {
  const { functionName, qualifier, requested, modifiedAt } = record;
  const { ready, done, failure } = Executor.of(state).provisionedState(`${functionName}:${qualifier}`, functionName);
  return {
    RequestedProvisionedConcurrentExecutions: requested,
    AvailableProvisionedConcurrentExecutions: ready,
    AllocatedProvisionedConcurrentExecutions: ready,
    Status: done ? (failure === undefined ? ('READY' as const) : ('FAILED' as const)) : ('IN_PROGRESS' as const),
    ...(failure !== undefined && { StatusReason: failure }),
    LastModified: lambdaTime(modifiedAt),
  };
}

/** Returns the provisioned concurrency of a version or alias. */
export function GetProvisionedConcurrencyConfig(
  input: InputOf<'GetProvisionedConcurrencyConfig'>,
  ctx: LambdaContext,
): OutputOf<'GetProvisionedConcurrencyConfig'> {
  const { state, key } = provisionedTarget(input, ctx);
  const record = state.provisioned.get(key);
  if (!record)
    throw lambdaError(
      'ProvisionedConcurrencyConfigNotFoundException',
      'No Provisioned Concurrency Config found for this function',
    );
  return shown(state, record);
}

/** Removes the provisioned concurrency, if any. */
export function DeleteProvisionedConcurrencyConfig(
  input: InputOf<'DeleteProvisionedConcurrencyConfig'>,
  ctx: LambdaContext,
): OutputOf<'DeleteProvisionedConcurrencyConfig'> {
  const { state, name, key } = provisionedTarget(input, ctx);
  state.provisioned.delete(key);
  state.onVersionsChanged?.(name);
  return {};
}

/** Lists the provisioned concurrency of all versions and aliases of a function. */
export function ListProvisionedConcurrencyConfigs(
  input: InputOf<'ListProvisionedConcurrencyConfigs'>,
  ctx: LambdaContext,
): OutputOf<'ListProvisionedConcurrencyConfigs'> {
  const { state, name } = targetOf(ctx.state, input.FunctionName);
  if (!state.functions.has(name)) throw functionNotFound(state.functionArn(name));
  const records = [...state.provisioned.values()].filter(({ functionName }) => functionName === name);
  return paging
    .page('ListProvisionedConcurrencyConfigs', input, records, ({ qualifier }) => qualifier)
    .list((record) => ({
      FunctionArn: state.functionArn(name, record.qualifier),
      ...shown(state, record),
    }));
}
