import type { AliasConfiguration, AliasRoutingConfiguration, InputOf, OutputOf } from '@emu/service-types/lambda';
import type { LambdaContext } from '../context.ts';
import { checkRevision, conflict, functionNotFound, invalidParameterValue, notFound, plainError } from '../errors.ts';
import { LATEST } from '../function-name.ts';
import { aliasNotFound, targetOf } from '../names.ts';
import { paging } from '../paging.ts';
import type { Alias } from '../records.ts';
import type { LambdaState } from '../state.ts';

function shown(state: LambdaState, alias: Alias): AliasConfiguration {
  return {
    AliasArn: state.functionArn(alias.functionName, alias.name),
    Name: alias.name,
    FunctionVersion: alias.version,
    Description: alias.description,
    ...(Object.keys(alias.weights).length && { RoutingConfig: { AdditionalVersionWeights: { ...alias.weights } } }),
    RevisionId: alias.revisionId,
  };
}

/** Rejects missing versions, and invalid ones for weighted routing. */
function checkVersions(state: LambdaState, name: string, version: string, weights: Record<string, number>): void {
  const others = Object.keys(weights);
  if (others.length > 1)
    throw invalidParameterValue('Number of items in AdditionalVersionWeights cannot be greater than 1');
  if (others.length && version === LATEST)
    throw plainError(
      'InvalidParameterValueException',
      '$LATEST is not supported for an alias pointing to more than 1 version',
    );
  for (const number of [version, ...others])
    if (!state.versions.has(`${name}:${number}`)) throw functionNotFound(state.functionArn(name, number));
  if (others.includes(version))
    throw invalidParameterValue(
      `Invalid function version ${version}. Function version ${version} is already included in routing configuration.`,
    );
}

const weightsOf = (routing: AliasRoutingConfiguration | undefined): Record<string, number> => ({
  ...routing?.AdditionalVersionWeights,
});

/** Creates an alias. */
export function CreateAlias(input: InputOf<'CreateAlias'>, ctx: LambdaContext): OutputOf<'CreateAlias'> {
  const { state, name } = targetOf(ctx.state, input.FunctionName);
  const { Name, FunctionVersion: version } = input;
  const weights = weightsOf(input.RoutingConfig);
  checkVersions(state, name, version, weights);
  const key = `${name}:${Name}`;
  if (state.aliases.has(key)) throw conflict(`Alias already exists: ${state.functionArn(name, Name)}`);
  const alias = state.aliases.put(key, {
    functionName: name,
    name: Name,
    version,
    description: input.Description ?? '',
    weights,
    revisionId: ctx.ids.uuid(),
  });
  return shown(state, alias);
}

/** Returns an alias. */
export function GetAlias(input: InputOf<'GetAlias'>, ctx: LambdaContext): OutputOf<'GetAlias'> {
  const { state, name } = targetOf(ctx.state, input.FunctionName);
  const alias = state.aliases.get(`${name}:${input.Name}`);
  if (!alias) throw aliasNotFound(state, name, input.Name);
  return shown(state, alias);
}

/** Lists the aliases of a function or of one version. */
export function ListAliases(input: InputOf<'ListAliases'>, ctx: LambdaContext): OutputOf<'ListAliases'> {
  const { state, name } = targetOf(ctx.state, input.FunctionName);
  if (!state.functions.has(name)) throw functionNotFound(state.functionArn(name));
  const { FunctionVersion: version } = input;
  const aliases = [...state.aliases.values()].filter(
    (alias) =>
      alias.functionName === name && (version === undefined || alias.version === version || version in alias.weights),
  );
  return paging.page('ListAliases', input, aliases, (alias) => alias.name).list((alias) => shown(state, alias));
}

/** Updates an alias: its version, description or weights. */
export function UpdateAlias(input: InputOf<'UpdateAlias'>, ctx: LambdaContext): OutputOf<'UpdateAlias'> {
  const { state, name } = targetOf(ctx.state, input.FunctionName);
  const key = `${name}:${input.Name}`;
  const alias = state.aliases.get(key);
  if (!alias) throw notFound(`Alias not found: ${state.functionArn(name, input.Name)}`);
  checkRevision(input.RevisionId, alias.revisionId, 'GetFunction/GetAlias');
  const version = input.FunctionVersion ?? alias.version;
  const weights = input.RoutingConfig ? weightsOf(input.RoutingConfig) : { ...alias.weights };
  checkVersions(state, alias.functionName, version, weights);
  const changed = state.aliases.update(key, (draft) => {
    draft.version = version;
    draft.weights = weights;
    draft.description = input.Description ?? alias.description;
    draft.revisionId = ctx.ids.uuid();
  });
  state.onVersionsChanged?.(name);
  return shown(state, changed);
}

/** Deletes an alias with its settings; has no effect if it is missing. */
export function DeleteAlias(input: InputOf<'DeleteAlias'>, ctx: LambdaContext): OutputOf<'DeleteAlias'> {
  const { state, name } = targetOf(ctx.state, input.FunctionName);
  const key = `${name}:${input.Name}`;
  for (const collection of [state.aliases, state.policies, state.eventInvokeConfigs, state.provisioned])
    collection.delete(key);
  state.onVersionsChanged?.(name);
  return {};
}
