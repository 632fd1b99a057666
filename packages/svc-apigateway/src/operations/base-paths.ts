import type { DeepReadonly } from '@emu/core';
import type {
  BasePathMapping,
  BasePathMappings,
  CreateBasePathMappingRequest,
  DeleteBasePathMappingRequest,
  GetBasePathMappingRequest,
  GetBasePathMappingsRequest,
  UpdateBasePathMappingRequest,
} from '@emu/service-types/apigateway';
import { badRequest, conflict, notFound } from '../errors.ts';
import type { ApiContext } from '../lookup.ts';
import { paging } from '../paging.ts';
import { applyPatch, givenValue, type PatchTable, refusePath, text } from '../patch/patch.ts';
import type { BasePathRecord } from '../records.ts';
import { domainOf } from './domains.ts';

/** The base path of requests without one. */
const NONE = '(none)';
const PATH = /^[a-zA-Z0-9$\-_.+!*'()]+$/;

function checkTarget({ restApiId, stage, basePath }: BasePathRecord, { state }: ApiContext): void {
  if (basePath !== NONE && !PATH.test(basePath))
    throw badRequest("API mapping key should contain only alphanumeric, $-_.+!*'() characters");
  if (!state.apis.has(restApiId)) throw badRequest('Invalid REST API identifier specified');
  if (stage !== undefined && !state.stages.get(restApiId, stage))
    throw badRequest('Invalid stage identifier specified');
}

function mappingOf(
  input: { domainName: string; domainNameId?: string | undefined; basePath: string },
  ctx: ApiContext,
): [string, DeepReadonly<BasePathRecord>] {
  const { domainName } = domainOf(input, ctx);
  const mapping = ctx.state.basePaths.get(domainName, input.basePath || NONE);
  if (!mapping) throw notFound('Invalid base path mapping identifier specified');
  return [domainName, mapping];
}

/** https://docs.aws.amazon.com/apigateway/latest/api/API_CreateBasePathMapping.html */
export function CreateBasePathMapping(input: CreateBasePathMappingRequest, ctx: ApiContext): BasePathMapping {
  const { domainName } = domainOf(input, ctx);
  const { restApiId, stage } = input;
  const mapping: BasePathRecord = { basePath: input.basePath || NONE, restApiId, ...(stage && { stage }) };
  checkTarget(mapping, ctx);
  if (ctx.state.basePaths.get(domainName, mapping.basePath))
    throw conflict('Base path already exists for this domain name');
  return ctx.state.basePaths.put(domainName, mapping.basePath, mapping);
}

/** https://docs.aws.amazon.com/apigateway/latest/api/API_GetBasePathMapping.html */
export const GetBasePathMapping = (input: GetBasePathMappingRequest, ctx: ApiContext): BasePathMapping =>
  mappingOf(input, ctx)[1];

/** https://docs.aws.amazon.com/apigateway/latest/api/API_GetBasePathMappings.html */
export function GetBasePathMappings(input: GetBasePathMappingsRequest, ctx: ApiContext): BasePathMappings {
  const { domainName } = domainOf(input, ctx);
  const all = ctx.state.basePaths.list(domainName);
  return paging.page('GetBasePathMappings', input, all, ({ basePath }) => basePath).list((mapping) => mapping);
}

const TABLE: PatchTable<BasePathRecord> = {
  rules: [
    {
      path: '/basePath',
      ops: ['replace'],
      apply(draft, { value }) {
        draft.basePath = value || NONE;
      },
    },
    {
      path: '/restapiId',
      ops: ['replace'],
      apply(draft, step) {
        draft.restApiId = givenValue(step);
      },
    },
    text('/stage', 'stage', ['replace', 'remove']),
  ],
  refuse: refusePath,
};

/** https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateBasePathMapping.html */
export function UpdateBasePathMapping(input: UpdateBasePathMappingRequest, ctx: ApiContext): BasePathMapping {
  const [domainName, mapping] = mappingOf(input, ctx);
  const draft: BasePathRecord = { ...mapping };
  applyPatch(TABLE, draft, input.patchOperations);
  if (draft.stage === '') delete draft.stage;
  checkTarget(draft, ctx);
  if (draft.basePath !== mapping.basePath) {
    if (ctx.state.basePaths.get(domainName, draft.basePath))
      throw conflict('Base path already exists for this domain name');
    ctx.state.basePaths.delete(domainName, mapping.basePath);
  }
  return ctx.state.basePaths.put(domainName, draft.basePath, draft);
}

/** https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteBasePathMapping.html */
export function DeleteBasePathMapping(input: DeleteBasePathMappingRequest, ctx: ApiContext): Record<string, never> {
  const [domainName, { basePath }] = mappingOf(input, ctx);
  ctx.state.basePaths.delete(domainName, basePath);
  return {};
}
