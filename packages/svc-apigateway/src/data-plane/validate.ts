import { ModelValidation } from '@emu/apigateway-common/models';
import type { DeepReadonly } from '@emu/core/service';
import type { ApiDefinition } from '../records.ts';
import type { Call } from './call.ts';
import { GatewayFault } from './fault.ts';

const validations = new WeakMap<DeepReadonly<ApiDefinition>, ModelValidation>();

function validationOf(definition: DeepReadonly<ApiDefinition>): ModelValidation {
  let validation = validations.get(definition);
  if (!validation) {
    validation = new ModelValidation(definition.models);
    validations.set(definition, validation);
  }
  return validation;
}

/**
 * Validates a request with the validator of its method.
 * @returns undefined if the work is done
 * @throws GatewayFault `BAD_REQUEST_PARAMETERS`, `BAD_REQUEST_BODY`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-request-validation.html
 */
export function validateRequest(call: Call): Promise<void> | undefined {
  const { method, definition, request, pathParameters } = call;
  const validator = definition.validators.find(({ id }) => id === method.requestValidatorId);
  if (!validator) return undefined;
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
  return validator.validateRequestBody ? validateBody(call) : undefined;
}

function validateBody({ apiId, method, definition, request }: Call): Promise<void> | undefined {
  const models = method.requestModels ?? {};
  const type = (request.headers.get('content-type') ?? 'application/json').split(';')[0]!.trim().toLowerCase();
  const name = Object.entries(models).find(([one]) => one.toLowerCase() === type)?.[1] ?? models.$default;
  if (name === undefined) return undefined;
  const check = (validation: string | undefined): undefined => {
    if (validation !== undefined)
      throw new GatewayFault('BAD_REQUEST_BODY', 'Invalid request body', 'BadRequestException', { validation });
  };
  const problem = validationOf(definition).problem(name, request.body.toString(), apiId);
  return problem instanceof Promise ? problem.then(check) : check(problem);
}
