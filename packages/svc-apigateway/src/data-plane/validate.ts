import { type ModelValidator, modelValidator } from '@emu/apigateway-common/models';
import type { DeepReadonly } from '@emu/core/service';
import type { ApiDefinition } from '../records.ts';
import type { Call } from './call.ts';
import { GatewayFault } from './fault.ts';
import { jsonOf } from './mapping.ts';

const validators = new WeakMap<DeepReadonly<ApiDefinition>, ModelValidator>();

function validatorOf(definition: DeepReadonly<ApiDefinition>): ModelValidator {
  let validator = validators.get(definition);
  if (!validator) {
    validator = modelValidator(definition.models);
    validators.set(definition, validator);
  }
  return validator;
}

/**
 * Validates a request with the validator of its method.
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
  const body = jsonOf(request.body);
  const refuse = (validation: string) =>
    new GatewayFault('BAD_REQUEST_BODY', 'Invalid request body', 'BadRequestException', { validation });
  if (body === undefined) throw refuse('[the body is not valid JSON]');
  const problem = validatorOf(definition).problem(name, body);
  if (problem !== undefined) throw refuse(problem);
}
