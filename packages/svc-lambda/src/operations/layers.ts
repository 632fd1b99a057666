import { numericKey, type Place, parseArn } from '@emu/core/service';
import type {
  InputOf,
  LayersListItem,
  LayerVersionsListItem,
  OutputOf,
  PublishLayerVersionResponse,
} from '@emu/service-types/lambda';
import { storePackage } from '../code/code.ts';
import { loadLayers } from '../code/layer-imports.ts';
import { accessDenied, findLayerVersion, isReadable, layerVersionArn } from '../code/layers.ts';
import { lambdaTime } from '../configuration/configuration.ts';
import type { LambdaContext } from '../context.ts';
import { checkRevision, conflict, invalidParameterValue, notFound, plainError } from '../errors.ts';
import { layerUrl } from '../lookup.ts';
import { paging } from '../paging.ts';
import { checkPolicySize, policyDocument, principalOf } from '../policy.ts';
import type { LayerVersion, PolicyStatement } from '../records.ts';
import { layerType, layerVersionType } from '../resources.ts';
import type { LambdaState } from '../state.ts';

const MISSING = 'The resource you requested does not exist.';

/** Returns the parsed name or ARN of a layer. */
const layerOf = (LayerName: string, state: LambdaState) => layerType.identify({ LayerName }, state)!;

/** Whether a layer is in the caller's account and region. */
const isOwn = ({ accountId, region }: Place, ctx: LambdaContext): boolean =>
  accountId === ctx.accountId && region === ctx.region;

function checkVersionNumber(version: number): void {
  if (version < 1) throw invalidParameterValue('Layer Version Cannot be less than 1');
}

/** Returns a layer version that the caller may read. */
async function find(arn: string, ctx: LambdaContext): Promise<{ owner: LambdaState; layer: LayerVersion }> {
  if (parseArn(arn)?.region !== ctx.region) throw notFound(MISSING);
  await loadLayers([arn], ctx.state);
  const found = findLayerVersion(arn, ctx.state);
  if (!isReadable(found, arn, ctx.state)) throw accessDenied('GetLayerVersion', ctx.principal.arn, arn);
  if (!found) throw notFound(MISSING);
  return found;
}

function listItem(state: LambdaState, layer: LayerVersion): LayerVersionsListItem {
  return {
    LayerVersionArn: layerVersionType.arn({ name: layer.layerName, version: String(layer.version) }, state),
    Version: layer.version,
    Description: layer.description,
    CreatedDate: lambdaTime(layer.createdAt),
    ...(layer.runtimes && { CompatibleRuntimes: [...layer.runtimes] }),
    ...(layer.licenseInfo !== undefined && { LicenseInfo: layer.licenseInfo }),
    ...(layer.architectures && { CompatibleArchitectures: [...layer.architectures] }),
  };
}

function shown(state: LambdaState, layer: LayerVersion, ctx: LambdaContext): PublishLayerVersionResponse {
  return {
    ...listItem(state, layer),
    LayerArn: layerType.arn({ name: layer.layerName }, state),
    Content: {
      Location: layerUrl(ctx, state, layer.layerName, layer.version),
      CodeSha256: layer.code.sha256,
      CodeSize: layer.code.size,
    },
  };
}

/** Publishes a layer version, creating the layer with the first one. */
export async function PublishLayerVersion(
  input: InputOf<'PublishLayerVersion'>,
  ctx: LambdaContext,
): Promise<OutputOf<'PublishLayerVersion'>> {
  const { state } = ctx;
  const { key, place } = layerOf(input.LayerName, state);
  if (!isOwn(place, ctx))
    throw plainError(
      'AccessDeniedException',
      `User: ${ctx.principal.arn} is not authorized to perform: lambda:PublishLayerVersion on resource: ${input.LayerName}`,
      { status: 403 },
    );
  const layerName = key.name;
  const code = await storePackage(input.Content, ctx);
  try {
    const version = (state.layers.get(layerName)?.lastVersion ?? 0) + 1;
    state.layers.put(layerName, { name: layerName, lastVersion: version });
    const layer = state.layerVersions.put(`${layerName}:${version}`, {
      layerName,
      version,
      description: input.Description ?? '',
      createdAt: ctx.clock.now(),
      ...(input.CompatibleRuntimes && { runtimes: input.CompatibleRuntimes }),
      ...(input.CompatibleArchitectures && { architectures: input.CompatibleArchitectures }),
      ...(input.LicenseInfo !== undefined && { licenseInfo: input.LicenseInfo }),
      code,
    });
    return shown(state, layer, ctx);
  } finally {
    ctx.bodies.release(code.body);
  }
}

/** Returns a layer version. */
export async function GetLayerVersion(
  input: InputOf<'GetLayerVersion'>,
  ctx: LambdaContext,
): Promise<OutputOf<'GetLayerVersion'>> {
  checkVersionNumber(input.VersionNumber);
  const { owner, layer } = await find(layerVersionArn(input.LayerName, input.VersionNumber, ctx.state), ctx);
  return shown(owner, layer, ctx);
}

/** Returns a layer version by ARN. */
export async function GetLayerVersionByArn(
  input: InputOf<'GetLayerVersionByArn'>,
  ctx: LambdaContext,
): Promise<OutputOf<'GetLayerVersionByArn'>> {
  const { owner, layer } = await find(input.Arn, ctx);
  return shown(owner, layer, ctx);
}

/** Deletes a layer version if it exists; functions that use it keep it. */
export function DeleteLayerVersion(
  input: InputOf<'DeleteLayerVersion'>,
  ctx: LambdaContext,
): OutputOf<'DeleteLayerVersion'> {
  checkVersionNumber(input.VersionNumber);
  const { key, place } = layerOf(input.LayerName, ctx.state);
  if (isOwn(place, ctx)) ctx.state.layerVersions.delete(`${key.name}:${input.VersionNumber}`);
  return {};
}

interface Filter {
  CompatibleRuntime?: string | undefined;
  CompatibleArchitecture?: string | undefined;
}

const matches = (layer: LayerVersion, { CompatibleRuntime: runtime, CompatibleArchitecture: arch }: Filter): boolean =>
  (runtime === undefined || (layer.runtimes as readonly string[] | undefined)?.includes(runtime) === true) &&
  (arch === undefined || (layer.architectures as readonly string[] | undefined)?.includes(arch) === true);

/** Lists the versions of a layer, newest first. */
export function ListLayerVersions(
  input: InputOf<'ListLayerVersions'>,
  ctx: LambdaContext,
): OutputOf<'ListLayerVersions'> {
  const { key, place } = layerOf(input.LayerName, ctx.state);
  const own = isOwn(place, ctx);
  // Layer policies only allow GetLayerVersion.
  if (place.accountId !== ctx.accountId)
    throw accessDenied('ListLayerVersions', ctx.principal.arn, layerType.arn(key, place));
  const versions = [...ctx.state.layerVersions.values()].filter(
    (layer) => own && layer.layerName === key.name && matches(layer, input),
  );
  return paging.page('ListLayerVersions', input, versions, newestFirst).list((layer) => listItem(ctx.state, layer));
}

const newestFirst = ({ version }: LayerVersion): string => numericKey(Number.MAX_SAFE_INTEGER - version);

/** Lists the layers of the account and region, each with its newest matching version. */
export function ListLayers(input: InputOf<'ListLayers'>, ctx: LambdaContext): OutputOf<'ListLayers'> {
  const { state } = ctx;
  const newest = new Map<string, LayerVersion>();
  for (const layer of state.layerVersions.values())
    if (matches(layer, input) && layer.version > (newest.get(layer.layerName)?.version ?? 0))
      newest.set(layer.layerName, layer);
  return paging
    .page('ListLayers', input, newest.values(), ({ layerName }) => layerName)
    .list(
      (layer): LayersListItem => ({
        LayerName: layer.layerName,
        LayerArn: layerType.arn({ name: layer.layerName }, state),
        LatestMatchingVersion: listItem(state, layer),
      }),
    );
}

const REVISIONS = 'GetLayerPolicy';

/** Returns the layer version of the caller's account, for policy operations. */
function policyTarget(input: { LayerName: string; VersionNumber: number }, ctx: LambdaContext) {
  const arn = layerVersionArn(input.LayerName, input.VersionNumber, ctx.state);
  const found = parseArn(arn)?.region === ctx.region ? findLayerVersion(arn, ctx.state) : undefined;
  if (found?.owner !== ctx.state) throw notFound(`Layer version ${arn} does not exist.`);
  const { layer } = found;
  return { arn, policy: layer.policy, key: `${layer.layerName}:${layer.version}` };
}

/** Adds a statement to a layer version's policy. */
export function AddLayerVersionPermission(
  input: InputOf<'AddLayerVersionPermission'>,
  ctx: LambdaContext,
): OutputOf<'AddLayerVersionPermission'> {
  const { arn, policy, key } = policyTarget(input, ctx);
  const statements = structuredClone(policy?.statements ?? []) as PolicyStatement[];
  const { StatementId: sid } = input;
  if (statements.some(({ Sid }) => Sid === sid))
    throw conflict(
      `The statement id (${sid}) provided already exists. Please provide a new statement id, or remove the existing statement.`,
    );
  if (input.RevisionId !== undefined) checkRevision(input.RevisionId, policy?.revisionId ?? '', REVISIONS);
  if (input.OrganizationId !== undefined && input.Principal !== '*')
    throw invalidParameterValue('OrganizationId can be specified only when the principal is *.');
  const statement: PolicyStatement = {
    Sid: sid,
    Effect: 'Allow',
    Principal: principalOf(input.Principal, ctx.region),
    Action: input.Action,
    Resource: arn,
    ...(input.OrganizationId && { Condition: { StringEquals: { 'aws:PrincipalOrgID': input.OrganizationId } } }),
  };
  statements.push(statement);
  checkPolicySize(statements);
  const revisionId = ctx.ids.uuid();
  ctx.state.layerVersions.update(key, (draft) => {
    draft.policy = { statements, revisionId };
  });
  return { Statement: JSON.stringify(statement), RevisionId: revisionId };
}

/** Removes a statement from a layer version's policy. */
export function RemoveLayerVersionPermission(
  input: InputOf<'RemoveLayerVersionPermission'>,
  ctx: LambdaContext,
): OutputOf<'RemoveLayerVersionPermission'> {
  const { policy, key } = policyTarget(input, ctx);
  if (!policy) throw notFound('No policy is associated with the given resource.');
  const { StatementId: sid } = input;
  const statements = structuredClone(policy.statements) as PolicyStatement[];
  const index = statements.findIndex(({ Sid }) => Sid === sid);
  if (index < 0) throw notFound(`Statement ${sid} is not found in resource policy.`);
  checkRevision(input.RevisionId, policy.revisionId, REVISIONS);
  statements.splice(index, 1);
  ctx.state.layerVersions.update(key, (draft) => {
    if (statements.length) draft.policy = { statements, revisionId: ctx.ids.uuid() };
    else delete draft.policy;
  });
  return {};
}

/** Returns the policy of a layer version. */
export function GetLayerVersionPolicy(
  input: InputOf<'GetLayerVersionPolicy'>,
  ctx: LambdaContext,
): OutputOf<'GetLayerVersionPolicy'> {
  const { policy } = policyTarget(input, ctx);
  if (!policy) throw notFound('No policy is associated with the given resource.');
  return { Policy: policyDocument(policy.statements), RevisionId: policy.revisionId };
}
