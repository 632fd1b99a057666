import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CDK = fileURLToPath(new URL('../node_modules/aws-cdk/bin/cdk', import.meta.url));

/** The account and region that applications of CDK are deployed to. */
export const ACCOUNT = '123456789012';
export const REGION = 'us-east-1';

/** How CDK is run. */
export interface CdkOptions {
  /** Address of emu. */
  readonly url: string;
  /** An empty folder, for what CDK writes. */
  readonly directory: string;
  /** The application's file in e2e/cdk. */
  readonly app: string;
}

/**
 * CDK against emu, with nothing but emu's address.
 * @returns runs a command; resolves to what it wrote
 */
export const cdkAgainst =
  ({ url, directory, app }: CdkOptions) =>
  async (...args: string[]): Promise<string> => {
    const file = fileURLToPath(new URL(`../cdk/${app}`, import.meta.url));
    const { stdout, stderr } = await run(
      process.execPath,
      [CDK, ...args, '--app', `${process.execPath} ${file}`, '--output', join(directory, 'out'), '--no-notices'],
      {
        cwd: directory,
        maxBuffer: 64 * 1024 * 1024,
        env: {
          ...process.env,
          HOME: directory,
          AWS_ENDPOINT_URL: url,
          AWS_ACCESS_KEY_ID: ACCOUNT,
          AWS_SECRET_ACCESS_KEY: 'test',
          AWS_REGION: REGION,
          CDK_DISABLE_CLI_TELEMETRY: 'true',
        },
      },
    );
    return stdout + stderr;
  };

/** Clients' settings for the same account. */
export const clientConfig = (url: string) => ({
  endpoint: url,
  region: REGION,
  credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'test' },
});
