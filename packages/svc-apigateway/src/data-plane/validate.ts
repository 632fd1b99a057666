import type { DeepReadonly } from '@emu/core';
import type { ErrorObject, ValidateFunction } from 'ajv';
import AjvDraft04 from 'ajv-draft-04';
import type { ApiDefinition, ModelRecord } from '../records.ts';
import type { Call } from './call.ts';
import { GatewayFault } from './fault.ts';
import { jsonOf } from './mapping.ts';

type Validator = { validate(name: string): ValidateFunction | undefined };

const validators = new WeakMap<DeepReadonly<ApiDefinition>, Validator>();
/** Name by which models refer to each other, of whatever host. */
const MODEL_URL = /^https?:\/\/apigateway\.[^/]+\/restapis\/[^/]+\/models\/([^/#]+)(#.*)?$/;

/** References to other models by their names alone. */
function withLocalNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withLocalNames);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const [, name, part = ''] = (key === '$ref' && typeof value === 'string' && MODEL_URL.exec(value)) || [];
      return [key, name === undefined ? withLocalNames(value) : `model:${name}${part}`];
    }),
  );
}

function makeValidator(models: readonly DeepReadonly<ModelRecord>[]): Validator {
  const ajv = new AjvDraft04.default({ strict: false, allErrors: true, logger: false, validateFormats: false });
  for (const { name, schema } of models) {
    const parsed = jsonOf(schema ?? '');
    if (typeof parsed !== 'object' || parsed === null) continue;
    const { id, $id, ...rest } = withLocalNames(parsed) as Record<string, unknown>;
    try {
      ajv.addSchema(rest, `model:${name}`);
    } catch {
      // A schema that is none accepts nothing: the look-up below finds none.
    }
  }
  return {
    validate(name) {
      try {
        return ajv.getSchema(`model:${name}`) as ValidateFunction | undefined;
      } catch {
        return undefined;
      }
    },
  };
}

function validatorOf(definition: DeepReadonly<ApiDefinition>): Validator {
  let validator = validators.get(definition);
  if (!validator) {
    validator = makeValidator(definition.models);
    validators.set(definition, validator);
  }
  return validator;
}

/** What is wrong, as `$context.error.validationErrorString` has it. */
const describe = (errors: readonly ErrorObject[]): string =>
  `[${errors
    .map(({ keyword, message, params }) => {
      if (keyword === 'required')
        return `object has missing required properties (["${String(params.missingProperty)}"])`;
      if (keyword === 'type')
        return `instance type does not match any allowed primitive type (allowed: ["${String(params.type)}"])`;
      return message ?? keyword;
    })
    .join(', ')}]`;

/**
 * Checks a request by the validator of its method.
 * @throws GatewayFault `BAD_REQUEST_PARAMETERS`, `BAD_REQUEST_BODY`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-request-validation.html
 */
export function validateRequest(call: Call): void {
  const { method, definition, request, pathParameters } = call;
  const validator = definition.validators.find(({ id }) => id === method.requestValidatorId);
  if (!validator) return;
  if (validator.validateRequestParameters) {
    const missing = Object.entries(method.requestParameters ?? {}).flatMap(([key, required]) => {
      const [, , place, ...rest] = key.split('.');
      const name = rest.join('.');
      if (!required) return [];
      const value =
        place === 'path'
          ? pathParameters[name]
          : (place?.endsWith('header') ? request.headers : request.query).get(name);
      return value === undefined || value === '' ? [name] : [];
    });
    if (missing.length > 0)
      throw new GatewayFault(
        'BAD_REQUEST_PARAMETERS',
        `Missing required request parameters: [${missing.join(', ')}]`,
        'BadRequestException',
      );
  }
  if (validator.validateRequestBody) validateBody(call);
}

function validateBody({ method, definition, request }: Call): void {
  const models = method.requestModels ?? {};
  const type = (request.headers.get('content-type') ?? 'application/json').split(';')[0]!.trim().toLowerCase();
  const name = Object.entries(models).find(([one]) => one.toLowerCase() === type)?.[1] ?? models.$default;
  if (name === undefined) return;
  const validate = validatorOf(definition).validate(name);
  const body = jsonOf(request.body);
  const refuse = (validation: string) =>
    new GatewayFault('BAD_REQUEST_BODY', 'Invalid request body', 'BadRequestException', { validation });
  if (!validate) throw refuse('[the model is no schema]');
  if (body === undefined) throw refuse('[the body is no JSON]');
  if (!validate(body)) throw refuse(describe(validate.errors ?? []));
}
