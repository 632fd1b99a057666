import { type DeepReadonly, notEmulated } from '@emu/core/service';
import type { ApiKey, CreateApiKeyRequest, InputOf, OutputOf } from '@emu/service-types/apigateway';
import { readKeys } from '../apis/key-file.ts';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { byAge, paging } from '../paging.ts';
import { applyPatch, flagOf, givenValue, type PatchTable, refuseListing, text } from '../patch/patch.ts';
import type { ApiKeyRecord } from '../records.ts';
import { tagging } from '../tags.ts';

type View = DeepReadonly<ApiKeyRecord>;
const MAX_NAME = 1024;
const MAX_DESCRIPTION = 125_000;

function describe(key: View, { value: shown, tags: tagged }: { value: boolean; tags: boolean }): ApiKey {
  const { createdAt, updatedAt, value, tags, stageKeys, ...rest } = key;
  return {
    ...rest,
    ...(shown && { value }),
    stageKeys: [...stageKeys],
    ...(tagged && { tags: { ...tags } }),
    createdDate: new Date(createdAt),
    lastUpdatedDate: new Date(updatedAt),
  };
}

function check({ name = '', description = '', value }: Partial<ApiKeyRecord>): void {
  if (name.length > MAX_NAME) throw badRequest('Invalid API Key name, can be at most 1024 characters.');
  if (description.length > MAX_DESCRIPTION) throw badRequest('Invalid API Key description specified.');
  if (value === undefined) return;
  if (value.length < 20) throw badRequest('API Key value should be at least 20 characters');
  if (value.length > 128) throw badRequest('API Key value exceeds maximum size of 128 characters');
}

function keyOf(id: string, { state }: ApigatewayContext): View {
  const key = state.apiKeys.get(id);
  if (!key) throw notFound('Invalid API Key identifier specified');
  return key;
}

function make(input: CreateApiKeyRequest, ctx: ApigatewayContext): ApiKeyRecord {
  const { state, clock } = ctx;
  const { name, description, customerId, stageKeys = [], tags } = input;
  const now = clock.now();
  const merged = tags && tagging.merge(undefined, tags);
  return {
    id: state.newId(),
    value: input.value || state.ids.chars(40, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
    ...(name && { name }),
    ...(description !== undefined && { description }),
    ...(customerId !== undefined && { customerId }),
    enabled: input.enabled ?? false,
    stageKeys: stageKeys.map(({ restApiId, stageName }) => `${restApiId}/${stageName}`),
    ...(merged && { tags: merged }),
    createdAt: now,
    updatedAt: now,
  };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateApiKey.html */
export function CreateApiKey(input: InputOf<'CreateApiKey'>, ctx: ApigatewayContext): OutputOf<'CreateApiKey'> {
  check({ ...input, value: input.value || undefined } as Partial<ApiKeyRecord>);
  for (const { restApiId = '', stageName = '' } of input.stageKeys ?? [])
    if (!ctx.state.stages.get(restApiId, stageName)) throw notFound('Invalid stage identifier specified');
  const key = make(input, ctx);
  if (ctx.state.apiKeyOf(key.value)) throw conflict('API Key already exists');
  ctx.state.putApiKey(key);
  return describe(key, { value: true, tags: key.tags !== undefined });
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetApiKey.html */
export function GetApiKey(
  { apiKey, includeValue = false }: InputOf<'GetApiKey'>,
  ctx: ApigatewayContext,
): OutputOf<'GetApiKey'> {
  return describe(keyOf(apiKey, ctx), { value: includeValue, tags: true });
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetApiKeys.html */
export function GetApiKeys(input: InputOf<'GetApiKeys'>, { state }: ApigatewayContext): OutputOf<'GetApiKeys'> {
  const { nameQuery, customerId, includeValues = false } = input;
  const keys = [...state.apiKeys.values()].filter(
    (key) =>
      (nameQuery === undefined || (key.name ?? '').startsWith(nameQuery)) &&
      (customerId === undefined || key.customerId === customerId),
  );
  return paging
    .page(
      'GetApiKeys',
      input,
      byAge(keys, ({ createdAt }) => createdAt),
      ({ age }) => age,
      { descending: true },
    )
    .list(({ item }) => describe(item, { value: includeValues, tags: false }));
}

const TABLE: PatchTable<ApiKeyRecord> = {
  rules: [
    text('/description', 'description'),
    {
      path: '/enabled',
      ops: ['replace'],
      apply(draft, step) {
        draft.enabled = flagOf(step);
      },
    },
    text('/name', 'name'),
    text('/customerId', 'customerId'),
    {
      path: '/stages',
      ops: ['add', 'remove'],
      apply(draft, step) {
        const others = draft.stageKeys.filter((key) => key !== step.value);
        draft.stageKeys = step.op === 'remove' ? others : [...others, givenValue(step)];
      },
    },
    {
      path: '/labels',
      ops: ['add', 'remove'],
      apply() {
        throw notEmulated('labels of API keys, which no answer of AWS contains');
      },
    },
  ],
  refuse: refuseListing,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateApiKey.html */
export function UpdateApiKey(
  { apiKey, patchOperations }: InputOf<'UpdateApiKey'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateApiKey'> {
  keyOf(apiKey, ctx);
  const key = ctx.state.apiKeys.update(apiKey, (draft) => {
    applyPatch(TABLE, draft, patchOperations);
    check({ name: draft.name, description: draft.description });
    draft.updatedAt = ctx.clock.now();
  });
  return describe(key, { value: false, tags: true });
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteApiKey.html */
export function DeleteApiKey({ apiKey }: InputOf<'DeleteApiKey'>, ctx: ApigatewayContext): OutputOf<'DeleteApiKey'> {
  keyOf(apiKey, ctx);
  ctx.state.deleteApiKey(apiKey);
  return {};
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_ImportApiKeys.html */
export function ImportApiKeys(input: InputOf<'ImportApiKeys'>, ctx: ApigatewayContext): OutputOf<'ImportApiKeys'> {
  const { state } = ctx;
  if (input.format !== 'csv') throw badRequest('Invalid format specified. Valid options are: csv');
  const warnings: string[] = [];
  const rows = readKeys(Buffer.from(input.body ?? []).toString());
  for (const row of rows) {
    check(row);
    if (row.value !== undefined && state.apiKeyOf(row.value)) warnings.push(`API Key ${row.name} already exists`);
    for (const plan of row.usagePlanIds)
      if (!state.usagePlans.has(plan)) warnings.push(`Usage plan ${plan} of the key ${row.name} does not exist`);
  }
  if (input.failOnWarnings && warnings.length > 0)
    throw badRequest(`Failed to import API keys: ${warnings.join('; ')}`);
  const ids: string[] = [];
  for (const { usagePlanIds, ...row } of rows) {
    if (row.value !== undefined && state.apiKeyOf(row.value)) continue;
    const key = make(row, ctx);
    state.putApiKey(key);
    ids.push(key.id);
    for (const planId of usagePlanIds)
      if (state.usagePlans.has(planId))
        state.putPlanKey({ planId, keyId: key.id, at: ctx.clock.now(), days: {}, used: 0, extra: 0 });
  }
  return { ids, warnings };
}
