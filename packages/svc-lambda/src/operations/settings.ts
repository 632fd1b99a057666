import type { InputOf, OutputOf } from '@emu/service-types/lambda';
import { GIGABYTE, usedCodeStorage } from '../code/code.ts';
import { unreservedConcurrency } from '../configuration/concurrency.ts';
import type { LambdaContext } from '../context.ts';
import { functionNotFound, invalidParameterValue } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { resolveFunction, targetOf } from '../names.ts';
import { CONCURRENCY, STORAGE } from '../quotas.ts';

/** Returns limits and usage of the account in the region. */
export function GetAccountSettings(
  _: InputOf<'GetAccountSettings'>,
  { state }: LambdaContext,
): OutputOf<'GetAccountSettings'> {
  const { service, accountId, region } = state;
  return {
    AccountLimit: {
      TotalCodeSize: service.quotaValue(STORAGE, accountId, region) * GIGABYTE,
      CodeSizeUnzipped: LIMITS.unzippedSize,
      CodeSizeZipped: LIMITS.zippedSize,
      ConcurrentExecutions: service.quotaValue(CONCURRENCY, accountId, region),
      UnreservedConcurrentExecutions: unreservedConcurrency(state),
    },
    AccountUsage: { TotalCodeSize: usedCodeStorage(state), FunctionCount: state.functions.size },
  };
}

function functionTarget(functionName: string, ctx: LambdaContext) {
  const { state, name } = targetOf(ctx.state, functionName);
  const record = state.functions.get(name);
  if (!record) throw functionNotFound(state.functionArn(name));
  return { state, name, record };
}

/** Sets whether recursive loops with a function are stopped. */
export function PutFunctionRecursionConfig(
  input: InputOf<'PutFunctionRecursionConfig'>,
  ctx: LambdaContext,
): OutputOf<'PutFunctionRecursionConfig'> {
  const { state, name } = functionTarget(input.FunctionName, ctx);
  const { recursiveLoop } = state.functions.update(name, (draft) => {
    draft.recursiveLoop = input.RecursiveLoop;
  });
  return { RecursiveLoop: recursiveLoop };
}

/** Returns whether recursive loops with a function are stopped. */
export function GetFunctionRecursionConfig(
  input: InputOf<'GetFunctionRecursionConfig'>,
  ctx: LambdaContext,
): OutputOf<'GetFunctionRecursionConfig'> {
  return { RecursiveLoop: functionTarget(input.FunctionName, ctx).record.recursiveLoop };
}

/** Sets the runtime update mode of a version. */
export function PutRuntimeManagementConfig(
  input: InputOf<'PutRuntimeManagementConfig'>,
  ctx: LambdaContext,
): OutputOf<'PutRuntimeManagementConfig'> {
  const { state, version, qualifier } = resolveFunction(ctx.state, input.FunctionName, input.Qualifier);
  const { UpdateRuntimeOn: updateRuntimeOn, RuntimeVersionArn: arn } = input;
  if (version.config.packageType === 'Image')
    throw invalidParameterValue('Runtime management is not supported for functions of package type Image.');
  if (updateRuntimeOn === 'Manual' && arn === undefined)
    throw invalidParameterValue('RuntimeVersionArn is required when UpdateRuntimeOn is Manual.');
  if (updateRuntimeOn !== 'Manual' && arn !== undefined)
    throw invalidParameterValue('RuntimeVersionArn can be specified only when UpdateRuntimeOn is Manual.');
  state.versions.update(`${version.functionName}:${version.version}`, (draft) => {
    draft.runtimeManagement = { updateRuntimeOn, ...(arn !== undefined && { runtimeVersionArn: arn }) };
  });
  return {
    UpdateRuntimeOn: updateRuntimeOn,
    FunctionArn: state.functionArn(version.functionName, qualifier),
    ...(arn !== undefined && { RuntimeVersionArn: arn }),
  };
}

/** Returns the runtime update mode of a version. */
export function GetRuntimeManagementConfig(
  input: InputOf<'GetRuntimeManagementConfig'>,
  ctx: LambdaContext,
): OutputOf<'GetRuntimeManagementConfig'> {
  const { state, version, qualifier } = resolveFunction(ctx.state, input.FunctionName, input.Qualifier);
  // The runtime version is only returned if the user selected it.
  const { updateRuntimeOn = 'Auto' as const, runtimeVersionArn: arn } = version.runtimeManagement ?? {};
  return {
    UpdateRuntimeOn: updateRuntimeOn,
    FunctionArn: state.functionArn(version.functionName, qualifier),
    ...(arn !== undefined && { RuntimeVersionArn: arn }),
  };
}

/** Returns a published version of a function on a capacity provider. */
function managedVersion(input: { FunctionName: string; Qualifier: string }, ctx: LambdaContext) {
  const found = resolveFunction(ctx.state, input.FunctionName, input.Qualifier);
  if (!found.version.config.capacityProvider)
    throw invalidParameterValue(
      'Function scaling configuration is supported for functions that run on a capacity provider only.',
    );
  return found;
}

/** Sets the scaling limits of a version on its capacity provider. */
export function PutFunctionScalingConfig(
  input: InputOf<'PutFunctionScalingConfig'>,
  ctx: LambdaContext,
): OutputOf<'PutFunctionScalingConfig'> {
  const { state, version } = managedVersion(input, ctx);
  const { MinExecutionEnvironments: min, MaxExecutionEnvironments: max } = input.FunctionScalingConfig ?? {};
  if (min !== undefined && max !== undefined && min > max)
    throw invalidParameterValue('MinExecutionEnvironments must not be greater than MaxExecutionEnvironments.');
  state.versions.update(`${version.functionName}:${version.version}`, (draft) => {
    if (min === undefined && max === undefined) delete draft.scaling;
    else draft.scaling = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  });
  return { FunctionState: 'Active' };
}

/** Returns the scaling limits of a version on its capacity provider. */
export function GetFunctionScalingConfig(
  input: InputOf<'GetFunctionScalingConfig'>,
  ctx: LambdaContext,
): OutputOf<'GetFunctionScalingConfig'> {
  const { state, version } = managedVersion(input, ctx);
  const { scaling } = version;
  const config = scaling && { MinExecutionEnvironments: scaling.min, MaxExecutionEnvironments: scaling.max };
  return {
    FunctionArn: state.functionArn(version.functionName, version.version),
    ...(config && { AppliedFunctionScalingConfig: config, RequestedFunctionScalingConfig: config }),
  };
}
