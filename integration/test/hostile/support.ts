import type { ServiceManifest } from '@emu/core/service';
import { createTestEmulator, type RawResponse, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Response to a hostile input, or the result of the work that the input started. */
export interface Outcome {
  /** HTTP status of the response; 200 for the result of started work. */
  readonly status: number;
  /** Code of the service's error; undefined without an error. */
  readonly code?: string | undefined;
  /** Response text, or the cause of a failure. */
  readonly text: string;
}

/** A hostile input for one service. */
export interface HostileCase {
  /** Class of the input and where it is sent, e.g. `1,000 parentheses in a metric math expression`. */
  readonly name: string;
  /**
   * Sends the input. A case is sent again if it was slow, so names of created resources end in `attempt`.
   * @param attempt a number that no other call gets
   */
  readonly send: (client: HostileClient, attempt: number) => Promise<Outcome>;
  /** Expected error code; undefined for a success. */
  readonly code?: string;
  /** Expected part of the response. */
  readonly text?: string | RegExp;
  /** Whether the status is 500, as of an API whose integration fails. */
  readonly fails?: boolean;
}

/** Bytes that a socket delivers at once. */
const CHUNK = 64 * 1024;
/** Milliseconds between the times at which the probe wants to run. */
const PROBE_INTERVAL = 2;
/** Delay in milliseconds that is accepted at the first attempt. */
const MAX_DELAY = 50;
/**
 * Maximum delay in milliseconds of 99 % of the probes during all cases of a file: twice what health checks may take,
 * because the CPU time of the garbage collector's threads counts here.
 */
const MAX_P99 = 2 * MAX_DELAY;
/** Maximum delay in milliseconds of each probe. */
const HANG = 250;
/** A slow case is sent again: its first attempt loads modules, and other processes use the machine. */
const ATTEMPTS = 3;

/**
 * Measures how long a health check would wait for the event loop, in CPU time, so that other processes of the machine do
 * not count.
 */
class LoopProbe {
  /** Delay of each probe in milliseconds. */
  readonly delays: number[] = [];
  private last = performance.now();
  private used = process.cpuUsage();
  private timer = setTimeout(() => this.run(), PROBE_INTERVAL);

  get longest(): number {
    return this.delays.reduce((longest, delay) => Math.max(longest, delay), 0);
  }

  /** Ends the measurement, after the turn that runs now. */
  async stop(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL));
    clearTimeout(this.timer);
    this.record();
  }

  private run(): void {
    this.record();
    this.timer = setTimeout(() => this.run(), PROBE_INTERVAL);
  }

  /** A turn also delays the probes that were due while it ran. */
  private record(): void {
    const { user, system } = process.cpuUsage(this.used);
    const now = performance.now();
    const busy = Math.min(now - this.last, (user + system) / 1000);
    for (let delay = busy; delay > 0; delay -= PROBE_INTERVAL) this.delays.push(delay);
    this.last = now;
    this.used = process.cpuUsage();
  }
}

/** An input of an operation, or the text of its body. */
type Input = object | string;

/** Sends requests as a client without checks of its own. */
export class HostileClient {
  constructor(
    readonly emulator: TestEmulator,
    private readonly manifests: readonly ServiceManifest[],
  ) {}

  /** Calls an operation of a JSON or Query service. Inputs of Query services are texts, arrays, and objects for structures. */
  async call(service: string, operation: string, input: Input): Promise<Outcome> {
    const { targetPrefixes, queryVersions } = this.manifests.find(({ name }) => name === service)!;
    if (targetPrefixes)
      return this.signed(service, 'POST', '/', input, {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `${targetPrefixes[0]}.${operation}`,
      });
    const parameters = { Action: operation, Version: queryVersions![0]!, ...Object.fromEntries(parametersOf(input)) };
    return this.signed(service, 'POST', '/', new URLSearchParams(parameters).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
  }

  /** Sends a signed REST request. */
  async signed(
    service: string,
    method: string,
    target: string,
    body: Input = '',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    const { signingNames } = this.manifests.find(({ name }) => name === service)!;
    const scope = `test/20260101/us-east-1/${signingNames![0]}/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
    return this.plain(method, target, { 'content-type': 'application/json', authorization, ...headers }, body);
  }

  /** Sends a request without a signature, e.g. to a data plane. */
  async plain(method: string, target: string, headers: Record<string, string>, body: Input = ''): Promise<Outcome> {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK));
    return outcomeOf(await sendRaw(this.emulator, { method, target, headers, chunks }));
  }
}

/** Yields the parameters of a Query request. */
function* parametersOf(value: unknown, name = ''): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) yield [name, String(value)];
  else
    for (const [key, item] of Object.entries(value))
      yield* parametersOf(
        item,
        Array.isArray(value) ? `${name}.member.${Number(key) + 1}` : name ? `${name}.${key}` : key,
      );
}

function outcomeOf({ status, headers, text }: RawResponse): Outcome {
  const code =
    headers['x-amzn-errortype'] ??
    /"__type":"(?:[^"#]*#)?([^"]+)"/.exec(text)?.[1] ??
    /<Code>([^<]+)<\/Code>/.exec(text)?.[1];
  return { status, code: code?.split(':')[0], text };
}

/** Returns the parsed body of a successful response. */
export function bodyOf<T>({ status, text }: Outcome): T {
  expect(text.slice(0, 1000), `status ${status}`).toSatisfy(() => status < 300);
  return JSON.parse(text) as T;
}

/** Returns a value once it exists. @throws Error after 30 seconds */
export async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 30_000;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error('the work did not end in 30 seconds');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns an array in arrays, as JSON. */
export const nestedArrays = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Returns an object in objects of the member `a`, as JSON. */
export const nestedObjects = (levels: number, inside = '1'): string =>
  '{"a":'.repeat(levels) + inside + '}'.repeat(levels);

/**
 * Sends hostile inputs to one emulator of some services. Each answer must be the documented one, and the event loop must
 * stay responsive.
 */
export function describeHostileInputs(manifests: readonly ServiceManifest[], cases: readonly HostileCase[]): void {
  let client: HostileClient;
  let attempts = 0;
  const delays: number[] = [];
  beforeAll(async () => {
    client = new HostileClient(await createTestEmulator({ manifests }), manifests);
  });
  afterAll(() => client.emulator.close());

  test.each(cases.map((one) => [one.name, one] as const))('%s', async (_, { send, code, text = '', fails = false }) => {
    let best: LoopProbe | undefined;
    for (let count = 0; count < ATTEMPTS && (best?.longest ?? Infinity) > MAX_DELAY; count++) {
      const probe = new LoopProbe();
      const outcome = await send(client, ++attempts).finally(() => probe.stop());
      expect(outcome.text).not.toContain('Maximum call stack');
      const shown = outcome.text.slice(0, 1000);
      expect({ failed: outcome.status >= 500, code: outcome.code }, shown).toEqual({ failed: fails, code });
      expect(shown).toMatch(text);
      if (!best || probe.longest < best.longest) best = probe;
    }
    expect(best!.longest, 'longest turn in milliseconds').toBeLessThan(HANG);
    for (const delay of best!.delays) delays.push(delay);
  });

  test('the event loop stays responsive', () => {
    delays.sort((a, b) => a - b);
    // One outlier of a short file is no percentile; its own bound is `HANG`.
    expect(delays.at(-Math.max(2, Math.ceil(delays.length * 0.01)))).toBeLessThan(MAX_P99);
  });
}
