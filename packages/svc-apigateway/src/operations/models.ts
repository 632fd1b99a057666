import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/apigateway';
import { parseJson } from '@emu/wire';
import { flattened, nameProblem, templateOf } from '../apis/model.ts';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { apiOf, requireApi } from '../lookup.ts';
import { paging } from '../paging.ts';
import { applyPatch, flagOf, givenValue, type PatchTable, refuseListing, text } from '../patch/patch.ts';
import type { ModelRecord, ValidatorRecord } from '../records.ts';

function modelOf(input: { restApiId: string; modelName: string }, ctx: ApigatewayContext): DeepReadonly<ModelRecord> {
  const model = ctx.state.models.get(input.restApiId, input.modelName);
  if (!model) throw notFound(`Invalid model name specified: ${input.modelName}`);
  return model;
}

function checkSchema(schema: string | undefined): void {
  if (!schema) throw badRequest('Model schema must have at least 1 property or array items defined');
  try {
    const parsed: unknown = parseJson(schema);
    if (typeof parsed === 'object' && parsed !== null) return;
  } catch {
    // Rejected below.
  }
  throw badRequest(
    `Invalid model specified: Validation Result: warnings : [], errors : [Invalid model schema specified. Only JSON is supported]`,
  );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateModel.html */
export function CreateModel(input: InputOf<'CreateModel'>, ctx: ApigatewayContext): OutputOf<'CreateModel'> {
  const { restApiId, name, description, schema, contentType } = input;
  apiOf(restApiId, ctx);
  if (name === '') throw badRequest('Model name must be non-empty');
  const problem = nameProblem(name);
  if (problem !== undefined) throw badRequest(problem);
  checkSchema(schema);
  if (ctx.state.models.get(restApiId, name)) throw conflict('Model name already exists for this REST API');
  const model: ModelRecord = {
    id: ctx.state.newId(6),
    name,
    ...(description !== undefined && { description }),
    schema: schema!,
    contentType,
  };
  return ctx.state.models.put(restApiId, name, model);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetModel.html */
export function GetModel(input: InputOf<'GetModel'>, ctx: ApigatewayContext): OutputOf<'GetModel'> {
  const model = modelOf(input, ctx);
  return input.flatten ? { ...model, schema: flattened(model, ctx.state.models.list(input.restApiId)) } : model;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetModels.html */
export function GetModels(input: InputOf<'GetModels'>, ctx: ApigatewayContext): OutputOf<'GetModels'> {
  apiOf(input.restApiId, ctx);
  const all = ctx.state.models.list(input.restApiId);
  return paging.page('GetModels', input, all, ({ name }) => name).list((model) => model);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetModelTemplate.html */
export function GetModelTemplate(
  input: InputOf<'GetModelTemplate'>,
  ctx: ApigatewayContext,
): OutputOf<'GetModelTemplate'> {
  return {
    value: templateOf(modelOf(input, ctx)),
  };
}

const MODEL_TABLE: PatchTable<ModelRecord> = {
  rules: [
    text('/description', 'description'),
    {
      path: '/schema',
      ops: ['replace'],
      apply(draft, step) {
        checkSchema(step.value);
        draft.schema = givenValue(step);
      },
    },
  ],
  refuse: refuseListing,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateModel.html */
export function UpdateModel(input: InputOf<'UpdateModel'>, ctx: ApigatewayContext): OutputOf<'UpdateModel'> {
  modelOf(input, ctx);
  return ctx.state.models.update(input.restApiId, input.modelName, (draft) =>
    applyPatch(MODEL_TABLE, draft, input.patchOperations),
  );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteModel.html */
export function DeleteModel(input: InputOf<'DeleteModel'>, ctx: ApigatewayContext): OutputOf<'DeleteModel'> {
  const { restApiId, modelName } = input;
  modelOf(input, ctx);
  for (const { path, methods } of ctx.state.resources.list(restApiId))
    for (const [name, { requestModels = {}, methodResponses = {} }] of Object.entries(methods)) {
      const place = path === '/' ? `//${name}` : `${path}/${name}`;
      if (Object.values(requestModels).includes(modelName))
        throw conflict(`Cannot delete model '${modelName}', is referenced in method request: ${place}`);
      if (
        Object.values(methodResponses).some(({ responseModels = {} }) =>
          Object.values(responseModels).includes(modelName),
        )
      )
        throw conflict(`Cannot delete model '${modelName}', is referenced in method response: ${place}`);
    }
  for (const other of ctx.state.models.list(restApiId))
    if (other.name !== modelName && other.schema?.includes(`/models/${modelName}"`))
      throw conflict(`Cannot delete model '${modelName}', is referenced in model: ${other.name}`);
  ctx.state.models.delete(restApiId, modelName);
  return {};
}

function validatorOf(
  { restApiId, requestValidatorId }: { restApiId: string; requestValidatorId: string },
  { state }: ApigatewayContext,
): DeepReadonly<ValidatorRecord> {
  const validator = state.validators.get(restApiId, requestValidatorId);
  if (!validator) throw notFound('Invalid Request Validator identifier specified');
  return validator;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateRequestValidator.html */
export function CreateRequestValidator(
  input: InputOf<'CreateRequestValidator'>,
  ctx: ApigatewayContext,
): OutputOf<'CreateRequestValidator'> {
  const { restApiId, name, validateRequestBody = false, validateRequestParameters = false } = input;
  requireApi(restApiId, ctx);
  const id = ctx.state.newId(6);
  return ctx.state.validators.put(restApiId, id, {
    id,
    ...(name !== undefined && { name }),
    validateRequestBody,
    validateRequestParameters,
  });
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetRequestValidator.html */
export function GetRequestValidator(
  input: InputOf<'GetRequestValidator'>,
  ctx: ApigatewayContext,
): OutputOf<'GetRequestValidator'> {
  return validatorOf(input, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetRequestValidators.html */
export function GetRequestValidators(
  input: InputOf<'GetRequestValidators'>,
  ctx: ApigatewayContext,
): OutputOf<'GetRequestValidators'> {
  apiOf(input.restApiId, ctx);
  const all = ctx.state.validators.list(input.restApiId);
  return paging.page('GetRequestValidators', input, all, ({ id }) => id).list((validator) => validator);
}

const VALIDATOR_TABLE: PatchTable<ValidatorRecord> = {
  rules: [
    {
      path: '/name',
      ops: ['replace'],
      apply(draft, step) {
        if (!step.value) throw badRequest('Request Validator name cannot be blank');
        draft.name = step.value;
      },
    },
    {
      path: '/validateRequestParameters',
      ops: ['replace'],
      apply(draft, step) {
        draft.validateRequestParameters = flagOf(step);
      },
    },
    {
      path: '/validateRequestBody',
      ops: ['replace'],
      apply(draft, step) {
        draft.validateRequestBody = flagOf(step);
      },
    },
  ],
  refuse: refuseListing,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateRequestValidator.html */
export function UpdateRequestValidator(
  input: InputOf<'UpdateRequestValidator'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateRequestValidator'> {
  validatorOf(input, ctx);
  return ctx.state.validators.update(input.restApiId, input.requestValidatorId, (draft) =>
    applyPatch(VALIDATOR_TABLE, draft, input.patchOperations),
  );
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteRequestValidator.html */
export function DeleteRequestValidator(
  input: InputOf<'DeleteRequestValidator'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteRequestValidator'> {
  const { restApiId, requestValidatorId } = input;
  validatorOf(input, ctx);
  for (const { path, methods } of ctx.state.resources.list(restApiId))
    for (const [name, method] of Object.entries(methods))
      if (method.requestValidatorId === requestValidatorId)
        throw conflict(
          `Cannot delete request validator '${requestValidatorId}', is referenced in method: ${path}/${name}`,
        );
  ctx.state.validators.delete(restApiId, requestValidatorId);
  return {};
}
