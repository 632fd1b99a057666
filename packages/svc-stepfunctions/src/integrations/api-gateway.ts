import { createHmac } from 'node:crypto';
import { formatArn, issueSession, type SessionCredential, type StateScope } from '@emu/core/service';
import type { HttpAnswer } from '@emu/service-types/internal/events';
import { AwsError, isObject, textOf } from '@emu/wire';
import { runtimeFailure, StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import type { Task } from '../runtime/run.ts';
import { answered } from './http.ts';
import { asRole } from './role.ts';
import type { TaskContext } from './task-context.ts';

/** Converts values to lists of text. */
const listOf = (value: Json): string[] => (Array.isArray(value) ? value : [value]).map((item) => textOf(item));

const entries = (value: Json | undefined): [string, string[]][] =>
  isObject(value) ? Object.entries(value).map(([key, item]) => [key, listOf(item)]) : [];

/** Whether the headers of a task's input, if any, are lists of values. */
export const areHeaders = (input: Json): boolean =>
  !isObject(input) || !isObject(input.Headers) || Object.values(input.Headers).every((values) => Array.isArray(values));

/** Validity of role credentials, in seconds. */
const SESSION = 900;
/** Maximum number of cached role credentials. */
const MAX_SESSIONS = 100;
const AUTH_TYPES: readonly (Json | undefined)[] = [undefined, 'NO_AUTH', 'IAM_ROLE', 'RESOURCE_POLICY'];

/** Credentials by session ARN. */
const sessions = new WeakMap<StateScope, Map<string, SessionCredential>>();

/** Returns credentials of an execution's role, which are reused for a while. */
function sessionOf(scope: StateScope, principal: NonNullable<ReturnType<typeof asRole>['principal']>) {
  const known = sessions.get(scope) ?? new Map<string, SessionCredential>();
  sessions.set(scope, known);
  const found = known.get(principal.arn);
  // At least half of their validity is left for the request.
  if (found && found.expiresAt > scope.clock.now() + (SESSION / 2) * 1000) return found;
  if (known.size >= MAX_SESSIONS) known.clear();
  const made = issueSession(scope.service, principal, SESSION, { name: 'states' });
  known.set(principal.arn, made);
  return made;
}

/**
 * Returns headers that identify the signer to API Gateway in emu, which reads the access key without verifying the
 * signature.
 */
function signedBy({ accessKeyId, secretAccessKey, sessionToken }: SessionCredential, { clock, region }: StateScope) {
  const date = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const place = `${date.slice(0, 8)}/${region}/execute-api/aws4_request`;
  const signature = createHmac('sha256', secretAccessKey).update(`${place}/${date}`).digest('hex');
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${place}, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    'x-amz-date': date,
    'x-amz-security-token': sessionToken,
  };
}

/**
 * Calls a REST or HTTP API of API Gateway, with AuthType `IAM_ROLE` as the execution's role.
 * @returns its status, headers and body
 * @throws StateFailure `ApiGateway.<status>`; `States.Runtime` for an invalid request
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/connect-api-gateway.html
 */
export async function invokeApi(task: Task, around: TaskContext): Promise<Json> {
  const input: JsonObject = isObject(task.input) ? task.input : {};
  const { ApiEndpoint: endpoint, Method: method, Stage: stage = '$default', Path: path = '/', AuthType: auth } = input;
  if (
    typeof endpoint !== 'string' ||
    typeof method !== 'string' ||
    typeof stage !== 'string' ||
    typeof path !== 'string'
  )
    throw runtimeFailure('ApiEndpoint and Method must be specified for an API Gateway task.');
  if (!AUTH_TYPES.includes(auth))
    throw runtimeFailure(`The value of AuthType is not one of ${AUTH_TYPES.slice(1).join(', ')}.`);
  const { accountId } = around.scope;
  const caller = asRole(around, task);
  const query = new URLSearchParams(
    entries(input.QueryParameters).flatMap(([key, values]) => values.map((value): [string, string] => [key, value])),
  );
  const [api = '', label, place = ''] = endpoint.split('.');
  const region = label === 'execute-api' ? place : around.scope.region;
  const target = `${api}/${stage}/${method}/${path.replace(/^\//, '')}${query.size > 0 ? `?${query}` : ''}`;
  let answer: HttpAnswer;
  try {
    answer = await around.scope.call(
      'events',
      'SendHttpRequest',
      {
        Arn: formatArn({ service: 'execute-api', region, accountId, resource: target }),
        HttpParameters: {
          HeaderParameters: {
            ...Object.fromEntries(entries(input.Headers).map(([key, values]) => [key.toLowerCase(), values.join(',')])),
            ...(auth === 'IAM_ROLE' && signedBy(sessionOf(around.scope, caller.principal!), around.scope)),
          },
        },
        Body: input.RequestBody === undefined ? '' : JSON.stringify(input.RequestBody),
      },
      caller,
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
