import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContainerError } from '@emu/core/service';
import { configDirectory, type EngineEndpoint, parseEndpoint, readTls } from './endpoint.ts';

/** What Docker keeps of a context. */
interface ContextMeta {
  Endpoints?: { docker?: { Host?: string } };
}

/**
 * The engine of the docker context in use: `DOCKER_CONTEXT`, or the one that `docker context use` chose.
 * @see https://docs.docker.com/engine/manage-resources/contexts/
 * @returns undefined where none is chosen
 * @throws ContainerError `unavailable` where the one that is chosen does not exist or has no address
 */
export async function contextEndpoint(env: NodeJS.ProcessEnv): Promise<EngineEndpoint | undefined> {
  const directory = configDirectory(env);
  const name = env.DOCKER_CONTEXT || (await currentContext(directory));
  if (!name || name === 'default') return undefined;
  const source = `docker context ${name}`;
  // Docker names a context's directories by the hash of its name.
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

/** A JSON file of Docker's; undefined where there is none, or it is damaged. */
async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
