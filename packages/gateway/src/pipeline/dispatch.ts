import { constants } from 'node:buffer';
import {
  answeredInvocation,
  isStorageFailure,
  type Kernel,
  type RecordableRequest,
  reportStorageTrouble,
  storageProblem,
} from '@emu/core';
import type { ReplyDetails } from '@emu/core/service';
import { AwsError, awsError } from '@emu/wire';
import { sandboxed } from '../access/sandbox.ts';
import {
  fallbackProtocol,
  internalFailure,
  payloadTooLarge,
  storageUnavailable,
} from '../identify/unidentified-errors.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import { ClientGone, type GatewayResponse, PayloadTooLarge } from '../request/gateway-request.ts';
import { recordRedirected, redirectedTo } from '../request/redirected.ts';
import type { LocatedRequest, Visit } from '../request/visit.ts';
import { ApiRequest } from './api-request.ts';
import type { Forwarder } from './forwarder.ts';
import { DroppedConnection, type InjectedFaults } from './injected-faults.ts';
import { hasOwnPayload, type PeekedCall, RequestSteps } from './request-steps.ts';

/** Runs API requests, from identification to the encoded response. */
export class Dispatcher {
  private readonly steps: RequestSteps;

  constructor(
    private readonly kernel: Kernel,
    private readonly options: ResolvedGatewayOptions,
    faults: InjectedFaults,
  ) {
    this.steps = new RequestSteps(kernel, options, faults);
  }

  /** Responds to an API request. Every error becomes a response. */
  dispatch(visit: Visit): Promise<GatewayResponse> {
    const { forwarder } = this.options;
    if (forwarder?.takes(visit)) return this.forward(visit, forwarder);
    const request = new ApiRequest(this.kernel, visit, this.options.maxRequestBodyBytes, this.steps.turns);
    visit.invocation = request;
    return this.kernel.observers.active ? this.observe(request) : this.answer(request);
  }

  /** Passes a request on to AWS, and records it. The recorder has no model of its input and output. */
  private async forward({ request }: Visit, forwarder: Forwarder): Promise<GatewayResponse> {
    const { kernel } = this;
    const receivedAt = kernel.clock.now();
    const started = performance.now();
    const { response, service, operation, region, accessKeyId, errorCode } = await forwarder.forward(request);
    if (!kernel.recorder.recording) return response;
    const principal = this.steps.callers.principalOf(accessKeyId, region);
    const { accountId } = principal;
    const requestId = kernel.ids.uuid();
    const invocation = { service, operation, requestId, cause: undefined, principal, accountId, region };
    const outcome = {
      input: undefined,
      output: undefined,
      status: response.status,
      errorCode,
      errorMessage: undefined,
    };
    const duration = performance.now() - started;
    kernel.recorder.record({ ...invocation, ...outcome, receivedAt, duration, via: undefined });
    return response;
  }

  /**
   * Returns the operation in the head of a request, without running it; undefined if the body may name another, and if
   * emu does not have the operation.
   */
  peek(request: LocatedRequest): Promise<PeekedCall | undefined> {
    return this.steps.peek(request);
  }

  /** Responds to a request and notifies the observers of its service. */
  private async observe(request: ApiRequest): Promise<GatewayResponse> {
    const { kernel } = this;
    const receivedAt = kernel.clock.now();
    const started = performance.now();
    const response = await this.answer(request);
    const { service } = request;
    const { observers, recorder } = kernel;
    const watched = observers.watches(service);
    if (response.drop || !(recorder.recording || watched)) return response;
    const { received, requestId } = request;
    if (service === '') {
      const { errorCode, errorMessage } = request;
      const unknown = { requestId, service, status: response.status, errorCode, errorMessage, started };
      if (received.program) recordRedirected(kernel, received, unknown);
      return response;
    }
    const { output, errorCode, errorMessage } = request;
    const outcome = { output, status: response.status, errorCode, errorMessage };
    const answered: RecordableRequest & { via: undefined } = answeredInvocation(
      request,
      outcome,
      receivedAt,
      started,
      undefined,
    );
    if (received.program) answered.redirected = redirectedTo(received);
    // Record first: fields for observers must not be retained.
    recorder.record(answered, watched ? undefined : sentIn(request, response));
    if (!watched) return response;
    // Extend the object: a copy would cost every request of a service with an access log.
    const complete = Object.assign(answered, {
      http: request,
      target: request.received.target,
      bytesSent: bytesOf(response),
    });
    const waiting = observers.notify(complete);
    if (!waiting) return response;
    try {
      await waiting;
      return response;
    } catch (error) {
      return this.refuse(request, error);
    }
  }

  private async answer(request: ApiRequest): Promise<GatewayResponse> {
    const { kernel } = this;
    try {
      const { list } = this.steps;
      // An iterator in an async function allocates an object for each step.
      for (let index = 0; index < list.length; index++) {
        const waiting = list[index]!(request);
        if (waiting) await waiting;
      }
      const running = kernel.invoke(request);
      const output = running instanceof Promise ? await running : running;
      const writing = kernel.settled(request);
      if (writing) await writing;
      request.output = output;
      const encoded = request.serverProtocol!.encode(request.operation, output, request.requestId);
      const response = request.reply ? amended(encoded, request.reply) : encoded;
      return hasOwnPayload(request.codec, request.matched!.operation.output) ? sandboxed(response) : response;
    } catch (error) {
      request.payload.endTurn();
      if (error instanceof DroppedConnection) return { status: 0, headers: {}, body: '', drop: true };
      const refusal = error instanceof PayloadTooLarge ? this.tooLarge(request, error) : error;
      return this.refuse(request, refusal);
    }
  }

  private async refuse(request: ApiRequest, error: unknown): Promise<GatewayResponse> {
    const { serverProtocol, headers, query, requestId, operation, reply } = request;
    const writer = serverProtocol ?? (await fallbackProtocol(headers, query));
    const refusal = this.awsErrorOf(request, error);
    request.errorCode = refusal.code;
    request.errorMessage = refusal.message;
    request.output = undefined;
    const response = writer.encodeError(refusal, requestId, operation || undefined);
    return reply ? amended(response, { headers: reply.headers }) : response;
  }

  private awsErrorOf(request: ApiRequest, error: unknown): AwsError {
    if (error instanceof AwsError) return error;
    // A body within the limit may be longer than the longest string.
    if ((error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG')
      return payloadTooLarge(constants.MAX_STRING_LENGTH);
    const problem = storageProblem(error);
    if (problem !== undefined) {
      reportStorageTrouble(this.kernel.log, 'requests fail because the disk takes no changes', error);
      return storageUnavailable(problem, error);
    }
    if (isStorageFailure(error))
      reportStorageTrouble(this.kernel.log, 'requests fail because the disk does not work', error);
    else if (!(error instanceof ClientGone)) {
      const { requestId, service, operation } = request;
      this.kernel.log.error('a request failed unexpectedly', { requestId, service, operation, error });
    }
    return internalFailure(error);
  }

  /** Returns the error for a body over a limit: the service's own, if its limit applies and AWS's response is known. */
  private tooLarge({ bodies, matched }: ApiRequest, { limit }: PayloadTooLarge): AwsError {
    const own = limit < this.options.maxRequestBodyBytes ? bodies?.refusal : undefined;
    if (!own) return payloadTooLarge(limit);
    if (typeof own === 'string') return awsError(own, `HTTP content length exceeded ${limit} bytes.`, { status: 413 });
    const { code, message, status } = own(limit, matched?.name ?? '');
    return awsError(code, message, { status });
  }
}

/** Returns the bytes of a request and its response; undefined if either streams or the request has no known length. */
function sentIn(request: ApiRequest, { body }: GatewayResponse): number | undefined {
  if (request.stream || !(typeof body === 'string' || body instanceof Uint8Array)) return undefined;
  const length = request.headers['content-length'];
  // Large bodies are released after decoding.
  const received = length === undefined ? (request.method === 'GET' ? 0 : Number.NaN) : Number(length);
  const bytes = Math.max(received, request.body.length) + request.received.target.length + body.length;
  return Number.isNaN(bytes) ? undefined : bytes;
}

/** Returns the bytes of a response's body; undefined for a stream of unknown length. */
function bytesOf({ body, headers }: GatewayResponse): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  const length = headers['content-length'] ?? headers['Content-Length'];
  return length === undefined ? undefined : Number(length);
}

/** Returns a response with the handler's additions. */
function amended(response: GatewayResponse, { status, headers }: ReplyDetails): GatewayResponse {
  return { ...response, status: status ?? response.status, headers: { ...response.headers, ...headers } };
}
