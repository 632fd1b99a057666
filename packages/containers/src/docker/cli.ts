import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ContainerError } from '@emu/core/service';
import { type EngineEndpoint, parseEndpoint } from './endpoint.ts';

/** Timeout of a CLI command in milliseconds. */
const TIMEOUT = 10_000;

/**
 * Returns the engine of a container CLI. A CLI that is really podman, whatever its name, is recognized by its version
 * output.
 * @param cli `docker`, `podman` or a path
 * @throws ContainerError `unavailable` if the program does not exist or has no engine
 */
export async function cliEndpoint(cli: string): Promise<EngineEndpoint> {
  const source = `${cli} (EMULATOR_CONTAINER_CLI)`;
  const podman = /podman/i.test(await run(cli, ['--version'])) || /podman/i.test(await tolerant(cli, ['version']));
  const commands = podman
    ? [
        // On macOS and Windows, podman's engine runs in a virtual machine.
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
  throw new ContainerError('unavailable', `${source} does not report the address of its engine`);
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

/**
 * Returns the output of a command even if it fails, because a client without an engine still prints its own version.
 */
async function tolerant(cli: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(cli, args, { timeout: TIMEOUT });
    return stdout;
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? '');
  }
}

const words = (error: unknown): string => (error as Error).message.split('\n')[0]!;
