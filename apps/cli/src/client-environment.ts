import { awsVariables, type ClientCredentials, misleadingVariables } from '@emu/emulator';
import { control } from './control.ts';

/** This process's environment, changed so that AWS clients use an emulator; with keys that verify where they must. */
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

/** Credentials that verify, as a container would get them. */
async function sessionCredentials(url: string): Promise<ClientCredentials> {
  const found = (await control(url, 'GET', '/_emulator/credentials')) as Record<
    'AccessKeyId' | 'SecretAccessKey' | 'Token',
    string
  >;
  return { accessKeyId: found.AccessKeyId, secretAccessKey: found.SecretAccessKey, sessionToken: found.Token };
}
