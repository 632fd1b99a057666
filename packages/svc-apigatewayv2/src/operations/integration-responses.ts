import type { DeepReadonly } from '@emu/core';
import type {
  CreateIntegrationResponseRequest,
  InputOf,
  IntegrationResponse,
  OutputOf,
} from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { conflict, invalid, notEmulated, notFound } from '../errors.ts';
import { apiOf, integrationOf } from '../lookup.ts';
import { given } from '../members.ts';
import { paging, withLimit } from '../paging.ts';
import type { IntegrationResponseRecord } from '../records.ts';
import { checkWebSocketApi } from '../validation/websocket-only.ts';
import { RESPONSE_SOURCE, RESPONSE_TARGET } from '../websocket/parameters.ts';
import { isResponseSelection } from '../websocket/selection.ts';

const KEY = /^(?:\$default|\/.+\/)$/;
const SETTINGS = [
  'ContentHandlingStrategy',
  'ResponseParameters',
  'ResponseTemplates',
  'TemplateSelectionExpression',
] as const;

const describe = (response: DeepReadonly<IntegrationResponseRecord>): IntegrationResponse =>
  response as IntegrationResponse;

/** The responses of an integration that a request names. */
function ownerOf(input: { ApiId: string; IntegrationId: string }, ctx: Apigatewayv2Context): string {
  checkWebSocketApi(apiOf(input, ctx), 'Integration responses');
  return `${input.ApiId}/${integrationOf(input, ctx).IntegrationId}`;
}

function responseOf(
  input: { ApiId: string; IntegrationId: string; IntegrationResponseId: string },
  ctx: Apigatewayv2Context,
): [owner: string, response: DeepReadonly<IntegrationResponseRecord>] {
  const owner = ownerOf(input, ctx);
  const response = ctx.state.integrationResponses.get(owner, input.IntegrationResponseId);
  if (!response) throw notFound('Invalid IntegrationResponse identifier specified');
  return [owner, response];
}

/** Checks a response as it is going to be. */
function check(
  owner: string,
  response: Partial<Omit<CreateIntegrationResponseRequest, 'ApiId' | 'IntegrationId'>>,
  { state }: Apigatewayv2Context,
  id?: string,
): void {
  const { IntegrationResponseKey: key = '', ResponseParameters = {}, ContentHandlingStrategy } = response;
  if (!KEY.test(key))
    throw invalid('The integration response key must be $default or a regular expression between slashes');
  if (key.startsWith('/'))
    try {
      new RegExp(key.slice(1, -1));
    } catch {
      throw invalid(`Invalid regular expression specified: ${key}`);
    }
  const others = state.integrationResponses.list(owner);
  if (others.some((other) => other.IntegrationResponseKey === key && other.IntegrationResponseId !== id))
    throw conflict(`Integration response with key ${key} already exists for this integration`);
  const { TemplateSelectionExpression: selection } = response;
  if (selection !== undefined && !isResponseSelection(selection))
    throw invalid(`Invalid TemplateSelectionExpression specified: ${selection}`);
  for (const [target, source] of Object.entries(ResponseParameters))
    for (const [text, form] of [
      [target, RESPONSE_TARGET],
      [source, RESPONSE_SOURCE],
    ] as const)
      if (!form.test(text)) throw invalid(`Invalid mapping expression specified: ${text}`);
  if (ContentHandlingStrategy === 'CONVERT_TO_BINARY')
    throw notEmulated('binary answers of WebSocket APIs (ContentHandlingStrategy CONVERT_TO_BINARY)');
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses.html#CreateIntegrationResponse */
export function CreateIntegrationResponse(
  input: InputOf<'CreateIntegrationResponse'>,
  ctx: Apigatewayv2Context,
): OutputOf<'CreateIntegrationResponse'> {
  const owner = ownerOf(input, ctx);
  check(owner, input, ctx);
  const IntegrationResponseId = ctx.state.newId();
  const { IntegrationResponseKey } = input;
  const response = { ...given(input, SETTINGS), IntegrationResponseId, IntegrationResponseKey };
  ctx.state.integrationResponses.put(owner, IntegrationResponseId, response);
  ctx.state.changed(input.ApiId);
  return describe(response);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses-integrationresponseid.html#GetIntegrationResponse */
export function GetIntegrationResponse(
  input: InputOf<'GetIntegrationResponse'>,
  ctx: Apigatewayv2Context,
): OutputOf<'GetIntegrationResponse'> {
  return describe(responseOf(input, ctx)[1]);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses.html#GetIntegrationResponses */
export function GetIntegrationResponses(
  input: InputOf<'GetIntegrationResponses'>,
  ctx: Apigatewayv2Context,
): OutputOf<'GetIntegrationResponses'> {
  const responses = ctx.state.integrationResponses.list(ownerOf(input, ctx));
  return paging
    .page('GetIntegrationResponses', withLimit(input), responses, ({ IntegrationResponseId }) => IntegrationResponseId)
    .list(describe);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses-integrationresponseid.html#UpdateIntegrationResponse */
export function UpdateIntegrationResponse(
  input: InputOf<'UpdateIntegrationResponse'>,
  ctx: Apigatewayv2Context,
): OutputOf<'UpdateIntegrationResponse'> {
  const [owner, response] = responseOf(input, ctx);
  const changed = {
    ...response,
    ...given(input, [...SETTINGS, 'ContentHandlingStrategy', 'IntegrationResponseKey']),
  } as IntegrationResponseRecord;
  check(owner, changed, ctx, response.IntegrationResponseId);
  const updated = ctx.state.integrationResponses.put(owner, response.IntegrationResponseId, changed);
  ctx.state.changed(input.ApiId);
  return describe(updated);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-integrations-integrationid-integrationresponses-integrationresponseid.html#DeleteIntegrationResponse */
export function DeleteIntegrationResponse(
  input: InputOf<'DeleteIntegrationResponse'>,
  ctx: Apigatewayv2Context,
): OutputOf<'DeleteIntegrationResponse'> {
  const [owner, { IntegrationResponseId }] = responseOf(input, ctx);
  ctx.state.integrationResponses.delete(owner, IntegrationResponseId);
  ctx.state.changed(input.ApiId);
  return {};
}
