import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContainerError } from '@emu/core/service';
import { configDirectory, type EngineEndpoint, parseEndpoint, readTls } from './endpoint.ts';

/** Stored metadata of a Docker context. */
interface ContextMeta {
  Endpoints?: { docker?: { Host?: string } };
}

/**
 * Returns the engine of the current docker context: from `DOCKER_CONTEXT`, or as set by `docker context use`.
 * @returns undefined without a current context
 * @throws ContainerError `unavailable` if the context does not exist or has no address
 * @see https://docs.docker.com/engine/manage-resources/contexts/
 */
export async function contextEndpoint(env: NodeJS.ProcessEnv): Promise<EngineEndpoint | undefined> {
  const directory = configDirectory(env);
  const name = env.DOCKER_CONTEXT || (await currentContext(directory));
  if (!name || name === 'default') return undefined;
  const source = `docker context ${name}`;
  // Docker names the directory of a context by the hash of its name.
  const id = createHash('sha256').update(name).digest('hex');
  const meta = await readJson<ContextMeta>(join(directory, 'contexts', 'meta', id, 'meta.json'));
  const address = meta?.Endpoints?.docker?.Host;
  if (!address) throw new ContainerError('unavailable', `${source} does not exist, or names no engine`);
  const tls = join(directory, 'contexts', 'tls', id, 'docker');
  const hasTls = await access(tls).then(
    () => true,
    () => false,
  );
  return parseEndpoint(address, source, hasTls ? await readTls(tls) : undefined);
}

async function currentContext(directory: string): Promise<string | undefined> {
  return (await readJson<{ currentContext?: string }>(join(directory, 'config.json')))?.currentContext;
}

/** Reads a JSON file of Docker; undefined if it is missing or invalid. */
async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
