import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Flags } from './argv.ts';
import { awsVariables, type ClientCredentials, misleading } from './aws-env.ts';
import { control } from './control.ts';
import { Failure } from './failure.ts';
import { closeInTime } from './lifetime.ts';
import { type RunningServer, startServer } from './start.ts';

/** A command's own log is what people want to see; a free port disturbs nobody. */
const DEFAULTS = { EMULATOR_ADDR: '127.0.0.1:0', EMULATOR_LOG: 'warn' };
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `emu exec -- <command>`: runs a command against an emulator of its own; resolves with the command's exit code. */
export async function exec(flags: Flags, command: readonly string[]): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined) throw new Failure('emu exec needs a command: emu exec [flags] -- <command> [arguments]');
  // The address of the emulator that people run beside is not this one's.
  const { EMULATOR_ADDR: _, ...env } = process.env;
  const server = await startServer(flags, env, DEFAULTS);
  const { emulator, log } = server;
  const code = await run(program, args, await childEnvironment(server)).catch(async (error: unknown) => {
    await closeInTime(emulator, log);
    throw error;
  });
  return (await closeInTime(emulator, log)) || code;
}

function childEnvironment({ url, config }: RunningServer): Promise<NodeJS.ProcessEnv> {
  const { region, values } = config.settings;
  return clientEnvironment({ url, region, verifies: values.EMULATOR_VERIFY_SIGV4 });
}

/** This process's environment, changed so that AWS clients use an emulator; with keys that verify where they must. */
export async function clientEnvironment({
  url,
  region,
  verifies,
}: {
  url: string;
  region: string;
  verifies: boolean;
}): Promise<NodeJS.ProcessEnv> {
  const credentials = verifies ? await sessionCredentials(url) : { accessKeyId: 'test', secretAccessKey: 'test' };
  const env = { ...process.env };
  for (const name of misleading(env)) delete env[name];
  return { ...env, ...awsVariables(url, region, credentials) };
}

/** Credentials that verify, as a container would get them. */
async function sessionCredentials(url: string): Promise<ClientCredentials> {
  const found = (await control(url, 'GET', '/_emulator/credentials')) as Record<
    'AccessKeyId' | 'SecretAccessKey' | 'Token',
    string
  >;
  return { accessKeyId: found.AccessKeyId, secretAccessKey: found.SecretAccessKey, sessionToken: found.Token };
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    for (const signal of FORWARDED)
      process.on(signal, () => {
        // A terminal sends its Ctrl-C to the command as well.
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      });
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'there is no such command' : error.message;
      reject(new Failure(`${program} could not be run: ${why}`, error.code === 'ENOENT' ? 127 : 126));
    });
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
  });
}
