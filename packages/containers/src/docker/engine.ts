import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type Docker from 'dockerode';
import type { EngineEndpoint } from './endpoint.ts';
import { engineEndpoints, noEngine } from './find-engine.ts';
import { findOwnContainer, type OwnContainer } from './own-container.ts';

/** Milliseconds an engine has to say what it is, which takes it seconds while it makes many containers. */
const ANSWER_TIMEOUT = 20_000;
/** Milliseconds in which an engine's machine is connected to. */
const CONNECT_TIMEOUT = 5000;

/** An engine that answers. */
export interface Engine {
  docker: Docker;
  endpoint: EngineEndpoint;
  /** Whether it is podman, whatever its socket is called. */
  podman: boolean;
  /** Whether it runs in a virtual machine of a desktop product, which names the user's machine itself. */
  desktop: boolean;
  /** Whether it runs without root's rights: its bridges are not the machine's. */
  rootless: boolean;
  /** Whether directories and loopback ports of this process are those that the engine sees. */
  local: boolean;
  /** The container beside the engine's others that this process runs in; undefined where it runs in none of them. */
  own: OwnContainer | undefined;
  /** Network that containers are put in which have no other; undefined for the engine's own. */
  network: string | undefined;
}

/**
 * Finds the engine to use and asks it what it is.
 * @param cli `EMULATOR_CONTAINER_CLI`
 * @param network `EMULATOR_CONTAINER_NETWORK`
 * @throws ContainerError `unavailable` where none answers
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
  // Loaded only where there is something to talk to.
  const { default: DockerClient } = await import('dockerode');
  const { socketPath, protocol, host, port, username, tls } = endpoint;
  // Whatever is left out the client would take from DOCKER_HOST.
  const connection = { socketPath, protocol: protocol ?? 'http', host, port, username, ...noTls, ...tls };
  const agent = protocol === 'ssh' ? { sshOptions: { agent: process.env.SSH_AUTH_SOCK } } : {};
  const docker = new DockerClient({ ...connection, ...agent } as Docker.DockerOptions);
  const [version, info] = await answered(Promise.all([docker.version(), docker.info() as Promise<EngineInfo>]));
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

/** What is read of an engine's description of itself. */
interface EngineInfo {
  /** The host name of its machine. */
  Name?: string;
  OperatingSystem?: string;
  SecurityOptions?: string[] | null;
}

function answered<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), ANSWER_TIMEOUT);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/**
 * Whether this process runs in a container beside those of the engine: engines leave a file in theirs, which images of
 * machines may carry too; the engine itself has another host name then.
 */
const inContainer = (engineHost: string | undefined): boolean =>
  (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) && engineHost !== hostname();

const isLoopback = (host: string): boolean => /^(localhost|127\.|::1$)/.test(host);

/** The address of this machine that an engine, or another machine, reaches it by; undefined where it has none. */
export async function ownAddress(endpoint: EngineEndpoint): Promise<string | undefined> {
  const { host, port } = endpoint;
  if (host !== undefined && !isLoopback(host)) {
    const address = await localAddress(host, port ?? 22);
    if (address !== undefined) return address;
  }
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/** The address that connections to a host come from. */
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
