import type { EmbeddedEmulator } from '@emu/emulator';
import type { Send } from './scenario.ts';

type RequestHandler = ReturnType<EmbeddedEmulator['clientConfig']>['requestHandler'];

/** Handles a request of an SDK client. */
export type Handle = RequestHandler['handle'];
/** A request of an SDK client. */
export type SdkRequest = Parameters<Handle>[0];

/**
 * Returns an emulator whose clients have another handler of requests.
 * @param handlerOf returns it for the emulator's own one
 * @param more further settings of the clients
 */
export const withHandler = (
  emulator: EmbeddedEmulator,
  handlerOf: (handler: RequestHandler) => Handle,
  more: Readonly<Record<string, unknown>> = {},
): EmbeddedEmulator => ({
  ...emulator,
  clientConfig: (options) => {
    const config = emulator.clientConfig(options);
    const { requestHandler } = config;
    return { ...config, ...more, requestHandler: { ...requestHandler, handle: handlerOf(requestHandler) } };
  },
});

/** Part of an SDK client that is used here. */
interface Client {
  send(command: never): Promise<unknown>;
}

/** Exports of an SDK package, including commands by name. */
export type SdkPackage = Readonly<Record<string, unknown>>;

/** Sends operations by name through an SDK client. */
export function sender(client: Client, sdk: SdkPackage): Send {
  return async (operation, input) => {
    const Command = sdk[`${operation}Command`] as (new (input: Record<string, unknown>) => never) | undefined;
    if (!Command) throw new Error(`the SDK has no command for ${operation}`);
    return (await client.send(new Command(input))) as Record<string, unknown>;
  };
}
