import type { InputOf, InvokeWithResponseStreamResponseEvent, OutputOf } from '@emu/service-types/lambda';
import { isObject, piecesOf } from '@emu/wire';
import type { LambdaContext } from '../context.ts';
import { invokeDurable } from '../durable/invoke.ts';
import { invalidParameterValue, lambdaError, plainError } from '../errors.ts';
import { resolveFunction } from '../names.ts';
import { AsyncQueue } from '../runtime/async-queue.ts';
import { type Execution, type ExecutionRequest, Executor } from '../runtime/executor.ts';
import { checkJson } from '../runtime/json-payload.ts';
import { ResponseStream } from '../runtime/response-stream.ts';

/**
 * Maximum payload sizes in bytes. @see
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const MAX_PAYLOAD = 6_291_456;
const MAX_EVENT = 1_048_576;

/** Invokes a function synchronously or asynchronously. */
export async function Invoke(input: InputOf<'Invoke'>, ctx: LambdaContext): Promise<OutputOf<'Invoke'>> {
  const { InvocationType: type = 'RequestResponse', LogType } = input;
  const resolved = resolveFunction(ctx.state, input.FunctionName, input.Qualifier);
  const payload = payloadOf(input.Payload, type);
  const request = requestOf(input, ctx, payload);
  if (type === 'DryRun') return { StatusCode: 204 };
  if (resolved.version.config.durable) return invokeDurable(resolved, input, payload, ctx);
  if (input.DurableExecutionName !== undefined)
    throw invalidParameterValue('DurableExecutionName can be specified for durable functions only.');
  if (type === 'Event') {
    AsyncQueue.of(resolved.state).accept(resolved, request);
    return { StatusCode: 202 };
  }
  const execution = await Executor.of(resolved.state).execute(resolved, {
    ...request,
    invocationType: 'RequestResponse',
    tail: LogType === 'Tail',
    signal: () => ctx.signal,
  });
  ctx.reply.headers['x-amzn-trace-id'] = execution.traceHeader;
  ctx.reply.headers['Content-Type'] = 'application/json';
  return {
    StatusCode: 200,
    ExecutedVersion: execution.executedVersion,
    Payload: execution.payload,
    ...(execution.errorType !== undefined && { FunctionError: 'Unhandled' }),
    ...(execution.tail && { LogResult: execution.tail.toString('base64') }),
  };
}

/** Invokes a function asynchronously through the deprecated operation. */
export async function InvokeAsync(input: InputOf<'InvokeAsync'>, ctx: LambdaContext): Promise<OutputOf<'InvokeAsync'>> {
  const resolved = resolveFunction(ctx.state, input.FunctionName);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of piecesOf(input.InvokeArgs)) {
    size += chunk.length;
    if (size > MAX_EVENT) throw tooLarge(size, 'Event', MAX_EVENT);
    chunks.push(chunk);
  }
  AsyncQueue.of(resolved.state).accept(resolved, requestOf({}, ctx, payloadOf(Buffer.concat(chunks), 'Event')));
  return { Status: 202 };
}

/** Invokes a function and streams its response. */
export async function InvokeWithResponseStream(
  input: InputOf<'InvokeWithResponseStream'>,
  ctx: LambdaContext,
): Promise<OutputOf<'InvokeWithResponseStream'>> {
  const resolved = resolveFunction(ctx.state, input.FunctionName, input.Qualifier);
  const request = requestOf(input, ctx, payloadOf(input.Payload, 'RequestResponse'));
  if (input.InvocationType === 'DryRun') return { StatusCode: 204 };
  if (resolved.version.config.durable)
    throw invalidParameterValue('Durable functions do not support response streaming.');
  const stream = new ResponseStream();
  const execution = Executor.of(resolved.state).execute(resolved, {
    ...request,
    invocationType: 'RequestResponse',
    tail: input.LogType === 'Tail',
    sink: stream,
    signal: () => ctx.signal,
  });
  const first = await Promise.race([execution, stream.begun]);
  const contentType = typeof first === 'string' ? first : first.contentType;
  const executedVersion = typeof first === 'string' ? resolved.version.version : first.executedVersion;
  return {
    StatusCode: 200,
    ExecutedVersion: executedVersion,
    ResponseStreamContentType: contentType,
    EventStream: eventsOf(stream, execution),
  };
}

/** Yields the events of a response: payload chunks and the completion. */
async function* eventsOf(
  stream: ResponseStream,
  execution: Promise<Execution>,
): AsyncGenerator<InvokeWithResponseStreamResponseEvent> {
  void execution.then(
    () => stream.end(),
    () => stream.end(),
  );
  for await (const Payload of stream) yield { PayloadChunk: { Payload } };
  const { payload, streamed, errorType, errorDetails, tail } = await execution;
  const failed = errorType !== undefined;
  if (!streamed && !failed && payload.length > 0) yield { PayloadChunk: { Payload: payload } };
  const details = errorDetails ?? (failed && !streamed ? payload.toString() : undefined);
  yield {
    InvokeComplete: {
      ...(failed && { ErrorCode: errorType }),
      ...(details !== undefined && { ErrorDetails: details }),
      ...(tail && { LogResult: tail.toString('base64') }),
    },
  };
}

type CommonRequest = Omit<ExecutionRequest, 'invocationType' | 'tail' | 'signal' | 'sink'>;

/** Returns the invocation options in the request. */
function requestOf(
  input: { ClientContext?: string | undefined; TenantId?: string | undefined },
  ctx: LambdaContext,
  payload: Uint8Array,
): CommonRequest {
  const request: CommonRequest = {
    requestId: ctx.requestId,
    cause: ctx.cause,
    payload,
    traceHeader: ctx.traceHeader,
    source: 'lambda:Invoke',
  };
  if (input.ClientContext !== undefined) request.clientContext = clientContextOf(input.ClientContext);
  if (input.TenantId !== undefined) request.tenantId = input.TenantId;
  return request;
}

function clientContextOf(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString();
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return text;
  } catch {
    // Treated like any other text that is not an object.
  }
  throw lambdaError('InvalidRequestContentException', 'Client context must be a valid Base64-encoded JSON object.');
}

const EMPTY_EVENT = Buffer.from('{}');

function payloadOf(payload: Uint8Array | undefined, type: 'RequestResponse' | 'Event' | 'DryRun'): Uint8Array {
  if (!payload?.length) return EMPTY_EVENT;
  const limit = type === 'Event' ? MAX_EVENT : MAX_PAYLOAD;
  if (payload.length > limit) throw tooLarge(payload.length, type, limit);
  checkJson(payload);
  return payload;
}

const tooLarge = (size: number, type: string, limit: number) =>
  plainError(
    'RequestEntityTooLargeException',
    `${size} byte payload is too large for the ${type} invocation type (limit ${limit} bytes)`,
    { status: 413, members: { Type: 'User' } },
  );
