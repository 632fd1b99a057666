import type { ClientCredentials } from './emulator.ts';

/**
 * Returns the environment variables that direct AWS clients to an emulator. S3 Control has its own endpoint, because
 * its clients prefix the host with the account, and `123456789012.127.0.0.1` does not exist.
 */
export function awsVariables(url: string, region: string, credentials: ClientCredentials): Record<string, string> {
  const named = url.replace('//127.0.0.1:', '//localhost:');
  return {
    AWS_ENDPOINT_URL: url,
    ...(named !== url && { AWS_ENDPOINT_URL_S3_CONTROL: named }),
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    ...(credentials.sessionToken !== undefined && { AWS_SESSION_TOKEN: credentials.sessionToken }),
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
  };
}

const ELSEWHERE = /^AWS_(PROFILE|DEFAULT_PROFILE|SESSION_TOKEN|ENDPOINT_URL_\w+|IGNORE_CONFIGURED_ENDPOINT_URLS)$/;

/** Returns the names of set variables that would still direct AWS clients elsewhere, or give them other credentials. */
export const misleadingVariables = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env).filter((name) => env[name] && ELSEWHERE.test(name));
