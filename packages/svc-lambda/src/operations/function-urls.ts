import type { DeepReadonly } from '@emu/core/service';
import type { FunctionUrlConfig, InputOf, OutputOf } from '@emu/service-types/lambda';
import { lambdaTime } from '../configuration/configuration.ts';
import type { LambdaContext } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { LATEST } from '../function-name.ts';
import { targetOf } from '../names.ts';
import { paging } from '../paging.ts';
import type { FunctionUrlRecord } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { functionUrl } from '../urls/function-url.ts';

const NO_FUNCTION = 'Function does not exist';
const NO_CONFIG = 'The resource you requested does not exist.';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

const urlOf = (record: DeepReadonly<FunctionUrlRecord>, { region }: LambdaState, ctx: LambdaContext): string =>
  functionUrl(record.id, region, ctx.endpoint, ctx.settings.domain);

/** Returns the URL in write responses: with an invoke mode only if one was ever set. */
function written(
  record: DeepReadonly<FunctionUrlRecord>,
  state: LambdaState,
  ctx: LambdaContext,
): Omit<FunctionUrlConfig, 'InvokeMode'> & Pick<OutputOf<'UpdateFunctionUrlConfig'>, 'InvokeMode'> {
  return {
    FunctionUrl: urlOf(record, state, ctx),
    FunctionArn: state.functionArn(record.functionName, record.qualifier),
    AuthType: record.authType,
    ...(record.cors && { Cors: structuredClone(record.cors) as FunctionUrlRecord['cors'] }),
    CreationTime: lambdaTime(record.createdAt),
    LastModifiedTime: lambdaTime(record.modifiedAt),
    ...(record.invokeMode && { InvokeMode: record.invokeMode }),
  };
}

/** Returns the URL in read responses: the invoke mode is BUFFERED by default. */
const shown = (record: DeepReadonly<FunctionUrlRecord>, state: LambdaState, ctx: LambdaContext): FunctionUrlConfig => ({
  InvokeMode: 'BUFFERED',
  ...written(record, state, ctx),
});

interface UrlTarget {
  state: LambdaState;
  name: string;
  qualifier: string | undefined;
  key: string;
}

function urlTarget(input: { FunctionName: string; Qualifier?: string | undefined }, ctx: LambdaContext): UrlTarget {
  const { state, name, qualifier: named } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  // `$LATEST` shares the URL of the function.
  const qualifier = named === LATEST ? undefined : named;
  return { state, name, qualifier, key: `${name}:${qualifier ?? LATEST}` };
}

/** Rejects a missing function or alias. */
function requireTarget({ state, name, qualifier, key }: UrlTarget): void {
  if (!state.functions.has(name) || (qualifier !== undefined && !state.aliases.has(key))) throw notFound(NO_FUNCTION);
}

function find(input: { FunctionName: string; Qualifier?: string | undefined }, ctx: LambdaContext) {
  const target = urlTarget(input, ctx);
  const record = target.state.functionUrls.get(target.key);
  if (!record) throw notFound(NO_CONFIG);
  return { ...target, record };
}

/** Creates the URL of a function or alias. */
export function CreateFunctionUrlConfig(
  input: InputOf<'CreateFunctionUrlConfig'>,
  ctx: LambdaContext,
): OutputOf<'CreateFunctionUrlConfig'> {
  const target = urlTarget(input, ctx);
  requireTarget(target);
  const { state, name, qualifier, key } = target;
  if (state.functionUrls.has(key))
    throw conflict(
      `Failed to create function url config for [functionArn = ${state.functionArn(name, qualifier)}]. Error message:  FunctionUrlConfig exists for this Lambda function`,
    );
  const now = ctx.clock.now();
  const record = state.functionUrls.put(key, {
    functionName: name,
    ...(qualifier !== undefined && { qualifier }),
    id: ctx.ids.chars(32, LETTERS),
    authType: input.AuthType,
    ...(input.InvokeMode && { invokeMode: input.InvokeMode }),
    ...(input.Cors && { cors: input.Cors }),
    createdAt: now,
    modifiedAt: now,
  });
  const { LastModifiedTime: _, ...created } = written(record, state, ctx);
  return created;
}

/** Returns the URL of a function or alias. */
export function GetFunctionUrlConfig(
  input: InputOf<'GetFunctionUrlConfig'>,
  ctx: LambdaContext,
): OutputOf<'GetFunctionUrlConfig'> {
  const { record, state } = find(input, ctx);
  return shown(record, state, ctx);
}

/** Updates a URL. */
export function UpdateFunctionUrlConfig(
  input: InputOf<'UpdateFunctionUrlConfig'>,
  ctx: LambdaContext,
): OutputOf<'UpdateFunctionUrlConfig'> {
  requireTarget(urlTarget(input, ctx));
  const { state, key } = find(input, ctx);
  const record = state.functionUrls.update(key, (draft) => {
    draft.authType = input.AuthType ?? draft.authType;
    if (input.InvokeMode) draft.invokeMode = input.InvokeMode;
    if (input.Cors) draft.cors = input.Cors;
    draft.modifiedAt = ctx.clock.now();
  });
  return written(record, state, ctx);
}

/** Deletes a URL. */
export function DeleteFunctionUrlConfig(
  input: InputOf<'DeleteFunctionUrlConfig'>,
  ctx: LambdaContext,
): OutputOf<'DeleteFunctionUrlConfig'> {
  const { state, key } = find(input, ctx);
  state.functionUrls.delete(key);
  return {};
}

/** Lists the URLs of a function and its aliases. */
export function ListFunctionUrlConfigs(
  input: InputOf<'ListFunctionUrlConfigs'>,
  ctx: LambdaContext,
): OutputOf<'ListFunctionUrlConfigs'> {
  const { state, name } = targetOf(ctx.state, input.FunctionName);
  if (!state.functions.has(name)) throw notFound(NO_FUNCTION);
  const records = [...state.functionUrls.values()].filter(({ functionName }) => functionName === name);
  return paging
    .page('ListFunctionUrlConfigs', input, records, ({ qualifier = '' }) => qualifier)
    .list((record) => shown(record, state, ctx));
}
