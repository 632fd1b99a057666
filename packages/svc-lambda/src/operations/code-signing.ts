import type { DeepReadonly } from '@emu/core/service';
import type { CodeSigningConfig, InputOf, OutputOf } from '@emu/service-types/lambda';
import { findCodeSigningConfig, requireCodeSigningConfig } from '../code/code-signing.ts';
import { lambdaTime } from '../configuration/configuration.ts';
import type { LambdaContext } from '../context.ts';
import { conflict, functionNotFound, plainError } from '../errors.ts';
import { targetOf } from '../names.ts';
import { paging } from '../paging.ts';
import type { CodeSigningConfigRecord } from '../records.ts';
import { codeSigningConfigType } from '../resources.ts';
import type { LambdaState } from '../state.ts';
import { tagging } from '../tags.ts';

type Config = DeepReadonly<CodeSigningConfigRecord>;

const arnOf = (state: LambdaState, { id }: Config): string => codeSigningConfigType.arn({ id }, state);

const shown = (state: LambdaState, config: Config): CodeSigningConfig => ({
  CodeSigningConfigId: config.id,
  CodeSigningConfigArn: arnOf(state, config),
  ...(config.description !== undefined && { Description: config.description }),
  AllowedPublishers: { SigningProfileVersionArns: [...config.profileArns] },
  CodeSigningPolicies: { UntrustedArtifactOnDeployment: config.untrustedArtifactOnDeployment },
  LastModified: lambdaTime(config.modifiedAt),
});

function find(state: LambdaState, arn: string): Config {
  const config = findCodeSigningConfig(state, arn);
  // This error has no `Type` on AWS.
  if (!config)
    throw plainError('ResourceNotFoundException', `The Lambda code signing configuration ${arn} can not be found.`);
  return config;
}

const usersOf = (state: LambdaState, arn: string) =>
  [...state.functions.values()].filter(({ codeSigningConfigArn }) => codeSigningConfigArn === arn);

/** Creates a code signing configuration. */
export function CreateCodeSigningConfig(
  input: InputOf<'CreateCodeSigningConfig'>,
  ctx: LambdaContext,
): OutputOf<'CreateCodeSigningConfig'> {
  const tags = tagging.merge(undefined, input.Tags);
  const id = `csc-${ctx.ids.hex(17)}`;
  const config = ctx.state.codeSigningConfigs.put(id, {
    id,
    ...(input.Description !== undefined && { description: input.Description }),
    profileArns: input.AllowedPublishers.SigningProfileVersionArns,
    untrustedArtifactOnDeployment: input.CodeSigningPolicies?.UntrustedArtifactOnDeployment ?? 'Warn',
    modifiedAt: ctx.clock.now(),
    tags,
  });
  return { CodeSigningConfig: shown(ctx.state, config) };
}

/** Returns a code signing configuration. */
export function GetCodeSigningConfig(
  input: InputOf<'GetCodeSigningConfig'>,
  { state }: LambdaContext,
): OutputOf<'GetCodeSigningConfig'> {
  return { CodeSigningConfig: shown(state, find(state, input.CodeSigningConfigArn)) };
}

/** Updates a code signing configuration. */
export function UpdateCodeSigningConfig(
  input: InputOf<'UpdateCodeSigningConfig'>,
  { state, clock }: LambdaContext,
): OutputOf<'UpdateCodeSigningConfig'> {
  const { id } = find(state, input.CodeSigningConfigArn);
  const config = state.codeSigningConfigs.update(id, (draft) => {
    if (input.Description !== undefined) draft.description = input.Description;
    draft.profileArns = input.AllowedPublishers?.SigningProfileVersionArns ?? draft.profileArns;
    draft.untrustedArtifactOnDeployment =
      input.CodeSigningPolicies?.UntrustedArtifactOnDeployment ?? draft.untrustedArtifactOnDeployment;
    draft.modifiedAt = clock.now();
  });
  return { CodeSigningConfig: shown(state, config) };
}

/** Deletes an unused code signing configuration. */
export function DeleteCodeSigningConfig(
  input: InputOf<'DeleteCodeSigningConfig'>,
  { state }: LambdaContext,
): OutputOf<'DeleteCodeSigningConfig'> {
  const config = find(state, input.CodeSigningConfigArn);
  if (usersOf(state, arnOf(state, config)).length)
    throw conflict(
      'Unable to delete the code signing configuration because it is associated with one or more functions.',
    );
  state.codeSigningConfigs.delete(config.id);
  return {};
}

/** Lists the code signing configurations of the account and region. */
export function ListCodeSigningConfigs(
  input: InputOf<'ListCodeSigningConfigs'>,
  ctx: LambdaContext,
): OutputOf<'ListCodeSigningConfigs'> {
  const { state } = ctx;
  return paging
    .page('ListCodeSigningConfigs', input, state.codeSigningConfigs.values(), ({ id }) => id)
    .list((config) => shown(state, config));
}

/** Lists the functions that use a code signing configuration. */
export function ListFunctionsByCodeSigningConfig(
  input: InputOf<'ListFunctionsByCodeSigningConfig'>,
  ctx: LambdaContext,
): OutputOf<'ListFunctionsByCodeSigningConfig'> {
  const { state } = ctx;
  const config = find(state, input.CodeSigningConfigArn);
  return paging
    .page('ListFunctionsByCodeSigningConfig', input, usersOf(state, arnOf(state, config)), ({ name }) => name)
    .list(({ name }) => state.functionArn(name));
}

function functionTarget(functionName: string, ctx: LambdaContext) {
  const { state, name } = targetOf(ctx.state, functionName);
  const record = state.functions.get(name);
  if (!record) throw functionNotFound(state.functionArn(name));
  return { state, name, record };
}

/** Sets the code signing configuration of a function. */
export function PutFunctionCodeSigningConfig(
  input: InputOf<'PutFunctionCodeSigningConfig'>,
  ctx: LambdaContext,
): OutputOf<'PutFunctionCodeSigningConfig'> {
  const { CodeSigningConfigArn } = input;
  requireCodeSigningConfig(ctx.state, CodeSigningConfigArn);
  const { state, name } = functionTarget(input.FunctionName, ctx);
  state.functions.update(name, (draft) => {
    draft.codeSigningConfigArn = CodeSigningConfigArn;
  });
  return { CodeSigningConfigArn, FunctionName: name };
}

/** Returns the code signing configuration of a function; an empty response without one. */
export function GetFunctionCodeSigningConfig(
  input: InputOf<'GetFunctionCodeSigningConfig'>,
  ctx: LambdaContext,
): OutputOf<'GetFunctionCodeSigningConfig'> {
  const { name, record } = functionTarget(input.FunctionName, ctx);
  const { codeSigningConfigArn } = record;
  // Both members are required in the model, yet AWS omits them.
  if (codeSigningConfigArn === undefined) return {} as OutputOf<'GetFunctionCodeSigningConfig'>;
  return { CodeSigningConfigArn: codeSigningConfigArn, FunctionName: name };
}

/** Removes the code signing configuration of a function, if any. */
export function DeleteFunctionCodeSigningConfig(
  input: InputOf<'DeleteFunctionCodeSigningConfig'>,
  ctx: LambdaContext,
): OutputOf<'DeleteFunctionCodeSigningConfig'> {
  const { state, name } = functionTarget(input.FunctionName, ctx);
  state.functions.update(name, (draft) => {
    delete draft.codeSigningConfigArn;
  });
  return {};
}
