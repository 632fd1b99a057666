import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Flags } from './argv.ts';
import { clientEnvironment } from './client-environment.ts';
import { Failure } from './failure.ts';
import { closeInTime } from './lifetime.ts';
import type { RunningServer } from './running-server.ts';
import { prepare, startServer } from './server.ts';

/** Keeps emu's log out of the command's output; a free port avoids conflicts with other processes. */
const DEFAULTS = { EMULATOR_ADDR: '127.0.0.1:0', EMULATOR_LOG: 'warn' };
/** Reasons why a command cannot be run, by error code. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'the command does not exist',
  EACCES: 'this user may not run it',
};
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  const code = await run(program, args, await childEnvironment(server)).catch(async (error: unknown) => {
    await closeInTime(server);
    throw error;
  });
  return (await closeInTime(server)) || code;
}

function childEnvironment({ url, config }: RunningServer): Promise<NodeJS.ProcessEnv> {
  const { region, values } = config.settings;
  return clientEnvironment({ url, region, verifies: values.EMULATOR_VERIFY_SIGV4 });
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    for (const signal of FORWARDED)
      process.on(signal, () => {
        // A terminal also sends its Ctrl-C to the command.
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      });
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = WHY[error.code ?? ''] ?? error.message;
      reject(new Failure(`${program} could not be run: ${why}`, error.code === 'ENOENT' ? 127 : 126));
    });
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
  });
}
