import type { ControlRouteOf, HttpRouteName } from '@emu/control-client';
import { type ControlRequest, type ControlResponse, controlRoute } from '@emu/core/service';

/** A control route of the emulator or a service. */
export interface Route {
  method: string;
  /** Path in the form of the specification, e.g. `/_emulator/sqs/{queue_name}/force-dlq`. */
  path: string;
  handle(request: ControlRequest): ControlResponse | Promise<ControlResponse>;
  /** The handler gets the bytes of the body as they arrive (`AsyncIterable<Uint8Array>`) instead of JSON. */
  takesBytes?: true;
  /** The content type of the body must be JSON, which forms of web pages cannot set. */
  jsonOnly?: true;
  /** The route changes nothing, so that its response does not wait for the disk. */
  changesNothing?: true;
}

/**
 * Declares a route of the gateway with the types of its clients.
 * @param name method and path, e.g. `GET /_emulator/health`
 */
export function route<Name extends HttpRouteName>(name: Name, handle: ControlRouteOf<Name>['handle']): Route {
  return controlRoute(name, handle as unknown as Route['handle']);
}
