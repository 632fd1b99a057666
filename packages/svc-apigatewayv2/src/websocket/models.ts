import type { ModelValidation } from '@emu/apigateway-common/models';
import type { RouteRecord } from '../records.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import { DEFAULT_KEY, keyOfMessage } from './selection.ts';

const validations = new WeakMap<CompiledStage, ModelValidation>();

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
  let validation = validations.get(stage);
  if (!validation) {
    const { ModelValidation } = await import('@emu/apigateway-common/models');
    const { models } = stage.configuration;
    validation = new ModelValidation(models.map(({ Name, Schema }) => ({ name: Name, schema: Schema })));
    validations.set(stage, validation);
  }
  return validation.problem(name, message, stage.api.ApiId);
}
