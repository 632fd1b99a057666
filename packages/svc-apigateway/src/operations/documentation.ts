import type { DeepReadonly } from '@emu/core/service';
import type { DocumentationVersion, InputOf, OutputOf } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { locationOf, sameLocation } from '../documentation-locations.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { apiOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { applyPatch, givenValue, type PatchTable, refuseListing, text } from '../patch/patch.ts';
import type { DocumentationPartRecord, DocumentationVersionRecord } from '../records.ts';

function partOf(
  input: { restApiId: string; documentationPartId: string },
  { state }: ApigatewayContext,
): DeepReadonly<DocumentationPartRecord> {
  const part = state.parts.get(input.restApiId, input.documentationPartId);
  if (!part) throw notFound('Invalid Documentation part identifier specified');
  return part;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateDocumentationPart.html */
export function CreateDocumentationPart(
  input: InputOf<'CreateDocumentationPart'>,
  ctx: ApigatewayContext,
): OutputOf<'CreateDocumentationPart'> {
  const { restApiId, properties } = input;
  apiOf(restApiId, ctx);
  const location = locationOf(input.location);
  if (properties === '') throw badRequest('Documentation part properties must be non-empty');
  if (ctx.state.parts.list(restApiId).some((part) => sameLocation(part.location, location)))
    throw conflict(`Documentation part already exists for the specified location: ${JSON.stringify(location)}`);
  const id = ctx.state.newId(6);
  return ctx.state.parts.put(restApiId, id, { id, location, properties });
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetDocumentationPart.html */
export function GetDocumentationPart(
  input: InputOf<'GetDocumentationPart'>,
  ctx: ApigatewayContext,
): OutputOf<'GetDocumentationPart'> {
  return partOf(input, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetDocumentationParts.html */
export function GetDocumentationParts(
  input: InputOf<'GetDocumentationParts'>,
  ctx: ApigatewayContext,
): OutputOf<'GetDocumentationParts'> {
  const { restApiId, type, nameQuery, path, locationStatus } = input;
  apiOf(restApiId, ctx);
  const paths = new Set(ctx.state.resources.list(restApiId).map((resource) => resource.path));
  const parts = ctx.state.parts.list(restApiId).filter(({ location }) => {
    if (type !== undefined && location?.type !== type) return false;
    if (nameQuery !== undefined && !(location?.name ?? '').includes(nameQuery)) return false;
    if (path !== undefined && location?.path !== path) return false;
    return locationStatus !== 'UNDOCUMENTED' || !paths.has(location?.path ?? '/');
  });
  return paging.page('GetDocumentationParts', input, parts, ({ id }) => id).list((part) => part);
}

const PART_TABLE: PatchTable<DocumentationPartRecord> = {
  rules: [
    {
      path: '/properties',
      ops: ['replace'],
      apply(draft, step) {
        if (givenValue(step) === '') throw badRequest('Documentation part properties must be non-empty');
        draft.properties = givenValue(step);
      },
    },
  ],
  refuse: refuseListing,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateDocumentationPart.html */
export function UpdateDocumentationPart(
  input: InputOf<'UpdateDocumentationPart'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateDocumentationPart'> {
  partOf(input, ctx);
  return ctx.state.parts.update(input.restApiId, input.documentationPartId, (draft) =>
    applyPatch(PART_TABLE, draft, input.patchOperations),
  );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteDocumentationPart.html */
export function DeleteDocumentationPart(
  input: InputOf<'DeleteDocumentationPart'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteDocumentationPart'> {
  // Recorded from AWS; other operations on a part do not check the API.
  apiOf(input.restApiId, ctx);
  partOf(input, ctx);
  ctx.state.parts.delete(input.restApiId, input.documentationPartId);
  return {};
}

const describe = ({
  version,
  description,
  createdAt,
}: DeepReadonly<DocumentationVersionRecord>): DocumentationVersion => ({
  version,
  ...(description !== undefined && { description }),
  createdDate: new Date(createdAt),
});

function versionOf(
  input: { restApiId: string; documentationVersion: string },
  ctx: ApigatewayContext,
): DeepReadonly<DocumentationVersionRecord> {
  apiOf(input.restApiId, ctx);
  const version = ctx.state.versions.get(input.restApiId, input.documentationVersion);
  if (!version) throw notFound('Invalid Documentation version specified');
  return version;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateDocumentationVersion.html */
export function CreateDocumentationVersion(
  input: InputOf<'CreateDocumentationVersion'>,
  ctx: ApigatewayContext,
): OutputOf<'CreateDocumentationVersion'> {
  const { restApiId, documentationVersion: version, stageName, description } = input;
  const { state, clock } = ctx;
  apiOf(restApiId, ctx);
  if (state.versions.get(restApiId, version)) throw conflict('Documentation version already exists');
  if (stageName !== undefined && !state.stages.get(restApiId, stageName))
    throw notFound('Invalid stage identifier specified');
  const parts = structuredClone(state.parts.list(restApiId)) as DocumentationPartRecord[];
  const made = state.versions.put(restApiId, version, {
    version,
    ...(description !== undefined && { description }),
    createdAt: clock.now(),
    parts,
  });
  if (stageName !== undefined)
    state.stages.update(restApiId, stageName, (draft) => {
      draft.documentationVersion = version;
    });
  return describe(made);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetDocumentationVersion.html */
export function GetDocumentationVersion(
  input: InputOf<'GetDocumentationVersion'>,
  ctx: ApigatewayContext,
): OutputOf<'GetDocumentationVersion'> {
  return describe(versionOf(input, ctx));
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetDocumentationVersions.html */
export function GetDocumentationVersions(
  input: InputOf<'GetDocumentationVersions'>,
  ctx: ApigatewayContext,
): OutputOf<'GetDocumentationVersions'> {
  apiOf(input.restApiId, ctx);
  const all = ctx.state.versions.list(input.restApiId);
  return paging.page('GetDocumentationVersions', input, all, ({ version }) => version).list(describe);
}

const VERSION_TABLE: PatchTable<DocumentationVersionRecord> = {
  rules: [text('/description', 'description')],
  refuse: refuseListing,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateDocumentationVersion.html */
export function UpdateDocumentationVersion(
  input: InputOf<'UpdateDocumentationVersion'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateDocumentationVersion'> {
  versionOf(input, ctx);
  return describe(
    ctx.state.versions.update(input.restApiId, input.documentationVersion, (draft) =>
      applyPatch(VERSION_TABLE, draft, input.patchOperations),
    ),
  );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteDocumentationVersion.html */
export function DeleteDocumentationVersion(
  input: InputOf<'DeleteDocumentationVersion'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteDocumentationVersion'> {
  const { restApiId, documentationVersion } = input;
  versionOf(input, ctx);
  for (const stage of ctx.state.stages.list(restApiId))
    if (stage.documentationVersion === documentationVersion)
      throw conflict(`Documentation version is used by the stage ${stage.stageName}`);
  ctx.state.versions.delete(restApiId, documentationVersion);
  return {};
}
