import type { Send } from './scenario.ts';

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
