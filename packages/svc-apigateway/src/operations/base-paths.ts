import type { DeepReadonly } from '@emu/core/service';
import type { BasePathMapping, InputOf, OutputOf } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { type BasePaths, basePathsOf, NO_PATH } from '../domains/shared.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { applyPatch, givenValue, optionalText, type PatchRule, type PatchTable, refusePath } from '../patch/patch.ts';
import type { BasePathRecord } from '../records.ts';

const PATH = /^[a-zA-Z0-9$\-_.+!*'()]+$/;

function checkTarget({ restApiId, stage, basePath }: BasePathRecord, { state }: ApigatewayContext): void {
  // https://github.com/hashicorp/terraform-provider-aws/issues/21986
  if (basePath.includes('/'))
    throw badRequest(
      "API Gateway V1 doesn't support the slash character (/) in base path mappings. To create a multi-level base path mapping, use API Gateway V2.",
    );
  if (basePath !== NO_PATH && !PATH.test(basePath))
    throw badRequest("API mapping key should contain only alphanumeric, $-_.+!*'() characters");
  if (!state.apis.has(restApiId)) throw badRequest('Invalid REST API identifier specified');
  if (stage !== undefined && !state.stages.get(restApiId, stage))
    throw badRequest('Invalid stage identifier specified');
}

const describe = ({ id: _, ...mapping }: DeepReadonly<BasePathRecord>): BasePathMapping => mapping;

/** Whether a domain has a base path. */
const has = ({ all }: BasePaths, path: string): boolean => all.some(({ basePath }) => basePath === path);

async function mappingOf(
  input: { domainName: string; domainNameId?: string | undefined; basePath: string },
  ctx: ApigatewayContext,
): Promise<[BasePaths, DeepReadonly<BasePathRecord>]> {
  const paths = await basePathsOf(input, ctx);
  const mapping = paths.all.find(({ basePath }) => basePath === (input.basePath || NO_PATH));
  if (!mapping) throw notFound('Invalid base path mapping identifier specified');
  return [paths, mapping];
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateBasePathMapping.html */
export async function CreateBasePathMapping(
  input: InputOf<'CreateBasePathMapping'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'CreateBasePathMapping'>> {
  const paths = await basePathsOf(input, ctx);
  const { restApiId, stage } = input;
  const mapping: BasePathRecord = { basePath: input.basePath || NO_PATH, restApiId, ...(stage && { stage }) };
  checkTarget(mapping, ctx);
  if (has(paths, mapping.basePath)) throw conflict('Base path already exists for this domain name');
  paths.put(mapping);
  return describe(mapping);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetBasePathMapping.html */
export async function GetBasePathMapping(
  input: InputOf<'GetBasePathMapping'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'GetBasePathMapping'>> {
  return describe((await mappingOf(input, ctx))[1]);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetBasePathMappings.html */
export async function GetBasePathMappings(
  input: InputOf<'GetBasePathMappings'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'GetBasePathMappings'>> {
  const { all } = await basePathsOf(input, ctx);
  return paging.page('GetBasePathMappings', input, all, ({ basePath }) => basePath).list(describe);
}

const TABLE: PatchTable<BasePathRecord> = {
  rules: [
    // AWS's page spells it `/basepath`, its clients use the member name.
    ...['/basePath', '/basepath'].map(
      (path): PatchRule<BasePathRecord> => ({
        path,
        ops: ['replace'],
        apply(draft, { value }) {
          draft.basePath = value || NO_PATH;
        },
      }),
    ),
    {
      path: '/restapiId',
      ops: ['replace'],
      apply(draft, step) {
        draft.restApiId = givenValue(step);
      },
    },
    optionalText('/stage', 'stage'),
  ],
  refuse: refusePath,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateBasePathMapping.html */
export async function UpdateBasePathMapping(
  input: InputOf<'UpdateBasePathMapping'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'UpdateBasePathMapping'>> {
  const [paths, mapping] = await mappingOf(input, ctx);
  const draft: BasePathRecord = { ...mapping };
  applyPatch(TABLE, draft, input.patchOperations);
  checkTarget(draft, ctx);
  if (draft.basePath !== mapping.basePath && has(paths, draft.basePath))
    throw conflict('Base path already exists for this domain name');
  paths.put(draft, mapping);
  return describe(draft);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteBasePathMapping.html */
export async function DeleteBasePathMapping(
  input: InputOf<'DeleteBasePathMapping'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'DeleteBasePathMapping'>> {
  const [paths, mapping] = await mappingOf(input, ctx);
  paths.delete(mapping);
  return {};
}
