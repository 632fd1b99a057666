import { AwsError, isObject, textOf } from '@emu/wire';
import type { Json, JsonObject } from '../../documents/content.ts';
import { StepFailure } from '../failures.ts';
import type { StepContext } from '../types.ts';
import { answerJson, select } from '../values.ts';
import { settled } from '../waiting.ts';
import type { Action } from './types.ts';

/** Service names of the AWS SDK for Python that differ from emu's. */
const SERVICES: Readonly<Record<string, string>> = {
  'resource-groups': 'resourcegroups',
  'service-quotas': 'servicequotas',
};

/** Milliseconds between two reads of a property. */
const POLL = 10_000;

/**
 * Returns an operation name, converted from the AWS SDK for Python's form such as `describe_instances` if necessary.
 */
const operationOf = (api: string): string =>
  api.includes('_') || /^[a-z]/.test(api)
    ? api
        .split('_')
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join('')
    : api;

/** Converts parameters to the service's JSON: encodes a function's payload in base64. */
function parametersOf(service: string, operation: string, parameters: JsonObject): JsonObject {
  if (service !== 'lambda' || operation !== 'Invoke' || parameters.Payload === undefined) return parameters;
  return { ...parameters, Payload: Buffer.from(textOf(parameters.Payload)).toString('base64') };
}

/**
 * Calls an operation of any service with the execution's identity.
 * @throws StepFailure with the service's error
 */
export async function callApi(
  step: StepContext,
  service: string,
  api: string,
  parameters: JsonObject,
): Promise<JsonObject> {
  const name = service.toLowerCase();
  const operation = operationOf(api);
  const { scope } = step.run.automations;
  const emuName = SERVICES[name] ?? name;
  try {
    const answer = scope.callJson(emuName, operation, parametersOf(emuName, operation, parameters), step.run.caller);
    const json = await answerJson(await settled(answer, step.signal));
    return isObject(json) ? json : {};
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const code = error.code.split('.').at(-1)!;
    throw new StepFailure(
      `An error occurred (${code}) when calling the ${operation} operation: ${error.message}`,
      'Invocation',
      code,
    );
  }
}

const call = ({ inputs }: StepContext, step: StepContext): Promise<JsonObject> => {
  const { Service, Api, PropertySelector: _selector, DesiredValues: _values, ...parameters } = inputs;
  return callApi(step, textOf(Service!), textOf(Api!), parameters);
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-executeAwsApi.html */
export const executeAwsApi: Action = {
  timeout: 25,
  run: async (step) => ({ outputs: {}, payload: await call(step, step) }),
};

/** Returns the property of a response, and whether it has a desired value. */
function look(
  answer: JsonObject,
  { PropertySelector, DesiredValues }: JsonObject,
): { value: string; desired: boolean } {
  const found = select(answer, textOf(PropertySelector!));
  const values = (Array.isArray(DesiredValues) ? DesiredValues : [DesiredValues!]).map((value) =>
    textOf(value).toLowerCase(),
  );
  const texts = (Array.isArray(found) ? found : [found ?? '']).map(textOf);
  return {
    value: texts.join(', '),
    desired: texts.length > 0 && texts.every((one) => values.includes(one.toLowerCase())),
  };
}

const shown = (values: Json): string =>
  (Array.isArray(values) ? values : [values]).map((value) => `'${textOf(value)}'`).join(', ');

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-assertAwsResourceProperty.html */
export const assertAwsResourceProperty: Action = {
  async run(step) {
    const answer = await call(step, step);
    const { value, desired } = look(answer, step.inputs);
    if (!desired)
      throw new StepFailure(
        `Property value '${value}' from the API output is not in the desired values. Desired values: [${shown(step.inputs.DesiredValues!)}].`,
      );
    return { outputs: {}, payload: answer };
  },
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-waitForAwsResourceProperty.html */
export const waitForAwsResourceProperty: Action = {
  timeout: 3600,
  async run(step) {
    for (;;) {
      const answer = await call(step, step);
      if (look(answer, step.inputs).desired) return { outputs: {}, payload: answer };
      await step.run.until(step.run.clock.now() + POLL, step.signal);
    }
  },
};
