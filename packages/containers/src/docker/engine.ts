import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type Docker from 'dockerode';
import { awaitWithin } from '../await-within.ts';
import type { EngineEndpoint } from './endpoint.ts';
import { engineEndpoints, noEngine } from './find-engine.ts';
import { findOwnContainer, type OwnContainer } from './own-container.ts';

/**
 * Timeout for the engine's description in milliseconds. It can take seconds while the engine creates many containers.
 */
const ANSWER_TIMEOUT = 20_000;
/** Timeout for a connection to a remote engine in milliseconds. */
const CONNECT_TIMEOUT = 5000;

/** An engine that responds. */
export interface Engine {
  docker: Docker;
  endpoint: EngineEndpoint;
  /** Whether it is podman, whatever the name of its socket. */
  podman: boolean;
  /** Whether it runs in a virtual machine of a desktop product, which has a name for the user's machine. */
  desktop: boolean;
  /** Whether it is rootless, so that its bridges are not interfaces of the machine. */
  rootless: boolean;
  /** Whether the engine shares the directories and loopback ports of this process. */
  local: boolean;
  /** Container of this process in this engine; undefined if it runs in none. */
  own: OwnContainer | undefined;
  /** Default network of containers; undefined for the engine's own default. */
  network: string | undefined;
}

/** The engine of a runtime. */
export interface RuntimeEngine extends Engine {
  /** Reports that it no longer responds. */
  lost(): void;
}

/**
 * Finds the engine and reads its description.
 * @param cli `EMULATOR_CONTAINER_CLI`
 * @param network `EMULATOR_CONTAINER_NETWORK`
 * @throws ContainerError `unavailable` if no engine responds
 */
export async function findEngine(cli: string | undefined, network: string | undefined): Promise<Engine> {
  const tried: string[] = [];
  for (const endpoint of await engineEndpoints(cli)) {
    try {
      return await openEngine(endpoint, network);
    } catch (error) {
      tried.push(`${endpoint.source}: ${(error as Error).message}`);
    }
  }
  throw noEngine(tried);
}

async function openEngine(endpoint: EngineEndpoint, network: string | undefined): Promise<Engine> {
  // Loaded only if an engine may exist.
  const { default: DockerClient } = await import('dockerode');
  const { socketPath, protocol, host, port, username, tls } = endpoint;
  // The client would take missing values from DOCKER_HOST.
  const connection = { socketPath, protocol: protocol ?? 'http', host, port, username, ...noTls, ...tls };
  const agent = protocol === 'ssh' ? { sshOptions: { agent: process.env.SSH_AUTH_SOCK } } : {};
  const docker = new DockerClient({ ...connection, ...agent } as Docker.DockerOptions);
  const answers = Promise.all([docker.version(), docker.info() as Promise<EngineInfo>]);
  const described = await awaitWithin(answers, ANSWER_TIMEOUT);
  if (!described) throw new Error('no response');
  const [version, info] = described;
  const podman = version.Components?.some(({ Name }) => /podman/i.test(Name)) ?? false;
  const system = info.OperatingSystem ?? '';
  const inside = inContainer(info.Name);
  const own = inside ? await findOwnContainer(docker, network) : undefined;
  return {
    docker,
    endpoint,
    podman,
    desktop: /desktop|orbstack/i.test(system) || process.platform !== 'linux',
    rootless: (info.SecurityOptions ?? []).some((option) => option.includes('rootless')),
    local: (socketPath !== undefined || isLoopback(host ?? '')) && !inside,
    own,
    network: network ?? own?.network,
  };
}

const noTls = { ca: undefined, cert: undefined, key: undefined };

/** Used members of an engine's description. */
interface EngineInfo {
  /** Host name of its machine. */
  Name?: string;
  OperatingSystem?: string;
  SecurityOptions?: string[] | null;
}

/**
 * Whether this process may run in a container of the engine. Engines create a marker file in their containers, but
 * machine images may contain it too. In that case the engine's host name is the same as this process's.
 */
const inContainer = (engineHost: string | undefined): boolean =>
  (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) && engineHost !== hostname();

const isLoopback = (host: string): boolean => /^(localhost|127\.|::1$)/.test(host);

/** Returns the address of this machine that an engine or another machine can reach; undefined without one. */
export async function ownAddress(endpoint: EngineEndpoint): Promise<string | undefined> {
  const { host, port } = endpoint;
  if (host !== undefined && !isLoopback(host)) {
    const address = await localAddress(host, port ?? 22);
    if (address !== undefined) return address;
  }
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/** Returns the local address of connections to a host. */
function localAddress(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT });
    const end = (address: string | undefined): void => {
      socket.destroy();
      resolve(address);
    };
    socket.once('connect', () => end(socket.localAddress));
    socket.once('error', () => end(undefined));
    socket.once('timeout', () => end(undefined));
  });
}
