import type { ClientCredentials } from './emulator.ts';

/**
 * The environment variables that make AWS clients use an emulator. S3 Control has an endpoint of its own: its clients put the
 * account before the host, and there is no `123456789012.127.0.0.1`.
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

/** Names of set variables that would lead AWS clients elsewhere, or to other credentials, all the same. */
export const misleadingVariables = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env).filter((name) => env[name] && ELSEWHERE.test(name));
