import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TelemetryEvent } from './environment-log.ts';
import { refuse } from './runtime-api.ts';

/** A subscription of the Telemetry API, or of its predecessor, the Logs API. */
interface Subscription {
  types: ReadonlySet<string>;
  url: string;
  maxItems: number;
  maxBytes: number;
  /** Milliseconds. */
  timeout: number;
  waiting: TelemetryEvent[];
  bytes: number;
  timer: NodeJS.Timeout | undefined;
  sending: Promise<void>;
}

/**
 * Limits and defaults of buffering. @see
 * @see https://docs.aws.amazon.com/lambda/latest/dg/telemetry-api-reference.html
 */
const MAX_ITEMS = { min: 1000, max: 10_000, default: 1000 };
const MAX_BYTES = { min: 262_144, max: 1_048_576, default: 262_144 };
const TIMEOUT = { min: 25, max: 30_000, default: 1000 };
const TYPES = new Set(['platform', 'function', 'extension']);
/** AWS's host name of the environment itself. */
const SANDBOX = new Set(['sandbox.localdomain', 'sandbox']);
/** Response timeout of a subscriber in milliseconds. */
const PATIENCE = 5000;

/** Forwards an environment's log to subscribed extensions. */
export class Telemetry {
  private readonly subscriptions = new Map<string, Subscription>();

  /**
   * @param isolated whether the environment has its own address, from which it subscribes
   * @param subscribed called with a new subscriber
   */
  constructor(
    private readonly isolated: boolean,
    private readonly subscribed: (extension: string, types: string[]) => void,
  ) {}

  /** Handles a subscription request of an extension. */
  async subscribe(request: IncomingMessage, response: ServerResponse, id: string, name: string): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const { subscription, types } = this.parse(JSON.parse(Buffer.concat(chunks).toString()), this.hostOf(request));
      this.subscriptions.set(id, subscription);
      this.subscribed(name, types);
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end('OK');
    } catch (error) {
      if (!response.headersSent) refuse(request, response, 400, 'ValidationError', (error as Error).message);
    }
  }

  /** Forwards an event. */
  add(event: TelemetryEvent): void {
    if (this.subscriptions.size === 0) return;
    const type = event.type.split('.', 1)[0]!;
    for (const subscription of this.subscriptions.values()) {
      if (!subscription.types.has(type)) continue;
      // If a subscriber is too slow, the newest events are dropped.
      if (subscription.waiting.length >= MAX_ITEMS.max) continue;
      subscription.waiting.push(event);
      subscription.bytes += typeof event.record === 'string' ? event.record.length : 200;
      if (subscription.waiting.length >= subscription.maxItems || subscription.bytes >= subscription.maxBytes)
        this.flush(subscription);
      else subscription.timer ??= setTimeout(() => this.flush(subscription), subscription.timeout).unref();
    }
  }

  /** Sends buffered events; resolves when they are accepted. */
  async close(): Promise<void> {
    for (const subscription of this.subscriptions.values()) this.flush(subscription);
    await Promise.all([...this.subscriptions.values()].map(({ sending }) => sending));
    this.subscriptions.clear();
  }

  private flush(subscription: Subscription): void {
    clearTimeout(subscription.timer);
    subscription.timer = undefined;
    subscription.sending = subscription.sending.then(async () => {
      const events = subscription.waiting.splice(0);
      subscription.bytes = 0;
      if (events.length === 0) return;
      try {
        const answer = await fetch(subscription.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(events),
          signal: AbortSignal.timeout(PATIENCE),
        });
        await answer.arrayBuffer();
      } catch {
        // AWS retries while the environment exists and drops what the subscriber cannot accept; here a failed batch is
        // dropped.
      }
    });
  }

  private hostOf({ socket }: IncomingMessage): string {
    const address = this.isolated ? (socket.remoteAddress ?? '').replace(/^::ffff:/, '') : '127.0.0.1';
    return address.includes(':') ? `[${address}]` : address;
  }

  private parse(body: unknown, host: string): { subscription: Subscription; types: string[] } {
    const { types, buffering, destination } = (body ?? {}) as {
      types?: unknown;
      buffering?: Record<string, unknown>;
      destination?: { protocol?: unknown; URI?: unknown };
    };
    if (!Array.isArray(types) || types.length === 0 || !types.every((type) => TYPES.has(type as string)))
      throw new Error('types must list platform, function or extension');
    if (destination?.protocol !== 'HTTP' || typeof destination.URI !== 'string')
      throw new Error('destination must have the protocol HTTP and a URI');
    const url = new URL(destination.URI);
    if (!SANDBOX.has(url.hostname)) throw new Error('destination must be a port of sandbox.localdomain');
    url.hostname = host;
    const subscription: Subscription = {
      types: new Set(types as string[]),
      url: url.href,
      maxItems: within(buffering?.maxItems, MAX_ITEMS, 'maxItems'),
      maxBytes: within(buffering?.maxBytes, MAX_BYTES, 'maxBytes'),
      timeout: within(buffering?.timeoutMs, TIMEOUT, 'timeoutMs'),
      waiting: [],
      bytes: 0,
      timer: undefined,
      sending: Promise.resolve(),
    };
    return { subscription, types: types as string[] };
  }
}

function within(value: unknown, bounds: { min: number; max: number; default: number }, name: string): number {
  if (value === undefined) return bounds.default;
  if (typeof value !== 'number' || value < bounds.min || value > bounds.max)
    throw new Error(`buffering.${name} must be from ${bounds.min} to ${bounds.max}`);
  return value;
}
