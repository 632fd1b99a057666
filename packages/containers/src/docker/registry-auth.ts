import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configDirectory } from './endpoint.ts';

/** Credentials with which an engine logs in to a registry. */
export interface RegistryAuth {
  username: string;
  password: string;
  serveraddress: string;
}

interface DockerConfig {
  auths?: Record<string, { auth?: string }>;
  credsStore?: string;
  credHelpers?: Record<string, string>;
}

/** Key of Docker Hub in Docker's configuration. */
const DOCKER_HUB = 'https://index.docker.io/v1/';

/**
 * Returns the credentials from `docker login` for the registry of an image: from `config.json` or from a credential
 * helper.
 * @returns undefined without credentials
 * @see https://docs.docker.com/reference/cli/docker/login/#credential-stores
 */
export async function registryAuth(image: string, env = process.env): Promise<RegistryAuth | undefined> {
  const [first = '', ...more] = image.split('/');
  const named = more.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const registry = named && first !== 'docker.io' ? first : DOCKER_HUB;
  let config: DockerConfig;
  try {
    config = JSON.parse(await readFile(join(configDirectory(env), 'config.json'), 'utf8')) as DockerConfig;
  } catch {
    // No `docker login` so far.
    return undefined;
  }
  const helper = config.credHelpers?.[registry] ?? config.credsStore;
  if (helper !== undefined) return askHelper(helper, registry);
  const entry = config.auths?.[registry] ?? config.auths?.[`https://${registry}`];
  if (!entry?.auth) return undefined;
  const text = Buffer.from(entry.auth, 'base64').toString();
  const colon = text.indexOf(':');
  return { username: text.slice(0, colon), password: text.slice(colon + 1), serveraddress: registry };
}

/** Runs a credential helper: the registry is its input, JSON its output. */
function askHelper(helper: string, registry: string): Promise<RegistryAuth | undefined> {
  return new Promise((resolve) => {
    const child = spawn(`docker-credential-${helper}`, ['get'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: 10_000,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The helper is not installed. The registry may not require credentials.
    child.once('error', () => resolve(undefined));
    child.stdin.on('error', () => undefined);
    child.once('close', () => {
      try {
        const { Username, Secret } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
        resolve(Username && Secret ? { username: Username, password: Secret, serveraddress: registry } : undefined);
      } catch {
        // The helper has no credentials for this registry and reports this as text.
        resolve(undefined);
      }
    });
    child.stdin.end(registry);
  });
}
