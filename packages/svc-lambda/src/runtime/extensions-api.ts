import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ids } from '@emu/core/service';
import { refuse } from './runtime-api.ts';
import type { Telemetry } from './telemetry.ts';

type ExtensionEvent = 'INVOKE' | 'SHUTDOWN';
const PREFIX = '/2020-01-01/extension/';
const TELEMETRY = new Set(['/2022-07-01/telemetry', '/2020-08-15/logs']);
/** Maximum number of extensions per environment, and bytes of a registration. */
const MAX_EXTENSIONS = 10;
const MAX_BODY = 64 * 1024;

interface Extension {
  id: string;
  name: string;
  events: ReadonlySet<string>;
  external: boolean;
  /** Its pending request for the next event. */
  pending: ServerResponse | undefined;
  /** Events not requested yet. */
  queue: object[];
  /** Whether it has requested its first event. */
  ready: boolean;
}

/** Function details for extensions. */
export interface FunctionDescription {
  functionName: string;
  functionVersion: string;
  handler: string;
  accountId: string;
}

/**
 * The Extensions API of one execution environment.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-extensions-api.html
 */
export class ExtensionsApi {
  private readonly extensions = new Map<string, Extension>();
  private readonly waiters = new Set<() => void>();
  /** Called when an extension reports an error. */
  onError: ((kind: 'init' | 'exit', errorType: string, body: Buffer) => void) | undefined;

  constructor(
    private readonly description: FunctionDescription,
    private readonly telemetry: Telemetry,
    /** Names of the started external extensions. */
    private readonly expected: ReadonlySet<string>,
    private readonly ids: Ids,
  ) {}

  /**
   * Handles a request.
   * @returns whether the path belongs to this API
   */
  serve(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    if (TELEMETRY.has(path) && request.method === 'PUT') {
      const extension = this.caller(request, response);
      if (extension) void this.telemetry.subscribe(request, response, extension.id, extension.name);
      return true;
    }
    if (!path.startsWith(PREFIX)) return false;
    const rest = path.slice(PREFIX.length);
    if (request.method === 'POST' && rest === 'register') void this.register(request, response);
    else if (request.method === 'GET' && rest === 'event/next') this.next(request, response);
    else if (request.method === 'POST' && (rest === 'init/error' || rest === 'exit/error'))
      void this.fail(request, response, rest === 'init/error' ? 'init' : 'exit');
    else return false;
    return true;
  }

  /** Whether an extension subscribes to events. */
  get size(): number {
    return this.extensions.size;
  }

  /** Whether an extension subscribes to the shutdown event. */
  get wantsShutdown(): boolean {
    return [...this.extensions.values()].some(({ events }) => events.has('SHUTDOWN'));
  }

  /** Subscriptions of each extension, for the log. */
  list(): { name: string; events: string[]; ready: boolean }[] {
    return [...this.extensions.values()].map(({ name, events, ready }) => ({ name, events: [...events], ready }));
  }

  /** Resolves when all extensions have registered and request events. */
  async untilReady(): Promise<void> {
    await this.until(
      () =>
        [...this.expected].every((name) =>
          [...this.extensions.values()].some((extension) => extension.name === name),
        ) && [...this.extensions.values()].every(({ ready, pending }) => ready && pending !== undefined),
    );
  }

  /** Resolves when all extensions have processed their events. */
  async untilIdle(): Promise<void> {
    await this.until(() =>
      [...this.extensions.values()].every(({ pending, queue }) => pending !== undefined && queue.length === 0),
    );
  }

  /** Sends an event to the extensions. */
  send(type: ExtensionEvent, event: object): void {
    for (const extension of this.extensions.values()) {
      if (!extension.events.has(type)) continue;
      extension.queue.push({ eventType: type, ...event });
      this.hand(extension);
    }
  }

  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiters.add(resolve));
  }

  private changed(): void {
    for (const waiter of this.waiters) waiter();
    this.waiters.clear();
  }

  private async register(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = request.headers['lambda-extension-name'];
    const body = await bodyOf(request);
    if (typeof name !== 'string' || name === '')
      return refuse(request, response, 403, 'Extension.InvalidExtensionName', 'The extension has no name');
    let events: unknown;
    try {
      events = (JSON.parse(body.toString() || '{}') as { events?: unknown }).events ?? [];
    } catch {
      return refuse(request, response, 400, 'InvalidRequestFormat', 'The body is no JSON');
    }
    const external = this.expected.has(name);
    const allowed = external ? ['INVOKE', 'SHUTDOWN'] : ['INVOKE'];
    if (!Array.isArray(events) || !events.every((event) => allowed.includes(event as string)))
      return refuse(request, response, 400, 'Extension.InvalidEventType', `Events may be ${allowed.join(' and ')}`);
    if (this.extensions.size >= MAX_EXTENSIONS)
      return refuse(request, response, 403, 'Extension.TooManyExtensions', 'Too many extensions');
    if ([...this.extensions.values()].some((extension) => extension.name === name))
      return refuse(request, response, 403, 'Extension.AlreadyRegistered', `${name} is registered already`);
    const id = this.ids.uuid();
    this.extensions.set(id, {
      id,
      name,
      external,
      events: new Set(events as string[]),
      pending: undefined,
      queue: [],
      ready: false,
    });
    const { accountId, ...description } = this.description;
    const wantsAccount = String(request.headers['lambda-extension-accept-feature'] ?? '').includes('accountId');
    const answer = JSON.stringify(wantsAccount ? { ...description, accountId } : description);
    response.writeHead(200, {
      'content-type': 'application/json',
      'lambda-extension-identifier': id,
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
    this.changed();
  }

  private next(request: IncomingMessage, response: ServerResponse): void {
    const extension = this.caller(request, response);
    if (!extension) return;
    extension.pending = response;
    extension.ready = true;
    response.once('close', () => {
      if (extension.pending === response) extension.pending = undefined;
    });
    this.hand(extension);
    this.changed();
  }

  private hand(extension: Extension): void {
    const { pending, queue } = extension;
    if (!pending || queue.length === 0) return;
    extension.pending = undefined;
    const body = JSON.stringify(queue.shift());
    pending.writeHead(200, {
      'content-type': 'application/json',
      'lambda-extension-event-identifier': this.ids.uuid(),
      'content-length': Buffer.byteLength(body),
    });
    pending.end(body);
  }

  private async fail(request: IncomingMessage, response: ServerResponse, kind: 'init' | 'exit'): Promise<void> {
    const extension = this.caller(request, response);
    if (!extension) return;
    const body = await bodyOf(request);
    const errorType = String(request.headers['lambda-extension-function-error-type'] ?? 'Extension.Unknown');
    response.writeHead(202, { 'content-type': 'application/json' });
    response.end('{"status":"OK"}\n');
    this.onError?.(kind, errorType, body);
  }

  /** Returns the extension of a request; rejects unknown ones. */
  private caller(request: IncomingMessage, response: ServerResponse): Extension | undefined {
    const id = request.headers['lambda-extension-identifier'];
    const extension = typeof id === 'string' ? this.extensions.get(id) : undefined;
    if (!extension) refuse(request, response, 403, 'Extension.UnknownExtensionIdentifier', 'Unknown extension');
    return extension;
  }
}

/** Reads a small body, truncating longer ones. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
    }
  } catch {
    // The extension disconnected; its exit is handled elsewhere.
  }
  return Buffer.concat(chunks);
}
