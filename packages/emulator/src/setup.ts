import { awsVariables, misleadingVariables } from './aws-variables.ts';
import { createEmulator, type EmbeddedEmulator, type EmulatorOptions } from './index.ts';

/** An emulator on a port, which AWS clients of this process find through environment variables. */
export interface EmulatorForClients extends EmbeddedEmulator {
  /** Base URL of the port. */
  readonly url: string;
}

/**
 * Starts an emulator on a free port of this machine, and sets the environment variables through which AWS clients of
 * this process and its later child processes reach it. `close()` restores the environment.
 * @throws errors of `createEmulator`
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

/** Sets environment variables, and removes those that are undefined. */
function assign(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

let shared: EmulatorForClients | undefined;

/**
 * Starts one emulator for the whole run of vitest or jest, used by the applications' own clients (global setup).
 * @returns the teardown function for vitest; jest uses `@emu/emulator/teardown`
 */
export default async function setup(): Promise<() => Promise<void>> {
  shared = await startForClients();
  return endShared;
}

/** Closes the emulator of the global setup. */
export async function endShared(): Promise<void> {
  await shared?.close();
  shared = undefined;
}
