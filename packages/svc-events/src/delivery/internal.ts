import type { EventsInternalOperations, HttpAnswer } from '@emu/service-types/internal/events';
import { parseJson } from '@emu/wire';
import type { EventsContext } from '../context.ts';
import { apiDestinationType } from '../resources.ts';
import { encodeForm } from './form.ts';
import { type HttpOutcome, sendByConnection, sendToApiDestination, sendToApiGateway } from './http.ts';

type Operation = EventsInternalOperations['SendHttpRequest'];
type ConnectionOperation = EventsInternalOperations['SendConnectionRequest'];

/** Limit of a response body in bytes, as for enrichments of pipes. */
const MAX_ANSWER = 6 * 1024 * 1024;

/**
 * Sends a request to an API destination or API Gateway, for pipes.
 * @throws AwsError for an unknown destination or an unauthorized connection
 */
export async function SendHttpRequest(
  { Arn: arn, HttpParameters: given, Body: body }: Operation['input'],
  { state }: EventsContext,
): Promise<Operation['output']> {
  const parameters = {
    PathParameterValues: given.PathParameterValues ?? [],
    HeaderParameters: given.HeaderParameters ?? {},
    QueryStringParameters: given.QueryStringParameters ?? {},
  };
  const call = { arn, parameters, body, mostBytes: MAX_ANSWER };
  const outcome = apiDestinationType.parse(arn)
    ? await sendToApiDestination(state, call)
    : await sendToApiGateway(state, call);
  return answerOf(outcome);
}

/**
 * Sends a request to any URL through a connection, for HTTP tasks of Step Functions.
 * @throws AwsError for an unknown or unauthorized connection
 */
export async function SendConnectionRequest(
  input: ConnectionOperation['input'],
  { state }: EventsContext,
): Promise<ConnectionOperation['output']> {
  const { FormArrays: arrays } = input;
  const { outcome, sent } = await sendByConnection(state, {
    connectionArn: input.ConnectionArn,
    url: input.Url,
    method: input.Method,
    headers: input.HeaderParameters,
    query: input.QueryStringParameters,
    body: input.Body,
    encode: (body) => {
      const value: unknown = parseJson(body);
      if (arrays !== undefined) return encodeForm(value, arrays);
      return typeof value === 'string' ? value : body;
    },
    fixed: input.FixedHeaders,
    mostBytes: input.MostBytes,
    timeout: input.Timeout,
  });
  return { ...answerOf(outcome), Sent: { Url: sent.url.href, Headers: sent.headers, Body: sent.body } };
}

function answerOf(outcome: HttpOutcome): HttpAnswer {
  if ('failure' in outcome)
    return { Status: 0, StatusText: '', Headers: {}, Body: '', Message: outcome.failure.message };
  const { status, statusText, headers, text } = outcome.answer;
  const Message = `The target answered with the status ${status}.`;
  return { Status: status, StatusText: statusText, Headers: headers, Body: text, Message };
}
