import { constants } from 'node:buffer';
import { isStorageFailure, type Kernel, reportStorageTrouble, storageProblem } from '@emu/core';
import type { ReplyDetails } from '@emu/core/service';
import { AwsError, awsError, queryParameter, type ServerProtocol, type WireRequest } from '@emu/wire';
import { sandboxed } from '../access/sandbox.ts';
import { ClientGone, type GatewayResponse, PayloadTooLarge } from '../http/request.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import type { Exchange } from './exchange.ts';
import { DroppedConnection, type InjectedFaults } from './injected-faults.ts';
import { hasOwnPayload, Passage, type PeekedCall, RequestSteps } from './request-steps.ts';
import { fallbackProtocol, internalFailure, payloadTooLarge, storageUnavailable } from './unidentified-errors.ts';

/** Takes requests of AWS clients from identification to the encoded answer. */
export class Dispatcher {
  private readonly steps: RequestSteps;

  constructor(
    private readonly kernel: Kernel,
    private readonly options: ResolvedGatewayOptions,
    faults: InjectedFaults,
  ) {
    this.steps = new RequestSteps(kernel, options, faults);
  }

  /** Answers a request; errors of any kind become responses. */
  dispatch(exchange: Exchange): Promise<GatewayResponse> {
    return this.kernel.observers.active ? this.observe(exchange) : this.answer(exchange);
  }

  /**
   * Returns what a request calls by its head alone, without running it; undefined where its body may name something else,
   * and where it calls nothing that emu has.
   */
  peek(wire: WireRequest): Promise<PeekedCall | undefined> {
    return this.steps.peek(wire);
  }

  /** Answers a request and tells those of it who observe its service. */
  private async observe(exchange: Exchange): Promise<GatewayResponse> {
    const { kernel } = this;
    const receivedAt = kernel.clock.now();
    const started = performance.now();
    const response = await this.answer(exchange);
    const { service } = exchange;
    const { observers, recorder } = kernel;
    const watched = observers.watches(service);
    if (response.drop || service === '' || !(recorder.recording || watched)) return response;
    const { operation, requestId, cause, principal, accountId, region, input, output } = exchange;
    const answered = {
      service,
      operation,
      requestId,
      cause,
      principal,
      accountId,
      region,
      input,
      output,
      status: response.status,
      errorCode: exchange.errorCode,
      errorMessage: exchange.errorMessage,
      receivedAt,
      duration: performance.now() - started,
      via: undefined,
    };
    // What observers are told of besides would be kept with it.
    recorder.record(answered, watched ? undefined : sentIn(exchange, response));
    if (!watched) return response;
    const { http, request } = exchange;
    // The same object: a copy would cost every request of a service that keeps an access log.
    const told = Object.assign(answered, { http, target: request.target, bytesSent: bytesOf(response) });
    const waiting = observers.tell(told);
    if (!waiting) return response;
    try {
      await waiting;
      return response;
    } catch (error) {
      return this.refuse(exchange, kernel.loadedService(service)?.codec.protocolOf(exchange.wire), error);
    }
  }

  private async answer(exchange: Exchange): Promise<GatewayResponse> {
    const { kernel } = this;
    const passage = new Passage(exchange, this.options.maxRequestBodyBytes, this.steps.turns);
    try {
      const { list } = this.steps;
      // By their index: in a function that waits, an iterator costs every step an object.
      for (let index = 0; index < list.length; index++) {
        const waiting = list[index]!(passage);
        if (waiting) await waiting;
      }
      const running = kernel.invoke(exchange);
      const output = running instanceof Promise ? await running : running;
      const writing = kernel.settled(exchange);
      if (writing) await writing;
      exchange.output = output;
      const encoded = passage.protocol!.encode(exchange.operation, output, exchange.requestId);
      const response = exchange.reply ? amended(encoded, exchange.reply) : encoded;
      return hasOwnPayload(passage.codec, passage.matched!.operation.output) ? sandboxed(response) : response;
    } catch (error) {
      passage.payload.endTurn();
      if (error instanceof DroppedConnection) return { status: 0, headers: {}, body: '', drop: true };
      const refusal = error instanceof PayloadTooLarge ? this.tooLarge(passage, error) : error;
      return this.refuse(exchange, passage.protocol, refusal);
    }
  }

  private refuse(exchange: Exchange, protocol: ServerProtocol | undefined, error: unknown): GatewayResponse {
    const { requestId, wire } = exchange;
    const writer = protocol ?? fallbackProtocol(wire.headers, queryParameter(wire.query, 'Action') !== undefined);
    const refusal = this.awsErrorOf(exchange, error);
    exchange.errorCode = refusal.code;
    exchange.errorMessage = refusal.message;
    exchange.output = undefined;
    const response = writer.encodeError(refusal, requestId, exchange.operation || undefined);
    return exchange.reply ? amended(response, { headers: exchange.reply.headers }) : response;
  }

  private awsErrorOf(exchange: Exchange, error: unknown): AwsError {
    if (error instanceof AwsError) return error;
    // A body within the limit may still be too long for a text.
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
      const { requestId, service, operation } = exchange;
      this.kernel.log.error('a request failed unexpectedly', { requestId, service, operation, error });
    }
    return internalFailure(error);
  }

  /** The answer to a body over a limit: the service's own, where that is the one and AWS's answer is known. */
  private tooLarge({ bodies, matched }: Passage, { limit }: PayloadTooLarge): AwsError {
    const own = limit < this.options.maxRequestBodyBytes ? bodies?.refusal : undefined;
    if (!own) return payloadTooLarge(limit);
    if (typeof own === 'string') return awsError(own, `HTTP content length exceeded ${limit} bytes.`, { status: 413 });
    const { code, message, status } = own(limit, matched?.name ?? '');
    return awsError(code, message, { status });
  }
}

/** Bytes that a request and its answer were sent in; undefined where either streams, or nobody said how long it is. */
function sentIn({ wire, request }: Exchange, { body }: GatewayResponse): number | undefined {
  if (wire.stream || !(typeof body === 'string' || body instanceof Uint8Array)) return undefined;
  const length = wire.headers['content-length'];
  // The body of a large one may be gone by now.
  const received = length === undefined ? (wire.method === 'GET' ? 0 : Number.NaN) : Number(length);
  const bytes = Math.max(received, wire.body.length) + request.target.length + body.length;
  return Number.isNaN(bytes) ? undefined : bytes;
}

/** Bytes of a response's body; undefined for a stream whose length nobody has said. */
function bytesOf({ body, headers }: GatewayResponse): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  const length = headers['content-length'] ?? headers['Content-Length'];
  return length === undefined ? undefined : Number(length);
}

/** The answer with what the handler had to add to it. */
function amended(response: GatewayResponse, { status, headers }: ReplyDetails): GatewayResponse {
  return { ...response, status: status ?? response.status, headers: { ...response.headers, ...headers } };
}
