import { parseArn } from '@emu/core/service';
import type { HttpAnswer, SentRequest } from '@emu/service-types/internal/events';
import { AwsError, asString, isObject, parseJson, textOf } from '@emu/wire';
import { runtimeFailure, StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { MAX_BYTES, type Task } from '../runtime/run.ts';
import { asRole } from './role.ts';
import type { TaskContext } from './task-context.ts';

/** Timeout of an endpoint, in milliseconds. */
const TIMEOUT = 60_000;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'];
const ARRAYS = ['BRACKETS', 'COMMAS', 'INDICES', 'NONE', 'REPEAT'] as const;
/** Headers that a state must not set, in lower case. */
const FORBIDDEN = new Set(
  'a-im accept-charset accept-datetime accept-encoding authorization cache-control connection content-encoding content-md5 date expect forwarded from host http2-settings if-match if-modified-since if-none-match if-range if-unmodified-since max-forwards origin pragma proxy-authorization referer server te trailer transfer-encoding upgrade via warning'.split(
    ' ',
  ),
);
const FORBIDDEN_PREFIX = /^(x-forwarded-|x-amzn?-)/;
/** Unsupported content types of responses, which are not text. */
const BINARY = /^(application\/octet-stream|image\/|video\/|audio\/)/i;

const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const texts = (value: Json | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(object(value)).map(([key, item]) => [key, textOf(item)]));

/**
 * Calls an HTTPS API with an EventBridge connection.
 * @returns its status, headers and body
 * @throws StateFailure `States.Http.StatusCode.<code>`, `States.Http.Socket`, or `States.Runtime` for an invalid
 * request
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/call-https-apis.html
 */
export async function invokeHttp(task: Task, around: TaskContext): Promise<Json> {
  const input = object(task.input);
  const url = asString(input.ApiEndpoint);
  const method = asString(input.Method);
  const connection =
    asString(object(input.Authentication).ConnectionArn) ?? asString(object(input.InvocationConfig).ConnectionArn);
  if (url === undefined || !URL.canParse(url)) throw runtimeFailure('The value of ApiEndpoint is not a valid URL.');
  if (method === undefined || !METHODS.includes(method))
    throw runtimeFailure(`The value of Method is not one of ${METHODS.join(', ')}.`);
  if (connection === undefined) throw runtimeFailure('A ConnectionArn must be specified for an HTTP Task.');
  const { accountId, region } = parseArn(connection) ?? {};
  const query = queryOf(input.QueryParameters);
  const request = requestOf(input, around.scope.region);
  let answer: HttpAnswer & { Sent: SentRequest };
  try {
    answer = await around.scope.call(
      'events',
      'SendConnectionRequest',
      {
        ConnectionArn: connection,
        StateMachineArn: asString(object(task.run.context.StateMachine).Id)!,
        Url: url,
        Method: method,
        ...request,
        QueryStringParameters: query,
        MostBytes: MAX_BYTES,
        Timeout: TIMEOUT,
      },
      { ...asRole(around, task), ...(accountId && region && { accountId, region }) },
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new StateFailure(`Events.${error.code.replace(/(Exception)?$/, 'Exception')}`, error.message);
  }
  const own = { Url: withQuery(url, query), Headers: { ...request.HeaderParameters, ...request.FixedHeaders } };
  task.run.inspectHttp?.({ method, own: { ...own, Body: request.Body }, sent: answer.Sent, answer });
  return resultOf(answer);
}

function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const whole = new URL(url);
  for (const [key, value] of Object.entries(query)) whole.searchParams.set(key, value);
  return whole.href;
}

/** Returns headers and body of a request from the task's parameters and Transform. */
function requestOf({ Headers, RequestBody, Transform }: JsonObject, region: string) {
  const { RequestBodyEncoding: encoding = 'NONE', RequestEncodingOptions: options } = object(Transform);
  const isForm = encoding === 'URL_ENCODED';
  const named = object(options).ArrayFormat ?? 'INDICES';
  const arrays = ARRAYS.find((format) => format === named);
  if (isForm && arrays === undefined)
    throw runtimeFailure(`The value of ArrayFormat is not one of ${ARRAYS.join(', ')}.`);
  const given = Object.fromEntries(Object.entries(texts(Headers)).map(([key, value]) => [key.toLowerCase(), value]));
  const forbidden = Object.keys(given).find((name) => FORBIDDEN.has(name) || FORBIDDEN_PREFIX.test(name));
  if (forbidden !== undefined) throw runtimeFailure(`The header ${forbidden} cannot be set in an HTTP Task.`);
  return {
    HeaderParameters: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...given,
    },
    FixedHeaders: {
      'user-agent': `Amazon|StepFunctions|HttpInvoke|${region}`,
      range: `bytes=0-${MAX_BYTES}`,
    },
    Body: RequestBody === undefined ? undefined : JSON.stringify(RequestBody),
    FormArrays: isForm ? arrays : undefined,
  };
}

/** Returns query parameters, with lists of values joined by commas. */
const queryOf = (parameters: Json | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(object(parameters)).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? value.map((item) => asString(item) ?? JSON.stringify(item)).join(',')
        : (asString(value) ?? JSON.stringify(value)),
    ]),
  );

function resultOf(answer: HttpAnswer): Json {
  const { Status, Headers, Body, Message } = answer;
  if (Status === 0) throw new StateFailure('States.Http.Socket', Message);
  const type = Headers['content-type']?.[0] ?? '';
  if (BINARY.test(type)) throw runtimeFailure(`The response has the content type ${type}, which is not supported.`);
  if (Status < 200 || Status > 299) throw new StateFailure(`States.Http.StatusCode.${Status}`, Body);
  return answered(answer);
}

/** Returns a response in the form of state output. */
export function answered({ Status, StatusText, Headers, Body }: HttpAnswer): JsonObject {
  const type = Headers['content-type']?.[0] ?? '';
  return {
    Headers: Object.fromEntries(Object.entries(Headers).map(([name, values]) => [name, [...values]])),
    ResponseBody: bodyOf(Body, type),
    StatusCode: Status,
    StatusText,
  };
}

function bodyOf(body: string, type: string): Json {
  if (!/[/+]json\b/i.test(type)) return body;
  try {
    return parseJson(body) as Json;
  } catch {
    return body;
  }
}
