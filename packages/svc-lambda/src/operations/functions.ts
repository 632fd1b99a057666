import { pathToFileURL } from 'node:url';
import type { FunctionConfiguration, InputOf, OutputOf } from '@emu/service-types/lambda';
import { violationText } from '@emu/wire';
import { imageCode, storePackage } from '../code/code.ts';
import { checkSignature, requireCodeSigningConfig } from '../code/code-signing.ts';
import { HOT_RELOAD, hotReloadCode } from '../code/hot-reload.ts';
import { loadLayers } from '../code/layer-imports.ts';
import { checkTotalSize } from '../code/layers.ts';
import { applyLayers, changedConfig, newConfig } from '../configuration/config.ts';
import { changing, configurationOf } from '../configuration/configuration.ts';
import { checkExecutionRole } from '../configuration/role.ts';
import type { LambdaContext } from '../context.ts';
import { checkRevision, conflict, functionNotFound, invalidParameterValue } from '../errors.ts';
import { LATEST } from '../function-name.ts';
import { codeUrl, requireNotDeleted } from '../lookup.ts';
import { resolveFunction, targetOf } from '../names.ts';
import type { CodeRecord, Version, VersionConfig } from '../records.ts';
import { Executor } from '../runtime/executor.ts';
import { ExecutionHost } from '../runtime/host.ts';
import type { LambdaState } from '../state.ts';
import { tagging } from '../tags.ts';
import { changeLatest, latestOf, publishLatest, publishVersion, removeFunction, removeVersion } from '../versions.ts';

const REVISIONS = 'GetFunction/GetAlias';

/** Creates a function. */
export async function CreateFunction(
  input: InputOf<'CreateFunction'>,
  ctx: LambdaContext,
): Promise<OutputOf<'CreateFunction'>> {
  const { state } = ctx;
  const { name } = targetOf(state, input.FunctionName);
  if (name.length > 64)
    throw invalidParameterValue(
      violationText('functionName', 'Member must have length less than or equal to 64', name),
    );
  const refuseExisting = () => {
    if (state.functions.has(name)) throw conflict(`Function already exist: ${name}`);
  };
  refuseExisting();
  const tags = tagging.merge(undefined, input.Tags);
  const config = await newConfig({ ...input, FunctionName: name }, ctx);
  if (input.CodeSigningConfigArn) requireCodeSigningConfig(state, input.CodeSigningConfigArn);
  await checkExecutionRole(config.role, ctx);
  await loadLayers(input.Layers ?? [], state);
  const code = await signedCode(name, input.CodeSigningConfigArn, await codeOf(config, input.Code, ctx), ctx);
  return storeAndReleaseCode(code, ctx, () => {
    refuseExisting();
    applyLayers(name, config, input.Layers, code.unzippedSize, ctx);
    const now = ctx.clock.now();
    state.functions.put(name, {
      name,
      createdAt: now,
      lastVersion: 0,
      tags,
      recursiveLoop: 'Terminate',
      ...(input.CodeSigningConfigArn && { codeSigningConfigArn: input.CodeSigningConfigArn }),
    });
    const latest = state.versions.put(`${name}:${LATEST}`, {
      functionName: name,
      version: LATEST,
      config,
      code,
      revisionId: ctx.ids.uuid(),
      contentId: ctx.ids.uuid(),
      modifiedAt: now,
    });
    const shown = publishIfRequested(input, state, name) ?? latest;
    return {
      ...configurationOf(state, shown),
      FunctionArn: state.functionArn(name),
      ...changing('Creating', state),
    };
  });
}

/** Returns the code of a request. */
async function codeOf(
  { packageType }: Pick<VersionConfig, 'packageType'>,
  source: InputOf<'CreateFunction'>['Code'],
  ctx: LambdaContext,
): Promise<CodeRecord> {
  if (packageType === 'Zip')
    return source.S3Bucket === HOT_RELOAD ? hotReloadCode(source.S3Key ?? '', ctx) : storePackage(source, ctx);
  return imageCode(source.ImageUri!);
}

/** Returns the code permitted by the function's code signing configuration; rejected code is released. */
async function signedCode(
  name: string,
  configArn: string | undefined,
  code: CodeRecord,
  ctx: LambdaContext,
): Promise<CodeRecord> {
  try {
    await checkSignature(ctx.state, name, configArn, code);
    return code;
  } catch (error) {
    if (code.body !== undefined) ctx.bodies.release(code.body);
    throw error;
  }
}

/** Runs a function that stores new code in records, and then releases the body. */
function storeAndReleaseCode<T>({ body }: CodeRecord, ctx: LambdaContext, change: () => T): T {
  try {
    return change();
  } finally {
    if (body !== undefined) ctx.bodies.release(body);
  }
}

/** Publishes a version if the request says so. */
function publishIfRequested(
  { Publish, PublishTo }: Pick<InputOf<'CreateFunction'>, 'Publish' | 'PublishTo'>,
  state: LambdaState,
  name: string,
): Version | undefined {
  if (!Publish) return undefined;
  return PublishTo === undefined ? publishVersion(state, name) : publishLatest(state, name);
}

/** Returns the failure state of a version that cannot run here, like failed functions on AWS. */
async function withFailure(
  state: LambdaState,
  version: Version,
  configuration: FunctionConfiguration,
): Promise<FunctionConfiguration> {
  const { packageType, architectures } = version.config;
  if (packageType !== 'Image') return configuration;
  const reason = await ExecutionHost.of(state.service).imageRefusal();
  if (reason === undefined) return configuration;
  const StateReason = `emu cannot run ${version.functionName} (container image, ${architectures[0]}): ${reason}.`;
  return { ...configuration, State: 'Failed', StateReason, StateReasonCode: 'InternalError' };
}

/** Returns the function and version of a request, once its snapshot is taken, so that waiters need one request. */
async function describedFunction(input: InputOf<'GetFunctionConfiguration'>, ctx: LambdaContext) {
  const resolve = () => resolveFunction(ctx.state, input.FunctionName, input.Qualifier);
  const { state, version } = resolve();
  if (version.snapshot?.state !== 'Pending') return resolve();
  await Executor.of(state).snapshotTaken(version);
  return resolve();
}

/** Returns a function or version with its code location. */
export async function GetFunction(input: InputOf<'GetFunction'>, ctx: LambdaContext): Promise<OutputOf<'GetFunction'>> {
  const { state, record, version, qualifier } = await describedFunction(input, ctx);
  const { code } = version;
  const file = version.version === LATEST ? 'latest.zip' : `${version.version}.zip`;
  return {
    Configuration: await withFailure(state, version, configurationOf(state, version, qualifier)),
    Code: code.imageUri
      ? { RepositoryType: 'ECR', ImageUri: code.imageUri, ResolvedImageUri: code.resolvedImageUri }
      : {
          RepositoryType: 'S3',
          // A directory has no downloadable package.
          Location:
            code.directory === undefined ? codeUrl(ctx, state, record.name, file) : pathToFileURL(code.directory).href,
          ...(code.sourceKmsKeyArn && { SourceKMSKeyArn: code.sourceKmsKeyArn }),
        },
    ...(Object.keys(record.tags).length && { Tags: { ...record.tags } }),
    ...(record.reservedConcurrency !== undefined && {
      Concurrency: { ReservedConcurrentExecutions: record.reservedConcurrency },
    }),
  };
}

/** Returns the configuration of a function or version. */
export async function GetFunctionConfiguration(
  input: InputOf<'GetFunctionConfiguration'>,
  ctx: LambdaContext,
): Promise<OutputOf<'GetFunctionConfiguration'>> {
  const { state, version, qualifier } = await describedFunction(input, ctx);
  return withFailure(state, version, configurationOf(state, version, qualifier));
}

/** Returns the function of a request that updates `$LATEST`. */
function latestTarget(functionName: string, ctx: LambdaContext) {
  const { state, name, qualifier } = targetOf(ctx.state, functionName);
  if (!state.functions.has(name)) throw functionNotFound(state.functionArn(name, qualifier));
  return { state, name, latest: latestOf(state, name) };
}

/** Updates the code of a function. */
export async function UpdateFunctionCode(
  input: InputOf<'UpdateFunctionCode'>,
  ctx: LambdaContext,
): Promise<OutputOf<'UpdateFunctionCode'>> {
  const { state, name, latest } = latestTarget(input.FunctionName, ctx);
  checkRevision(input.RevisionId, latest.revisionId, REVISIONS);
  const { packageType } = latest.config;
  if (packageType === 'Image' && input.ImageUri === undefined)
    throw invalidParameterValue('Please provide ImageUri when updating a function with packageType Image.');
  if (packageType === 'Zip' && input.ImageUri !== undefined)
    throw invalidParameterValue("Please don't provide ImageUri when updating a function with packageType Zip.");
  const { codeSigningConfigArn } = state.functions.get(name)!;
  const code = await signedCode(name, codeSigningConfigArn, await codeOf(latest.config, input, ctx), ctx);
  return storeAndReleaseCode(code, ctx, () => {
    requireNotDeleted(state, name);
    const current = latestOf(state, name);
    checkRevision(input.RevisionId, current.revisionId, REVISIONS);
    checkTotalSize(current.config.layers, code.unzippedSize);
    const config = structuredClone(current.config) as VersionConfig;
    if (input.Architectures) config.architectures = input.Architectures;
    if (input.DryRun) return configurationOf(state, { ...current, code, config });
    const changed = changeLatest(state, name, { code, config });
    const published = publishIfRequested(input, state, name);
    return published
      ? { ...configurationOf(state, published), ...changing('Creating', state) }
      : { ...configurationOf(state, changed), ...changing('Updating', state) };
  });
}

/** Updates the configuration of a function. */
export async function UpdateFunctionConfiguration(
  input: InputOf<'UpdateFunctionConfiguration'>,
  ctx: LambdaContext,
): Promise<OutputOf<'UpdateFunctionConfiguration'>> {
  const { state, name, latest } = latestTarget(input.FunctionName, ctx);
  checkRevision(input.RevisionId, latest.revisionId, REVISIONS);
  await changedConfig(structuredClone(latest.config) as VersionConfig, input, ctx);
  if (input.Role !== undefined) await checkExecutionRole(input.Role, ctx);
  await loadLayers(input.Layers ?? [], state);
  requireNotDeleted(state, name);
  const current = latestOf(state, name);
  checkRevision(input.RevisionId, current.revisionId, REVISIONS);
  const config = await changedConfig(structuredClone(current.config) as VersionConfig, input, ctx);
  applyLayers(name, config, input.Layers, current.code.unzippedSize, ctx);
  const changed = changeLatest(state, name, { config });
  return { ...configurationOf(state, changed), ...changing('Updating', state) };
}

/** Deletes a function or one version. */
export function DeleteFunction(input: InputOf<'DeleteFunction'>, ctx: LambdaContext): OutputOf<'DeleteFunction'> {
  const { state, name, qualifier } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  if (qualifier !== undefined && /^[a-zA-Z0-9-_]+$/.test(qualifier) && !/^\d+$/.test(qualifier))
    throw invalidParameterValue('Deletion of aliases is not currently supported.');
  if (qualifier === LATEST)
    throw invalidParameterValue('$LATEST version cannot be deleted without deleting the function.');
  if (!state.functions.has(name)) throw functionNotFound(state.functionArn(name));
  if (qualifier === undefined) removeFunction(state, name);
  else deleteVersion(state, name, qualifier);
  return { StatusCode: 204 };
}

function deleteVersion(state: LambdaState, name: string, version: string): void {
  const aliases = [...state.aliases.values()]
    .filter((alias) => alias.functionName === name && (alias.version === version || version in alias.weights))
    .map((alias) => alias.name);
  if (aliases.length)
    throw conflict(
      `Version ${version} cannot be deleted because it is referenced by the following aliases: [${aliases.join(', ')}]`,
    );
  removeVersion(state, name, version);
}
