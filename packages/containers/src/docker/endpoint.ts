import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ContainerError } from '@emu/core/service';

/** Address of an engine. */
export interface EngineEndpoint {
  /** Source of the address, for messages: `DOCKER_HOST`, `docker context desktop-linux`, … */
  source: string;
  /** Path of a socket or of a Windows named pipe. */
  socketPath?: string;
  protocol?: 'http' | 'https' | 'ssh';
  host?: string;
  port?: number;
  username?: string;
  tls?: { ca: string | undefined; cert: string | undefined; key: string | undefined };
}

/**
 * Parses an engine address in the form of `DOCKER_HOST`: `unix:///path`, `npipe:////./pipe/name`, `tcp://host:port`,
 * `http(s)://…` or `ssh://user@host`.
 * @param tls files for TLS, which a `tcp` address then uses
 * @throws ContainerError `unavailable` for another form
 */
export function parseEndpoint(address: string, source: string, tls?: EngineEndpoint['tls']): EngineEndpoint {
  const [, scheme, rest] = /^([a-z]+):\/\/(.+)$/.exec(address) ?? [];
  if (scheme === 'unix') return { source, socketPath: rest! };
  if (scheme === 'npipe') return { source, socketPath: rest!.replaceAll('/', '\\') };
  const url = scheme && URL.canParse(address) ? new URL(address.replace(/^(tcp|ssh):/, 'http:')) : undefined;
  if (!url?.hostname || !['tcp', 'http', 'https', 'ssh'].includes(scheme!))
    throw new ContainerError('unavailable', `${source} is no address of a container engine: ${address}`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const username = url.username === '' ? {} : { username: decodeURIComponent(url.username) };
  if (scheme === 'ssh') return { source, protocol: 'ssh', host, port: Number(url.port || 22), ...username };
  const encrypted = scheme === 'https' || tls !== undefined;
  const port = Number(url.port || (encrypted ? 2376 : 2375));
  return { source, protocol: encrypted ? 'https' : 'http', host, port, ...(tls && { tls }) };
}

/** Returns the TLS files in a directory in the form of `DOCKER_CERT_PATH`. */
export async function readTls(directory: string): Promise<EngineEndpoint['tls']> {
  const read = (name: string): Promise<string | undefined> =>
    readFile(join(directory, name), 'utf8').catch(() => undefined);
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')]);
  return { ca, cert, key };
}

/** Returns the configuration directory of Docker. */
export function configDirectory(env: NodeJS.ProcessEnv): string {
  return env.DOCKER_CONFIG || join(env.HOME || homedir(), '.docker');
}
