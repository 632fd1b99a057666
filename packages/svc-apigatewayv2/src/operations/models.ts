import type { DeepReadonly } from '@emu/core';
import type { InputOf, Model, OutputOf } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { conflict, invalid } from '../errors.ts';
import { apiOf, modelOf } from '../lookup.ts';
import { given } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { ModelRecord } from '../records.ts';
import { sampleTemplate } from '../schema-template.ts';
import { checkWebSocketApi } from '../validation/websocket-only.ts';

const NAME = /^[A-Za-z0-9]{1,128}$/;
const MAX_SCHEMA = 32_768;

const describe = (model: DeepReadonly<ModelRecord>): Model => model as Model;

/** Checks a model as it is going to be. @throws AwsError `BadRequestException` or `ConflictException` */
function checkModel(
  apiId: string,
  { Name, Schema }: Pick<ModelRecord, 'Name' | 'Schema'>,
  { state }: Apigatewayv2Context,
  id?: string,
): void {
  if (!NAME.test(Name)) throw invalid('Model name must be alphanumeric: [a-zA-Z0-9]');
  if (state.models.list(apiId).some((other) => other.Name === Name && other.ModelId !== id))
    throw conflict(`Model name already exists: ${Name}`);
  if (Schema.length > MAX_SCHEMA) throw invalid(`Schema must have at most ${MAX_SCHEMA} characters`);
  try {
    const schema: unknown = JSON.parse(Schema);
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return;
  } catch {
    // Told below.
  }
  throw invalid('Model schema must be a JSON object');
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models.html#CreateModel */
export function CreateModel(input: InputOf<'CreateModel'>, ctx: Apigatewayv2Context): OutputOf<'CreateModel'> {
  const { ApiId } = checkWebSocketApi(apiOf(input, ctx), 'Models');
  checkModel(ApiId, input, ctx);
  const ModelId = ctx.state.newId().slice(0, 6);
  const { Name, Schema } = input;
  const model = {
    ...given(input, ['Description']),
    ContentType: input.ContentType ?? 'application/json',
    ModelId,
    Name,
    Schema,
  };
  ctx.state.models.put(ApiId, ModelId, model);
  ctx.state.changed(ApiId);
  return describe(model);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models-modelid.html#GetModel */
export function GetModel(input: InputOf<'GetModel'>, ctx: Apigatewayv2Context): OutputOf<'GetModel'> {
  return describe(modelOf(input, ctx));
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models.html#GetModels */
export function GetModels(input: InputOf<'GetModels'>, ctx: Apigatewayv2Context): OutputOf<'GetModels'> {
  const { ApiId } = apiOf(input, ctx);
  return paging
    .page('GetModels', withLimit(input), ctx.state.models.list(ApiId), ({ ModelId }) => ModelId)
    .list(describe);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models-modelid-template.html#GetModelTemplate */
export function GetModelTemplate(
  input: InputOf<'GetModelTemplate'>,
  ctx: Apigatewayv2Context,
): OutputOf<'GetModelTemplate'> {
  return {
    Value: sampleTemplate(modelOf(input, ctx).Schema),
  };
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models-modelid.html#UpdateModel */
export function UpdateModel(input: InputOf<'UpdateModel'>, ctx: Apigatewayv2Context): OutputOf<'UpdateModel'> {
  const model = modelOf(input, ctx);
  const changed = { ...model, ...given(input, ['ContentType', 'Description', 'Name', 'Schema']) };
  checkModel(input.ApiId, changed, ctx, model.ModelId);
  const updated = ctx.state.models.put(input.ApiId, model.ModelId, changed);
  ctx.state.changed(input.ApiId);
  return describe(updated);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models-modelid.html#DeleteModel */
export function DeleteModel(input: InputOf<'DeleteModel'>, ctx: Apigatewayv2Context): OutputOf<'DeleteModel'> {
  const { ModelId } = modelOf(input, ctx);
  ctx.state.models.delete(input.ApiId, ModelId);
  ctx.state.changed(input.ApiId);
  return {};
}
