import type { ModelValidator } from '@emu/apigateway-common/models';
import { parseJson } from '@emu/wire';
import type { RouteRecord } from '../records.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import { DEFAULT_KEY, keyOfMessage } from './selection.ts';

const validators = new WeakMap<CompiledStage, ModelValidator>();

/**
 * Validates a message with the model that its route selects.
 * @returns the error; undefined if the message is valid or no model applies
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-request-validation.html
 */
export async function problemOf(
  stage: CompiledStage,
  route: RouteRecord,
  message: string,
): Promise<string | undefined> {
  const { RequestModels, ModelSelectionExpression = DEFAULT_KEY } = route;
  if (!RequestModels || Object.keys(RequestModels).length === 0) return undefined;
  const key = keyOfMessage(ModelSelectionExpression, message) ?? DEFAULT_KEY;
  const name = RequestModels[key] ?? RequestModels[DEFAULT_KEY];
  if (name === undefined) return undefined;
  let validator = validators.get(stage);
  if (!validator) {
    const { modelValidator } = await import('@emu/apigateway-common/models');
    const { models } = stage.configuration;
    validator = modelValidator(models.map(({ Name, Schema }) => ({ name: Name, schema: Schema })));
    validators.set(stage, validator);
  }
  try {
    return validator.problem(name, parseJson(message));
  } catch (error) {
    if (error instanceof SyntaxError) return '[the body is not valid JSON]';
    throw error;
  }
}
