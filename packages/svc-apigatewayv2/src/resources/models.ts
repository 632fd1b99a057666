import { lowerId } from '@emu/core/descriptors';
import { isObject, parseJson } from '@emu/wire';
import { descriptor } from '../descriptor.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { checkWebSocketApi } from '../validation/websocket-only.ts';
import { apis } from './apis.ts';

const NAME = /^[A-Za-z0-9]{1,128}$/;
const MAX_SCHEMA = 32_768;

/**
 * Validates a JSON schema.
 * @throws AwsError `BadRequestException`
 */
function checkSchema(text: string): void {
  if (text.length > MAX_SCHEMA) throw badRequest(`Schema must have at most ${MAX_SCHEMA} characters`);
  try {
    const schema: unknown = parseJson(text);
    if (isObject(schema)) return;
  } catch {
    // Invalid JSON has the same error.
  }
  throw badRequest('Model schema must be a JSON object');
}

/** Models of WebSocket APIs. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-models-modelid.html */
export const models = descriptor({
  name: 'Model',
  records: 'models',
  owner: apis,
  key: 'ModelId',
  id: lowerId(6),
  missing: () => notFound('Invalid Model identifier specified'),
  rules: [
    (_model, { owner }) => checkWebSocketApi(owner, 'Models'),
    ({ Name }) => {
      if (!NAME.test(Name)) throw badRequest('Model name must be alphanumeric: [a-zA-Z0-9]');
    },
    { unique: ['Name'], error: ({ Name }) => conflict(`Model name already exists: ${Name}`) },
    ({ Schema }) => checkSchema(Schema),
  ],
  changed: (_model, { at, ctx }) => ctx.state.changed(at.ApiId),
});
