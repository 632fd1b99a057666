import { lowerId } from '@emu/core/descriptors';
import { WholeRegex } from '@emu/core/regex';
import { notEmulated } from '@emu/core/service';
import { descriptor } from '../descriptor.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { checkWebSocketApi } from '../validation/websocket-only.ts';
import { RESPONSE_SOURCE, RESPONSE_TARGET } from '../websocket/parameters.ts';
import { isResponseSelection } from '../websocket/selection.ts';
import { apis } from './apis.ts';
import { integrations } from './integrations.ts';

const KEY = /^(?:\$default|\/.+\/)$/;

/**
 * Validates an integration response key.
 * @throws AwsError `BadRequestException`
 */
function checkKey(key = ''): void {
  if (!KEY.test(key))
    throw badRequest('The integration response key must be $default or a regular expression between slashes');
  if (!key.startsWith('/')) return;
  const problem = WholeRegex.problem(key.slice(1, -1));
  if (problem !== undefined) throw badRequest(`Invalid regular expression specified: ${key}${problem}`);
}

/** Integration responses of WebSocket APIs. @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses-integrationresponseid.html */
export const integrationResponses = descriptor({
  name: 'IntegrationResponse',
  records: 'integrationResponses',
  owner: integrations,
  key: 'IntegrationResponseId',
  id: lowerId(7),
  before: (input, ctx) => checkWebSocketApi(apis.find(input, ctx), 'Integration responses'),
  missing: () => notFound('Invalid IntegrationResponse identifier specified'),
  rules: [
    ({ IntegrationResponseKey }) => checkKey(IntegrationResponseKey),
    {
      unique: ['IntegrationResponseKey'],
      error: ({ IntegrationResponseKey: key }) =>
        conflict(`Integration response with key ${key} already exists for this integration`),
    },
    ({ TemplateSelectionExpression: selection }) => {
      if (selection !== undefined && !isResponseSelection(selection))
        throw badRequest(`Invalid TemplateSelectionExpression specified: ${selection}`);
    },
    ({ ResponseParameters = {} }) => {
      for (const [target, source] of Object.entries(ResponseParameters))
        for (const [text, form] of [
          [target, RESPONSE_TARGET],
          [source, RESPONSE_SOURCE],
        ] as const)
          if (!form.test(text)) throw badRequest(`Invalid mapping expression specified: ${text}`);
    },
    ({ ContentHandlingStrategy }) => {
      if (ContentHandlingStrategy === 'CONVERT_TO_BINARY')
        throw notEmulated('binary answers of WebSocket APIs (ContentHandlingStrategy CONVERT_TO_BINARY)');
    },
  ],
  changed: (_response, { at, ctx }) => ctx.state.changed(at.ApiId),
});
