import type { DeepReadonly } from '@emu/core/service';
import type { FunctionEventInvokeConfig, InputOf, OutputOf } from '@emu/service-types/lambda';
import type { LambdaContext } from '../context.ts';
import { checkDestinations, shownDestinations } from '../destinations.ts';
import { invalidParameterValue, notFound } from '../errors.ts';
import { LATEST } from '../function-name.ts';
import { targetOf } from '../names.ts';
import { paging } from '../paging.ts';
import type { EventInvokeRecord } from '../records.ts';
import type { LambdaState } from '../state.ts';

const NO_FUNCTION = "The function doesn't exist.";

interface Target {
  state: LambdaState;
  name: string;
  qualifier: string;
  key: string;
}

function configTarget(input: { FunctionName: string; Qualifier?: string | undefined }, ctx: LambdaContext): Target {
  const { state, name, qualifier = LATEST } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  return { state, name, qualifier, key: `${name}:${qualifier}` };
}

/** Rejects a missing version or alias. */
function requireTarget({ state, key }: Target): void {
  if (!state.versions.has(key) && !state.aliases.has(key)) throw notFound(NO_FUNCTION);
}

function find(target: Target): DeepReadonly<EventInvokeRecord> {
  const { state, name, qualifier, key } = target;
  const record = state.eventInvokeConfigs.get(key);
  if (!record) throw notFound(`The function ${state.functionArn(name, qualifier)} doesn't have an EventInvokeConfig`);
  return record;
}

function shown(state: LambdaState, record: DeepReadonly<EventInvokeRecord>): FunctionEventInvokeConfig {
  return {
    FunctionArn: state.functionArn(record.functionName, record.qualifier),
    LastModified: new Date(record.modifiedAt),
    DestinationConfig: shownDestinations(record.destinations),
    MaximumRetryAttempts: record.maximumRetryAttempts,
    MaximumEventAgeInSeconds: record.maximumEventAgeInSeconds,
  };
}

/** Applies a request; omitted members keep their value of `before`. */
function put(
  input: InputOf<'PutFunctionEventInvokeConfig'>,
  { state, name, qualifier, key }: Target,
  before: DeepReadonly<EventInvokeRecord> | undefined,
): FunctionEventInvokeConfig {
  const { DestinationConfig, MaximumRetryAttempts, MaximumEventAgeInSeconds } = input;
  if (DestinationConfig === undefined && MaximumRetryAttempts === undefined && MaximumEventAgeInSeconds === undefined)
    throw invalidParameterValue('You must specify at least one of error handling or destination setting.');
  if (DestinationConfig) checkDestinations(DestinationConfig, state, name);
  const retries = MaximumRetryAttempts ?? before?.maximumRetryAttempts;
  const age = MaximumEventAgeInSeconds ?? before?.maximumEventAgeInSeconds;
  const record = state.eventInvokeConfigs.put(key, {
    functionName: name,
    qualifier,
    ...(retries !== undefined && { maximumRetryAttempts: retries }),
    ...(age !== undefined && { maximumEventAgeInSeconds: age }),
    destinations: { ...before?.destinations, ...DestinationConfig },
    modifiedAt: state.clock.now(),
  });
  return shown(state, record);
}

/** Replaces the asynchronous invocation settings. */
export function PutFunctionEventInvokeConfig(
  input: InputOf<'PutFunctionEventInvokeConfig'>,
  ctx: LambdaContext,
): OutputOf<'PutFunctionEventInvokeConfig'> {
  const target = configTarget(input, ctx);
  requireTarget(target);
  return put(input, target, undefined);
}

/** Updates the asynchronous invocation settings. */
export function UpdateFunctionEventInvokeConfig(
  input: InputOf<'UpdateFunctionEventInvokeConfig'>,
  ctx: LambdaContext,
): OutputOf<'UpdateFunctionEventInvokeConfig'> {
  const target = configTarget(input, ctx);
  requireTarget(target);
  return put(input, target, find(target));
}

/** Returns the asynchronous invocation settings of a function, version or alias. */
export function GetFunctionEventInvokeConfig(
  input: InputOf<'GetFunctionEventInvokeConfig'>,
  ctx: LambdaContext,
): OutputOf<'GetFunctionEventInvokeConfig'> {
  const target = configTarget(input, ctx);
  return shown(target.state, find(target));
}

/** Resets the settings to Lambda's defaults. */
export function DeleteFunctionEventInvokeConfig(
  input: InputOf<'DeleteFunctionEventInvokeConfig'>,
  ctx: LambdaContext,
): OutputOf<'DeleteFunctionEventInvokeConfig'> {
  const target = configTarget(input, ctx);
  find(target);
  target.state.eventInvokeConfigs.delete(target.key);
  return {};
}

/** Lists the settings of a function, its versions and aliases. */
export function ListFunctionEventInvokeConfigs(
  input: InputOf<'ListFunctionEventInvokeConfigs'>,
  ctx: LambdaContext,
): OutputOf<'ListFunctionEventInvokeConfigs'> {
  const { state, name } = targetOf(ctx.state, input.FunctionName);
  if (!state.functions.has(name)) throw notFound(NO_FUNCTION);
  const records = [...state.eventInvokeConfigs.values()].filter(({ functionName }) => functionName === name);
  return paging
    .page('ListFunctionEventInvokeConfigs', input, records, ({ qualifier }) => qualifier)
    .list((record) => shown(state, record));
}
