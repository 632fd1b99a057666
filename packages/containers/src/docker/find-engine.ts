import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ContainerError } from '@emu/core/service';
import { cliEndpoint } from './cli.ts';
import { contextEndpoint } from './context.ts';
import { type EngineEndpoint, parseEndpoint, readTls } from './endpoint.ts';

/**
 * Returns the addresses at which an engine may respond, in the order of the attempts. An address from a setting is the
 * only one; otherwise Docker's context and sockets come before those of podman.
 * @param cli `EMULATOR_CONTAINER_CLI`
 * @throws ContainerError `unavailable` for an invalid setting
 */
export async function engineEndpoints(cli: string | undefined, env = process.env): Promise<EngineEndpoint[]> {
  if (cli !== undefined) return [await cliEndpoint(cli)];
  if (env.DOCKER_HOST) {
    const verify = env.DOCKER_TLS_VERIFY && env.DOCKER_CERT_PATH;
    const tls = verify ? await readTls(env.DOCKER_CERT_PATH!) : undefined;
    return [parseEndpoint(env.DOCKER_HOST, 'DOCKER_HOST', tls)];
  }
  const context = await contextEndpoint(env);
  if (context) return [context];
  const named = env.CONTAINER_HOST ? [parseEndpoint(env.CONTAINER_HOST, 'CONTAINER_HOST')] : [];
  return [...(await existing(dockerSockets(env))), ...named, ...(await existing(podmanSockets(env)))];
}

/** Returns Docker's default sockets. */
function dockerSockets(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'win32') return ['\\\\.\\pipe\\docker_engine'];
  const desktop = join(env.HOME || homedir(), '.docker/run/docker.sock');
  return ['/var/run/docker.sock', desktop, join(runtimeDirectory(env), 'docker.sock')];
}

/** Returns podman's default sockets: of the system, of the user, and of its virtual machine. */
function podmanSockets(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'win32') return ['\\\\.\\pipe\\podman-machine-default'];
  const [system, own] = ['/run/podman/podman.sock', join(runtimeDirectory(env), 'podman/podman.sock')];
  const machine = join(env.HOME || homedir(), '.local/share/containers/podman/machine/podman.sock');
  return process.getuid?.() === 0 ? [system, own, machine] : [own, system, machine];
}

const runtimeDirectory = (env: NodeJS.ProcessEnv): string =>
  env.XDG_RUNTIME_DIR || `/run/user/${process.getuid?.() ?? 0}`;

async function existing(paths: readonly string[]): Promise<EngineEndpoint[]> {
  const found = await Promise.all(paths.map(isSocket));
  return paths.filter((_, index) => found[index]).map((socketPath) => ({ source: socketPath, socketPath }));
}

/** Whether a path is a socket or a Windows named pipe. */
async function isSocket(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isSocket() || process.platform === 'win32';
  } catch {
    return false;
  }
}

/** Returns the error if no engine responds. @param tried addresses with the results of the attempts */
export function noEngine(tried: readonly string[]): ContainerError {
  const how = tried.length
    ? tried.join('; ')
    : 'there is neither DOCKER_HOST, nor a docker context, nor a socket of Docker or podman';
  return new ContainerError('unavailable', `no container engine responds: ${how}`);
}
