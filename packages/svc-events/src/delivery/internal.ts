import type { OperationContext } from '@emu/core';
import type { EventsInternalOperations } from '@emu/service-types/internal/events';
import { apiDestinationType } from '../resources.ts';
import type { EventsState } from '../state.ts';
import { sendToApiDestination, sendToApiGateway } from './http.ts';

type Operation = EventsInternalOperations['SendHttpRequest'];

/** Bytes of an answer's body, as of the enrichments of pipes. */
const MAX_ANSWER = 6 * 1024 * 1024;

/**
 * Sends a request to an API destination or to API Gateway, for pipes.
 * @throws AwsError where there is no such destination, or its connection is not authorized
 */
export async function SendHttpRequest(
  { Arn: arn, HttpParameters: given, Body: body }: Operation['input'],
  { state }: OperationContext<EventsState>,
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
  if ('failure' in outcome) return { Status: 0, Body: '', Message: outcome.failure.message };
  const { status, text } = outcome.answer;
  return { Status: status, Body: text, Message: `The target answered with the status ${status}.` };
}
