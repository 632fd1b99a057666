import type { HeaderValues } from '@emu/wire';
import type { ServiceHandle } from './handle.ts';

/** A request of a control route. */
export interface ControlRequest {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<HeaderValues>;
  /** The JSON body; undefined for an empty one. */
  readonly body: unknown;
  /** Base URL of emu in the request, or `EMULATOR_EXTERNAL_URL`; no trailing slash. */
  readonly endpoint: string;
}

/** A control route's response: JSON, or bytes of a content type. */
export type ControlResponse =
  | { status?: number; json: unknown }
  | {
      status?: number;
      contentType: string;
      /** Headers besides the content type. */
      headers?: Readonly<Record<string, string>>;
      body: Uint8Array | AsyncIterable<Uint8Array>;
    };

/** A `/_emulator` route of a service. */
export interface ControlRoute<State = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path, e.g. `/_emulator/sqs/{queue_name}/force-dlq`. */
  path: string;
  /** The body is bytes instead of JSON; the handler receives them as they arrive (`AsyncIterable<Uint8Array>`). */
  takesBytes?: true;
  /** @throws ControlError for an invalid request */
  handle(request: ControlRequest, service: ServiceHandle<State>): ControlResponse | Promise<ControlResponse>;
}

/**
 * Declares a control route by name, e.g. `GET /_emulator/sqs/messages`. Services add the types of the control client:
 * `const route: DeclareRoute<ServiceHandle<SqsState>, ControlRoute<SqsState>> = controlRoute`.
 */
export function controlRoute<Handle>(
  name: string,
  handle: Handle,
): Pick<ControlRoute, 'method' | 'path'> & { handle: Handle } {
  const space = name.indexOf(' ');
  return { method: name.slice(0, space) as ControlRoute['method'], path: name.slice(space + 1), handle };
}

/** Error of a control request; sent as `{ "error": { "code", "message" } }`. */
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
