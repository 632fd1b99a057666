import type { Flags } from './argv.ts';
import { runChild } from './child.ts';
import { clientEnvironment } from './client-environment.ts';
import { Failure } from './failure.ts';
import { closeInTime } from './lifetime.ts';
import type { RunningServer } from './running-server.ts';
import { prepare, startServer } from './server.ts';

/** Keeps emu's log out of the command's output; a free port avoids conflicts with other processes. */
const DEFAULTS = { EMULATOR_ADDR: '127.0.0.1:0', EMULATOR_LOG: 'warn' };

/**
 * `emu exec -- <command>`: runs a command with its own emulator after the init hooks. Resolves to the command's exit
 * code.
 * @throws Failure if the emulator or the command cannot be started, or a hook fails with `--init-strict`
 */
export async function exec(flags: Flags, command: readonly string[]): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined) throw new Failure('emu exec needs a command: emu exec [flags] -- <command> [arguments]');
  // The address of another running emulator does not apply to this one.
  const { EMULATOR_ADDR: _, ...env } = process.env;
  const server = await startServer(flags, env, DEFAULTS);
  await prepare(server);
  void server.emulator.kernel.resume();
  const code = await runChild(program, args, await childEnvironment(server)).catch(async (error: unknown) => {
    await closeInTime(server);
    throw error;
  });
  return (await closeInTime(server)) || code;
}

function childEnvironment({ url, config }: RunningServer): Promise<NodeJS.ProcessEnv> {
  const { region, values } = config.settings;
  return clientEnvironment({ url, region, verifies: values.EMULATOR_VERIFY_SIGV4 });
}
