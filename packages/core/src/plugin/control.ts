import type { HeaderValues } from '@emu/wire';
import type { ServiceHandle } from './handle.ts';

/** A request of a control route. */
export interface ControlRequest {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<HeaderValues>;
  /** The JSON body; undefined where the body is empty. */
  readonly body: unknown;
  /** Base URL the caller reached emu by, or `EMULATOR_EXTERNAL_URL`; no trailing slash. */
  readonly endpoint: string;
}

/** A control route's answer: JSON, or bytes of a content type. */
export type ControlResponse =
  | { status?: number; json: unknown }
  | {
      status?: number;
      contentType: string;
      /** Besides the content type. */
      headers?: Readonly<Record<string, string>>;
      body: Uint8Array | AsyncIterable<Uint8Array>;
    };

/** A `/_emulator` route of a service. */
export interface ControlRoute<State = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path as in the specification, e.g. `/_emulator/sqs/{queue_name}/force-dlq`. */
  path: string;
  /** Its body is no JSON but bytes, which the handler gets as they arrive (`AsyncIterable<Uint8Array>`). */
  takesBytes?: true;
  /** @throws ControlError for a bad request */
  handle(request: ControlRequest, service: ServiceHandle<State>): ControlResponse | Promise<ControlResponse>;
}

/** A refused control request; answered as `{ "error": { "code", "message" } }`. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
