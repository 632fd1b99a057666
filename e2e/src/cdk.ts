import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Emu, startEmu } from './emu.ts';

const run = promisify(execFile);
const CDK = fileURLToPath(new URL('../node_modules/aws-cdk/bin/cdk', import.meta.url));

/** The account and region that applications of CDK are deployed to. */
export const ACCOUNT = '123456789012';
export const REGION = 'us-east-1';

/** How CDK is run. */
interface CdkOptions {
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
const cdkAgainst =
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

/** An application of CDK and an emu to deploy it to. */
export interface CdkTest {
  readonly emu: Emu;
  /** An empty folder, for what CDK writes. */
  readonly directory: string;
  /** Runs a command of CDK; resolves to what it wrote. */
  cdk(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

/** Starts an emu for an application. @param app its file in e2e/cdk */
export async function startCdk(app: string): Promise<CdkTest> {
  const emu = await startEmu({ env: { EMULATOR_LAMBDA_BACKEND: 'process' } });
  const directory = await mkdtemp(join(tmpdir(), 'emu-cdk-'));
  return {
    emu,
    directory,
    cdk: cdkAgainst({ url: emu.url, directory, app }),
    async close() {
      await emu.kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Clients' settings for the same account. */
export const clientConfig = (url: string) => ({
  endpoint: url,
  region: REGION,
  credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'test' },
});
