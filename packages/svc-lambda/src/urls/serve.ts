import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  type DeepReadonly,
  type Principal,
  readAtMost,
  type ServiceHandle,
  signerOf,
} from '@emu/core/service';
import { AwsError, parseJson } from '@emu/wire';
import { LATEST } from '../function-name.ts';
import { type ResolvedFunction, resolveFunction } from '../names.ts';
import type { FunctionUrlRecord, PolicyStatement } from '../records.ts';
import { type Execution, Executor } from '../runtime/executor.ts';
import { ResponseStream } from '../runtime/response-stream.ts';
import type { LambdaState } from '../state.ts';
import { corsHeaders, isPreflight, preflight } from './url-cors.ts';
import { urlEvent } from './url-event.ts';
import { URL_PATH } from './url-path.ts';
import { forbidden, internalError, responseHeaders, unauthenticated, urlResponse } from './url-response.ts';

/** Maximum bytes of a request body. */
const MAX_BODY = 6_291_456;
/** Separator between the metadata of a streamed response and its body. */
const PRELUDE_END = Buffer.alloc(8);
/** Maximum bytes of the metadata. */
const MAX_PRELUDE = 64 * 1024;
const HTTP_INTEGRATION = 'application/vnd.awslambda.http-integration-response';
const FORBIDDEN =
  'Forbidden. For troubleshooting Function URL authorization issues, see: https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html';
const HOST = /^([a-z0-9-]+)\.lambda-url\.([a-z0-9-]+)\./;

/** Whether a host name is a function URL's; any parent domain is accepted. */
export function ownsHost(name: string, service: ServiceHandle<LambdaState>): boolean {
  const match = HOST.exec(name);
  return match !== null && findUrl(match[1]!, match[2]!, service) !== undefined;
}

/** Returns emu's path of the function URL with a host name. */
export function pathOfHost(name: string): string | undefined {
  const match = HOST.exec(name);
  return match ? `${URL_PATH}${match[1]}` : undefined;
}

/** Where a request is sent: a function URL's id, its region if the host contains it, and the path below it. */
interface UrlAddress {
  readonly id: string;
  readonly region: string | undefined;
  readonly path: string;
}

function addressOf({ path }: DataPlaneRequest, host: string): UrlAddress | undefined {
  const [, label, region] = HOST.exec(host) ?? [];
  if (label !== undefined) return { id: label, region: region!, path };
  if (!path.startsWith(URL_PATH)) return undefined;
  const rest = path.slice(URL_PATH.length);
  const end = rest.indexOf('/');
  return end < 0
    ? { id: rest, region: undefined, path: '/' }
    : { id: rest.slice(0, end), region: undefined, path: rest.slice(end) };
}

/**
 * Handles a request to a function URL.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
 */
export async function serveUrl(
  request: DataPlaneRequest,
  service: ServiceHandle<LambdaState>,
): Promise<DataPlaneResponse | undefined> {
  const host = String(request.headers[':authority'] ?? request.headers.host ?? '').toLowerCase();
  const address = addressOf(request, host);
  if (!address) return undefined;
  const found = findUrl(address.id, address.region, service);
  if (!found) return forbidden(null);
  const { state, record } = found;
  const { cors } = record;
  if (cors && isPreflight(request)) return preflight(cors, request);
  const response = await answer(request, state, record, { host, path: address.path });
  if (cors) {
    for (const name of Object.keys(response.headers))
      if (name.startsWith('access-control-')) delete response.headers[name];
    Object.assign(response.headers, corsHeaders(cors, request));
  }
  return response;
}

function findUrl(
  id: string,
  region: string | undefined,
  service: ServiceHandle<LambdaState>,
): { state: LambdaState; record: DeepReadonly<FunctionUrlRecord> } | undefined {
  for (const scope of service.states()) {
    if (region !== undefined && scope.region !== region) continue;
    for (const record of scope.state.functionUrls.values()) if (record.id === id) return { state: scope.state, record };
  }
  return undefined;
}

async function answer(
  request: DataPlaneRequest,
  state: LambdaState,
  record: DeepReadonly<FunctionUrlRecord>,
  { host, path }: { readonly host: string; readonly path: string },
): Promise<DataPlaneResponse> {
  const { functionName, qualifier, authType, invokeMode, id } = record;
  let caller: Principal | undefined;
  if (authType === 'AWS_IAM') {
    try {
      caller = await authorizedSigner(request, state, record);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return error.code === 'AccessDeniedException' ? forbidden(FORBIDDEN) : unauthenticated(error);
    }
    if (!caller) return forbidden(FORBIDDEN);
  } else if (!isPublic(record, state)) return forbidden(FORBIDDEN);
  const body = await readAtMost(request.body, MAX_BODY);
  if (!body)
    return {
      status: 413,
      headers: { 'content-type': 'application/json' },
      body: '{"Message":"Request Entity Too Large"}',
    };
  let resolved: ResolvedFunction;
  try {
    resolved = resolveFunction(state, functionName, qualifier);
  } catch {
    // The alias was deleted without its URL.
    return forbidden(null);
  }
  const received = request.headers['x-amzn-trace-id'];
  const now = state.clock.now();
  const traceHeader = typeof received === 'string' ? received : newTrace(state, now);
  const event = urlEvent(request, { urlId: id, host, path, traceHeader, now, caller, body });
  const sink = invokeMode === 'RESPONSE_STREAM' ? new ResponseStream() : undefined;
  const execution = Executor.of(state).execute(resolved, {
    requestId: request.requestId,
    payload: Buffer.from(JSON.stringify(event)),
    traceHeader,
    invocationType: 'RequestResponse',
    source: `https://${host}/`,
    tail: false,
    signal: () => request.signal,
    ...(sink && { sink }),
  });
  try {
    const response = sink ? await streamed(sink, execution) : buffered(await execution);
    response.headers['x-amzn-requestid'] ??= request.requestId;
    return response;
  } catch (error) {
    return refused(error);
  }
}

/**
 * Returns the signer of a request, who has the permission to call the URL; undefined for an unsigned request.
 * @throws AwsError for an invalid signature, `AccessDeniedException` for a signer without permission
 */
async function authorizedSigner(
  request: DataPlaneRequest,
  state: LambdaState,
  { functionName, qualifier }: DeepReadonly<FunctionUrlRecord>,
): Promise<Principal | undefined> {
  const principal = await signerOf(request, state.service, { services: ['lambda'], region: state.region });
  if (!principal) return undefined;
  const { accountId, region, service } = state;
  const input = { FunctionName: functionName, ...(qualifier !== undefined && { Qualifier: qualifier }) };
  await service.call('lambda', 'InvokeUrl', input, {
    accountId,
    region,
    principal,
    authorize: { dryRun: true },
    cause: request.requestId,
  });
  return principal;
}

/** Returns the response if the function could not run. */
function refused(error: unknown): DataPlaneResponse {
  if (!(error instanceof AwsError)) throw error;
  const { code, message, members } = error;
  const status = code === 'TooManyRequestsException' ? 429 : 502;
  const body = status === 429 ? JSON.stringify({ ...members, message }) : 'Internal Server Error';
  return { status, headers: { 'content-type': 'application/json', 'x-amzn-errortype': code }, body };
}

const buffered = ({ errorType, payload, contentType }: Execution): DataPlaneResponse => {
  if (errorType !== undefined) return internalError();
  if (contentType !== HTTP_INTEGRATION) return urlResponse(payload);
  const end = payload.indexOf(PRELUDE_END);
  return described(payload.subarray(0, end), payload.subarray(end + PRELUDE_END.length));
};

/** Streams a response. */
async function streamed(sink: ResponseStream, execution: Promise<Execution>): Promise<DataPlaneResponse> {
  const ended = execution.finally(() => sink.end());
  // Handled by the awaiting code; once the response has begun nothing awaits it.
  ended.catch(() => undefined);
  const first = await Promise.race([execution, sink.begun]);
  if (typeof first !== 'string') {
    if (!first.streamed) return first.errorType === undefined ? wholeOf(first) : internalError();
    return buffered(first);
  }
  const chunks = sink[Symbol.asyncIterator]();
  if (first !== HTTP_INTEGRATION)
    return { status: 200, headers: { 'content-type': first }, body: bodyOf(chunks, ended) };
  let head = Buffer.alloc(0);
  for (;;) {
    const end = head.indexOf(PRELUDE_END);
    if (end >= 0) {
      const rest = head.subarray(end + PRELUDE_END.length);
      return described(head.subarray(0, end), bodyOf(chunks, ended, rest));
    }
    const next = head.length <= MAX_PRELUDE ? await chunks.next() : { done: true as const, value: undefined };
    if (next.done) {
      await chunks.return?.();
      return internalError();
    }
    head = Buffer.concat([head, next.value]);
  }
}

/** Returns the response of a non-streaming handler behind a streaming URL. */
const wholeOf = ({ payload }: Execution): DataPlaneResponse => ({
  status: 200,
  headers: { 'content-type': 'application/octet-stream' },
  body: payload,
});

/** Returns the response of a streaming handler with metadata before the body. */
function described(prelude: Buffer, body: DataPlaneResponse['body']): DataPlaneResponse {
  try {
    const {
      statusCode = 200,
      headers,
      cookies,
    } = parseJson(prelude.toString()) as {
      statusCode?: number;
      headers?: Record<string, unknown>;
      cookies?: unknown;
    };
    return { status: statusCode, headers: responseHeaders(headers, cookies), body };
  } catch {
    return internalError();
  }
}

/** Streams the rest of a body. A failure in the middle closes the connection, the only way to inform the client. */
async function* bodyOf(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  execution: Promise<Execution>,
  first?: Uint8Array,
): AsyncGenerator<Uint8Array> {
  if (first?.length) yield first;
  yield* chunks;
  const { errorType } = await execution;
  if (errorType !== undefined) throw new Error(`a function failed in the middle of its response: ${errorType}`);
}

/**
 * Actions required to call a URL. @see
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
 */
const NEEDED = ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'];

/** Whether the function's policy allows everybody to call its URL: the URL action and the invocation through it. */
function isPublic({ functionName, qualifier }: DeepReadonly<FunctionUrlRecord>, state: LambdaState): boolean {
  const { statements = [] } = state.policies.get(`${functionName}:${qualifier ?? LATEST}`) ?? {};
  const open = statements.filter(
    ({ Principal: principal, Condition = {} }) =>
      (principal === '*' || (typeof principal === 'object' && principal.AWS === '*')) && isTrueForEverybody(Condition),
  );
  return NEEDED.every((needed) => open.some(({ Action }) => Action === needed || Action === 'lambda:*'));
}

/** Whether a condition is true for unsigned URL calls: conditions on the target may be, those on the caller are not. */
const isTrueForEverybody = (condition: DeepReadonly<NonNullable<PolicyStatement['Condition']>>): boolean =>
  Object.values(condition).every((keys) =>
    Object.entries(keys).every(
      ([key, value]) =>
        (key === 'lambda:FunctionUrlAuthType' && value === 'NONE') ||
        (key === 'lambda:InvokedViaFunctionUrl' && value === 'true'),
    ),
  );

const newTrace = ({ ids }: LambdaState, now: number): string =>
  `Root=1-${Math.floor(now / 1000)
    .toString(16)
    .padStart(8, '0')}-${ids.hex(24)}`;
