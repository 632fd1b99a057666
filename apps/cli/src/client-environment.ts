import { awsVariables, type ClientCredentials, misleadingVariables } from '@emu/emulator';
import { control } from './control.ts';

/**
 * Returns this process's environment, changed so that AWS clients use an emulator, with credentials that pass
 * verification if it is enabled.
 */
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
  for (const name of misleadingVariables(env)) delete env[name];
  return { ...env, ...awsVariables(url, region, credentials) };
}

/** Fetches credentials that pass verification, as a container does. */
async function sessionCredentials(url: string): Promise<ClientCredentials> {
  const found = (await control(url, 'GET', '/_emulator/credentials')) as Record<
    'AccessKeyId' | 'SecretAccessKey' | 'Token',
    string
  >;
  return { accessKeyId: found.AccessKeyId, secretAccessKey: found.SecretAccessKey, sessionToken: found.Token };
}
