import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ContainerError } from '@emu/core/service';
import { type EngineEndpoint, parseEndpoint } from './endpoint.ts';

/** Milliseconds a command of a CLI may take. */
const TIMEOUT = 10_000;

/**
 * The engine that a container CLI talks to. One that is really podman, whatever its name, is recognised by what it
 * says of its version.
 * @param cli `docker`, `podman` or a path
 * @throws ContainerError `unavailable` where there is no such program, or it has no engine
 */
export async function cliEndpoint(cli: string): Promise<EngineEndpoint> {
  const source = `${cli} (EMULATOR_CONTAINER_CLI)`;
  const podman = /podman/i.test(await run(cli, ['--version'])) || /podman/i.test(await tolerant(cli, ['version']));
  const commands = podman
    ? [
        // A podman of macOS or Windows has its engine in a virtual machine.
        ...(process.platform === 'linux'
          ? []
          : [['machine', 'inspect', '--format', '{{.ConnectionInfo.PodmanSocket.Path}}']]),
        ['info', '--format', '{{.Host.RemoteSocket.Path}}'],
      ]
    : [['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']];
  for (const command of commands) {
    const [address = ''] = (await tolerant(cli, command)).trim().split('\n');
    if (address === '' || address === '<no value>') continue;
    return parseEndpoint(address.includes('://') ? address : `unix://${address}`, source);
  }
  throw new ContainerError('unavailable', `${source} does not tell where its engine answers`);
}

async function run(cli: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(cli, args, { timeout: TIMEOUT });
    return stdout;
  } catch (error) {
    throw new ContainerError('unavailable', `${cli} (EMULATOR_CONTAINER_CLI) cannot be run: ${words(error)}`, {
      cause: error,
    });
  }
}

/** What a command says, also where it fails: a client without an engine still tells its own version. */
async function tolerant(cli: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(cli, args, { timeout: TIMEOUT });
    return stdout;
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? '');
  }
}

const words = (error: unknown): string => (error as Error).message.split('\n')[0]!;
