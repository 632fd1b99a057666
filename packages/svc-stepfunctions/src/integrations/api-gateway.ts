import { formatArn } from '@emu/core';
import type { HttpAnswer } from '@emu/service-types/internal/events';
import { AwsError } from '@emu/wire';
import { runtimeFailure, StateFailure } from '../asl/failure.ts';
import { isObject, type Json, type JsonObject } from '../asl/json.ts';
import type { Task } from '../runtime/run.ts';
import { answered } from './http.ts';
import { asRole } from './role.ts';
import type { Surroundings } from './surroundings.ts';

/** Values are given as lists of texts. */
const listOf = (value: Json): string[] =>
  (Array.isArray(value) ? value : [value]).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));

const entries = (value: Json | undefined): [string, string[]][] =>
  isObject(value) ? Object.entries(value).map(([key, item]) => [key, listOf(item)]) : [];

/**
 * Calls a REST or HTTP API of API Gateway.
 * @returns its status, headers and body
 * @throws StateFailure `ApiGateway.<status>`; `States.Runtime` for what is no request, and for `IAM_ROLE`
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/connect-api-gateway.html
 */
export async function invokeApi(task: Task, around: Surroundings): Promise<Json> {
  const input: JsonObject = isObject(task.input) ? task.input : {};
  const { ApiEndpoint: endpoint, Method: method, Stage: stage = '$default', Path: path = '/', AuthType: auth } = input;
  if (
    typeof endpoint !== 'string' ||
    typeof method !== 'string' ||
    typeof stage !== 'string' ||
    typeof path !== 'string'
  )
    throw runtimeFailure('ApiEndpoint and Method must be specified for an API Gateway task.');
  if (auth !== undefined && auth !== 'NO_AUTH' && auth !== 'RESOURCE_POLICY')
    throw runtimeFailure(`emu calls no API of API Gateway with the AuthType ${JSON.stringify(auth)}.`);
  const { accountId, region } = around.scope;
  const query = new URLSearchParams(
    entries(input.QueryParameters).flatMap(([key, values]) => values.map((value): [string, string] => [key, value])),
  );
  const [api = ''] = endpoint.split('.');
  const target = `${api}/${stage}/${method}/${path.replace(/^\//, '')}${query.size > 0 ? `?${query}` : ''}`;
  let answer: HttpAnswer;
  try {
    answer = await around.scope.call(
      'events',
      'SendHttpRequest',
      {
        Arn: formatArn({ service: 'execute-api', region, accountId, resource: target }),
        HttpParameters: {
          HeaderParameters: Object.fromEntries(
            entries(input.Headers).map(([key, values]) => [key.toLowerCase(), values.join(',')]),
          ),
        },
        Body: input.RequestBody === undefined ? '' : JSON.stringify(input.RequestBody),
      },
      asRole(around, task),
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new StateFailure('ApiGateway.SdkClientException', error.message);
  }
  const { Status, Message, Body } = answer;
  if (Status === 0) throw new StateFailure('ApiGateway.SdkClientException', Message);
  if (Status < 200 || Status > 299) throw new StateFailure(`ApiGateway.${Status}`, Body);
  return answered(answer);
}
