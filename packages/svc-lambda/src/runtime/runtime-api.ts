import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type Invocation,
  MAX_RESPONSE,
  MAX_STREAMED_RESPONSE,
  type Outcome,
  type ResponseSink,
  responseTooLarge,
} from './invocation.ts';
import type { RuntimePeers } from './runtime-peers.ts';
import { isOfPage } from './web-pages.ts';

const RUNTIME = '/2018-06-01/runtime/';
const JSON_TYPE = 'application/json';

/**
 * Handles requests of paths outside the runtime's own.
 * @returns whether it did
 */
export type OtherRoutes = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/** The current invocation. */
interface Current {
  invocation: Invocation;
  sink: ResponseSink | undefined;
  timeout: number;
  /** Whether the runtime has received it. */
  delivered: boolean;
  /** Whether its response has started or arrived. */
  answering: boolean;
  started(): void;
  resolve(outcome: Outcome): void;
}

/** Result of the initialization or of a restore: ready, or the runtime's error. */
export type InitResult = { ready: true } | { ready: false; outcome: Outcome };

/**
 * The Runtime API of one execution environment on its own port, where the runtime requests invocations and sends
 * responses.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export class RuntimeApi {
  /** Resolves when the runtime waits for its restore or its first invocation, or reports an initialization error. */
  readonly initialized: Promise<InitResult>;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  /** Called with peers rejected because of their address. */
  onRefused: ((remoteAddress: string | undefined) => void) | undefined;
  private peers: RuntimePeers | undefined;
  private name = '';
  private initialize!: (result: InitResult) => void;
  private pending: ServerResponse | undefined;
  /** Response of a runtime that waits for its restore. */
  private checkpoint: ServerResponse | undefined;
  private onRestored: ((result: InitResult) => void) | undefined;
  private current: Current | undefined;
  private idle: (() => void) | undefined;

  /**
   * @param other handles the Extensions and Telemetry APIs
   * @param lost called when the runtime disconnects while it waits for an invocation or its restore
   * @param restores whether the runtime can wait for a restore: its version has SnapStart
   */
  constructor(
    private readonly other: OtherRoutes,
    private readonly lost: () => void,
    private readonly restores = false,
  ) {
    this.initialized = new Promise((resolve) => {
      this.initialize = resolve;
    });
    // No timeouts: a runtime may run or wait for an invocation indefinitely.
    this.server = createServer({ requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 0, noDelay: true });
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => this.receive(request, response));
    this.server.on('connection', (socket) => {
      if (this.peers?.has(socket.remoteAddress) === false) {
        this.onRefused?.(socket.remoteAddress);
        socket.destroy();
        return;
      }
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Opens the port.
   * @param peers permitted peers; all if undefined
   * @param name host name for runtimes, if other than `host`
   * @returns its number
   */
  async listen(host: string, peers?: RuntimePeers, name = host): Promise<number> {
    this.peers = peers;
    this.name = name;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ host, port: 0 }, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** Closes the port and all connections. */
  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  /**
   * Passes an invocation to the runtime when it requests one.
   * @param timeout milliseconds, sent to the runtime as its deadline
   * @param started called when the runtime has received it
   * @returns its response or error; never settles if the runtime sends neither
   */
  deliver(
    invocation: Invocation,
    timeout: number,
    sink: ResponseSink | undefined,
    started: () => void,
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      this.current = { invocation, sink, timeout, delivered: false, answering: false, started, resolve };
      this.hand();
    });
  }

  /**
   * Restores the runtime, once it is initialized. Resolves when it requests its first invocation or reports an error of
   * a hook; at once for a runtime that does not wait for its restore.
   */
  restore(): Promise<InitResult> {
    const { checkpoint } = this;
    if (!checkpoint) return Promise.resolve({ ready: true });
    this.checkpoint = undefined;
    return new Promise((resolve) => {
      this.onRestored = resolve;
      checkpoint.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': 0 });
      checkpoint.end();
    });
  }

  /** Resolves when the runtime is ready for another invocation. */
  untilIdle(): Promise<void> {
    if (this.pending && !this.current) return Promise.resolve();
    return new Promise((resolve) => {
      this.idle = resolve;
    });
  }

  /** Abandons the running invocation: its late response is rejected. */
  abandon(): void {
    this.current = undefined;
  }

  /** Handles a request after its sender is verified. */
  private receive(request: IncomingMessage, response: ServerResponse): void {
    const welcome = this.peers?.has(request.socket.remoteAddress);
    if (typeof welcome !== 'object') {
      this.serve(request, response);
      return;
    }
    void welcome.then((is) => {
      if (is) this.serve(request, response);
      else {
        this.onRefused?.(request.socket.remoteAddress);
        request.socket.destroy();
      }
    });
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    // If the runtime exits during a request, its exit is handled elsewhere.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (isOfPage(request, this.name)) {
      refuse(request, response, 403, 'Forbidden', 'web pages may not use the Runtime API');
      return;
    }
    const { method, url = '/' } = request;
    const path = url.split('?', 1)[0]!;
    if (!path.startsWith(RUNTIME)) {
      if (!this.other(request, response, path)) refuse(request, response, 404, 'NotFound', 'page not found');
      return;
    }
    const rest = path.slice(RUNTIME.length);
    const match = /^invocation\/([^/]+)\/(response|error)$/.exec(rest);
    if (method === 'GET' && rest === 'invocation/next') this.next(response);
    else if (method === 'POST' && rest === 'init/error') void this.initError(request, response);
    else if (this.restores && method === 'GET' && rest === 'restore/next') this.awaitRestore(response);
    else if (this.restores && method === 'POST' && rest === 'restore/error') void this.restoreError(request, response);
    else if (method === 'POST' && match) void this.answer(request, response, match[1]!, match[2] === 'error');
    else refuse(request, response, 404, 'NotFound', 'page not found');
  }

  /** @see https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-custom.html */
  private awaitRestore(response: ServerResponse): void {
    this.checkpoint = response;
    response.once('close', () => {
      if (this.checkpoint !== response) return;
      this.checkpoint = undefined;
      this.lost();
    });
    this.initialize({ ready: true });
  }

  private async restoreError(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const outcome = await errorOf(request);
    if (!outcome) return;
    accept(response);
    this.onRestored?.({ ready: false, outcome });
  }

  private next(response: ServerResponse): void {
    this.pending = response;
    this.initialize({ ready: true });
    this.onRestored?.({ ready: true });
    response.once('close', () => {
      if (this.pending !== response) return;
      this.pending = undefined;
      this.lost();
    });
    if (this.current && !this.current.delivered) this.hand();
    else if (!this.current) this.becomeIdle();
  }

  private becomeIdle(): void {
    const { idle } = this;
    this.idle = undefined;
    idle?.();
  }

  private hand(): void {
    const { pending, current } = this;
    if (!pending || !current) return;
    this.pending = undefined;
    current.delivered = true;
    const { invocation, timeout } = current;
    current.started();
    const headers: Record<string, string | number> = {
      'content-type': JSON_TYPE,
      'content-length': invocation.payload.length,
      'lambda-runtime-aws-request-id': invocation.requestId,
      // The runtime uses the machine's clock, whatever the emulated time.
      'lambda-runtime-deadline-ms': Date.now() + timeout,
      'lambda-runtime-invoked-function-arn': invocation.functionArn,
      'lambda-runtime-trace-id': invocation.traceHeader,
    };
    if (invocation.clientContext !== undefined)
      headers['lambda-runtime-client-context'] = headerValue(invocation.clientContext);
    if (invocation.cognitoIdentity !== undefined)
      headers['lambda-runtime-cognito-identity'] = headerValue(invocation.cognitoIdentity);
    if (invocation.tenantId !== undefined) headers['lambda-runtime-aws-tenant-id'] = headerValue(invocation.tenantId);
    pending.writeHead(200, headers);
    pending.end(invocation.payload);
  }

  private async initError(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const outcome = await errorOf(request);
    if (!outcome) return;
    accept(response);
    this.initialize({ ready: false, outcome });
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    isError: boolean,
  ): Promise<void> {
    const { current } = this;
    if (!current?.delivered || current.invocation.requestId !== id)
      return refuse(request, response, 400, 'InvalidRequestID', 'Invalid request ID');
    if (current.answering)
      return refuse(request, response, 403, 'InvalidStateTransition', 'A response has been sent already');
    current.answering = true;
    const outcome = isError ? await errorOf(request) : await this.responseOf(request, current.sink);
    // Truncated, or abandoned meanwhile.
    if (!outcome) return;
    if (this.current !== current) return refuse(request, response, 400, 'InvalidRequestID', 'Invalid request ID');
    if (outcome.errorType === 'Function.ResponseSizeTooLarge')
      refuse(
        request,
        response,
        413,
        'RequestEntityTooLarge',
        `Exceeded maximum allowed payload size (${MAX_RESPONSE} bytes).`,
      );
    else accept(response);
    this.current = undefined;
    current.resolve(outcome);
    // Runtimes may request the next invocation on the same connection immediately.
    if (this.pending) this.becomeIdle();
  }

  /** Reads a response; undefined if it is truncated. */
  private async responseOf(request: IncomingMessage, sink: ResponseSink | undefined): Promise<Outcome | undefined> {
    const contentType = request.headers['content-type'] ?? 'application/octet-stream';
    const streamed = sink !== undefined && request.headers['lambda-runtime-function-response-mode'] === 'streaming';
    if (streamed) sink.begin(contentType);
    const body = await collect(request, streamed ? sink : undefined);
    if (body === 'cut') return undefined;
    if (body === 'large') return responseTooLarge();
    const errorType = request.trailers['lambda-runtime-function-error-type'];
    const details = request.trailers['lambda-runtime-function-error-body'];
    if (errorType === undefined) return { payload: body, contentType, streamed };
    const errorDetails = details === undefined ? undefined : Buffer.from(details, 'base64').toString();
    return { payload: body, contentType, streamed, errorType, ...(errorDetails !== undefined && { errorDetails }) };
  }
}

/**
 * Reads or forwards a body.
 * @returns `cut` if truncated, `large` if above the limit
 */
async function collect(request: IncomingMessage, sink: ResponseSink | undefined): Promise<Buffer | 'cut' | 'large'> {
  const limit = sink ? MAX_STREAMED_RESPONSE : MAX_RESPONSE;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) continue;
      if (sink) await sink.write(chunk);
      else chunks.push(chunk);
    }
  } catch {
    return 'cut';
  }
  if (size > limit) return 'large';
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Reads an error report of a runtime; undefined if truncated. */
async function errorOf(request: IncomingMessage): Promise<Outcome | undefined> {
  const payload = await collect(request, undefined);
  if (payload === 'cut') return undefined;
  if (payload === 'large') return responseTooLarge();
  const header = request.headers['lambda-runtime-function-error-type'];
  const errorType = typeof header === 'string' && header !== '' ? header : 'Runtime.Unknown';
  return { payload, contentType: JSON_TYPE, streamed: false, errorType };
}

/** Encodes JSON for a header. Headers are ASCII: other characters of JSON text are escaped. */
function headerValue(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ACCEPTED = '{"status":"OK"}\n';

function accept(response: ServerResponse): void {
  response.writeHead(202, { 'content-type': JSON_TYPE, 'content-length': ACCEPTED.length });
  response.end(ACCEPTED);
}

/** Responds with an error of the API itself. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  errorType: string,
  errorMessage: string,
): void {
  request.resume();
  const body = JSON.stringify({ errorMessage, errorType });
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
