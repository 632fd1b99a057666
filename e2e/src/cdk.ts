import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Emu, startEmu } from './emu.ts';
import { installedRuntimeDirectory } from './runtime-directory.ts';

const run = promisify(execFile);
const CDK = fileURLToPath(new URL('../node_modules/aws-cdk/bin/cdk', import.meta.url));
const APP = fileURLToPath(new URL('../cdk/app.cjs', import.meta.url));

/** Account and region of CDK applications. */
export const ACCOUNT = '123456789012';
export const REGION = 'us-east-1';

/** Configuration of CDK. */
interface CdkOptions {
  /** URL of emu. */
  readonly url: string;
  /** An empty directory for CDK's files. */
  readonly directory: string;
}

/**
 * Configures CDK for emu, with emu's URL only.
 * @returns a function that runs a command and resolves to its output
 */
const cdkAgainst =
  ({ url, directory }: CdkOptions) =>
  async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(
      process.execPath,
      [CDK, ...args, '--app', `${process.execPath} ${APP}`, '--output', join(directory, 'out'), '--no-notices'],
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
          // CDK's own rules for templates, which do not involve the emulator, take ten times as long as the synthesis.
          CDK_VALIDATION: 'false',
        },
      },
    );
    return stdout + stderr;
  };

/** The CDK application in e2e/cdk and an emu for its deployment. */
export interface CdkTest {
  readonly emu: Emu;
  /** An empty directory for CDK's files. */
  readonly directory: string;
  /** Runs a CDK command and resolves to its output. */
  cdk(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts an emu for the application as on a fresh machine, in an empty directory. Functions find SDKs in the runtime
 * directory only.
 */
export async function startCdk(): Promise<CdkTest> {
  const directory = await mkdtemp(join(tmpdir(), 'emu-cdk-'));
  const EMULATOR_RUNTIME_DIR = await installedRuntimeDirectory();
  const emu = await startEmu({
    env: { EMULATOR_LAMBDA_BACKEND: 'process', EMULATOR_RUNTIME_DIR, HOME: directory },
    cwd: directory,
  });
  return {
    emu,
    directory,
    cdk: cdkAgainst({ url: emu.url, directory }),
    async close() {
      await emu.kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Client settings for the same account. */
export const clientConfig = (url: string) => ({
  endpoint: url,
  region: REGION,
  credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'test' },
});
