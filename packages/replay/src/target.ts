import type { ReceivedResponse } from '@emu/wire';

/** A request to the emulator. */
export interface TargetRequest {
  readonly method: string;
  /** Host name in the request; the emulator's own without one. It is never resolved. */
  readonly host?: string;
  /** Percent-encoded, begins with a slash. */
  readonly path: string;
  /** Percent-encoded, without the question mark. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The emulator that a recording is replayed against. */
export interface Target {
  /**
   * Sends a request.
   * @throws Error if the emulator does not respond
   */
  send(request: TargetRequest, signal: AbortSignal): Promise<ReceivedResponse>;
  /** Stops the emulated time at a time in epoch milliseconds. */
  start(time: number): Promise<void>;
  /** Moves the emulated time forward to a time in epoch milliseconds, and runs what is due. An earlier time has no effect. */
  advanceTo(time: number): Promise<void>;
}

/** A request handler of the SDK, such as that of an embedded emulator's `clientConfig()`. */
export interface SdkRequestHandler {
  handle(
    request: {
      method: string;
      protocol: string;
      hostname: string;
      path: string;
      query: Record<string, string | string[] | null>;
      headers: Record<string, string>;
      body: Uint8Array;
    },
    options: { abortSignal: AbortSignal },
  ): Promise<{
    response: { statusCode: number; headers: Record<string, string>; body: AsyncIterable<Uint8Array> };
  }>;
}

/** Parts of an embedded emulator. */
export interface EmbeddedParts {
  clientConfig(): { requestHandler: SdkRequestHandler };
  readonly clock: {
    now(): number;
    freeze(): void;
    set(time: number): Promise<void>;
    advance(ms: number): Promise<void>;
  };
}

/** An emulator inside this process. */
export function embeddedTarget({ clientConfig, clock }: EmbeddedParts): Target {
  const { requestHandler } = clientConfig();
  return {
    async send({ method, host = 'localhost', path, query, headers, body }, signal) {
      const { response } = await requestHandler.handle(
        {
          method,
          protocol: 'http:',
          hostname: host,
          // Already encoded, which parameters would not stay.
          path: query === '' ? path : `${path}?${query}`,
          query: {},
          headers: { ...headers },
          body,
        },
        { abortSignal: signal },
      );
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
    },
    async start(time) {
      clock.freeze();
      await clock.set(time);
    },
    async advanceTo(time) {
      const forward = time - clock.now();
      if (forward >= 0) await clock.advance(forward);
    },
  };
}
