import type { ControlRouteOf, HttpRouteName } from '@emu/control-client';
import type { ControlRequest, ControlResponse } from '@emu/core/service';

/** A control route, whoever declares it. */
export interface Route {
  method: string;
  /** Path as the specification writes it, e.g. `/_emulator/sqs/{queue_name}/force-dlq`. */
  path: string;
  handle(request: ControlRequest): ControlResponse | Promise<ControlResponse>;
  /** Its body is no JSON but bytes, which the handler gets as they arrive (`AsyncIterable<Uint8Array>`). */
  takesBytes?: true;
  /** Its body must say that it is JSON, which no form of a web page can. */
  jsonOnly?: true;
  /** Answers whatever the disk does: nothing is changed that would have to be written first. */
  changesNothing?: true;
}

/**
 * Declares a route of the gateway's own, held to the types that its clients have of it.
 * @param name method and path, e.g. `GET /_emulator/health`
 */
export function route<Name extends HttpRouteName>(name: Name, handle: ControlRouteOf<Name>['handle']): Route {
  const space = name.indexOf(' ');
  return { method: name.slice(0, space), path: name.slice(space + 1), handle: handle as unknown as Route['handle'] };
}
