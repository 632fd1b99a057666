import { awsVariables, misleadingVariables } from './aws-variables.ts';
import { createEmulator, type EmbeddedEmulator, type EmulatorOptions } from './index.ts';

/** An emulator on a port, which the AWS clients of this process find by the environment. */
export interface EmulatorForClients extends EmbeddedEmulator {
  /** Base URL of its port. */
  readonly url: string;
}

/**
 * Starts an emulator on any free port of this machine, and sets the variables of the environment by which AWS clients of this
 * process, and of those that it starts from now on, reach it. `close()` puts the environment back.
 * @throws what `createEmulator` throws
 */
export async function startForClients(options: EmulatorOptions = {}): Promise<EmulatorForClients> {
  const emulator = await createEmulator(options);
  const { port } = await emulator.listen();
  const url = `http://127.0.0.1:${port}`;
  const { region, credentials } = emulator.clientConfig();
  const variables: Record<string, string | undefined> = {
    ...Object.fromEntries(misleadingVariables(process.env).map((name) => [name, undefined])),
    ...awsVariables(url, region, credentials),
  };
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  assign(variables);
  const close = async (): Promise<void> => {
    assign(before);
    await emulator.close();
  };
  return { ...emulator, url, close, [Symbol.asyncDispose]: close };
}

/** Sets variables of the environment, and unsets those that are undefined. */
function assign(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

let shared: EmulatorForClients | undefined;

/**
 * Global set-up of vitest and jest: one emulator for the whole run, which the applications' own clients reach.
 * @returns what ends it, as vitest wants it; jest calls `@emu/emulator/teardown`
 */
export default async function setup(): Promise<() => Promise<void>> {
  shared = await startForClients();
  return endShared;
}

/** Ends the emulator of the global set-up. */
export async function endShared(): Promise<void> {
  await shared?.close();
  shared = undefined;
}
