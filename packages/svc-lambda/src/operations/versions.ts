import { numericKey } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/lambda';
import { configurationOf, listed } from '../configuration/configuration.ts';
import type { LambdaContext } from '../context.ts';
import { checkRevision, functionNotFound, invalidParameterValue } from '../errors.ts';
import { LATEST } from '../function-name.ts';
import { targetOf } from '../names.ts';
import { paging } from '../paging.ts';
import type { Version } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { latestOf, publishLatest, publishVersion, versionsOf } from '../versions.ts';

/** Publishes `$LATEST` as an immutable version. */
export function PublishVersion(input: InputOf<'PublishVersion'>, ctx: LambdaContext): OutputOf<'PublishVersion'> {
  const { state, name, qualifier } = targetOf(ctx.state, input.FunctionName);
  if (!state.functions.has(name)) throw functionNotFound(state.functionArn(name, qualifier));
  const latest = latestOf(state, name);
  checkRevision(input.RevisionId, latest.revisionId, 'GetFunction/GetAlias');
  const { sha256 } = latest.code;
  if (input.CodeSha256 && input.CodeSha256 !== sha256)
    throw invalidParameterValue(
      `CodeSHA256 (${input.CodeSha256}) is different from current CodeSHA256 in $LATEST (${sha256}). Please try again with the CodeSHA256 in $LATEST.`,
    );
  if (input.PublishTo !== undefined) {
    if (!latest.config.capacityProvider)
      throw invalidParameterValue('PublishTo is supported for functions that run on a capacity provider only.');
    return configurationOf(state, publishLatest(state, name, input.Description));
  }
  return configurationOf(state, publishVersion(state, name, input.Description));
}

/** Lists the versions of a function: `$LATEST` and published ones. */
export function ListVersionsByFunction(
  input: InputOf<'ListVersionsByFunction'>,
  ctx: LambdaContext,
): OutputOf<'ListVersionsByFunction'> {
  const { state, name } = targetOf(ctx.state, input.FunctionName);
  if (!state.functions.has(name)) throw functionNotFound(state.functionArn(name));
  return paging
    .page('ListVersionsByFunction', input, versionsOf(state, name), versionKey)
    .list((version) => listed(state, version, version.version));
}

/** Sorts `$LATEST` before numbers. */
const versionKey = ({ version }: Version): string => (version.startsWith('$') ? version : numericKey(Number(version)));

/** Lists the functions of the account and region, or all of their versions. */
export function ListFunctions(input: InputOf<'ListFunctions'>, ctx: LambdaContext): OutputOf<'ListFunctions'> {
  const { state } = ctx;
  const all = input.FunctionVersion === 'ALL';
  if (input.MasterRegion !== undefined && !all)
    throw invalidParameterValue('FunctionVersion must be set to ALL if MasterRegion is specified.');
  // Only Lambda@Edge replicas have a master region; emu creates none.
  const replicasOnly = input.MasterRegion !== undefined && input.MasterRegion !== 'ALL';
  const versions = replicasOnly ? [] : [...listedVersions(state, all)];
  return paging
    .page('ListFunctions', input, versions, (v) => `${v.functionName}:${versionKey(v)}`)
    .list((version) => listed(state, version, all ? version.version : undefined));
}

function* listedVersions(state: LambdaState, all: boolean): Generator<Version> {
  for (const version of state.versions.values()) if (all || version.version === LATEST) yield version;
}
