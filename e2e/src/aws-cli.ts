import { afterAll, expect } from 'vitest';
import { CliProcess } from './cli-process.ts';
import { type ClientCredentials, canRun, clientEnvironment, type Outcome, run } from './programs.ts';

/** Why the AWS CLI cannot be run here; undefined where it can. */
export const noCli: string | undefined = canRun('aws', '--version') ? undefined : 'there is no `aws` on this machine';

/** Whether it is a module of this machine's Python, as version 1 is. */
const isModule = (): boolean => canRun('python3', '-c', 'import awscli.clidriver');

/** How commands differ from those of a client of its own account. */
export interface AwsCliOptions {
  /** `test` by default. */
  credentials?: ClientCredentials;
  /** Variables besides those of every client; undefined removes one. */
  env?: () => Record<string, string | undefined>;
  cwd?: string;
  /** `--endpoint-url`; the emulator's URL by default. */
  endpoint?: string;
}

/** The AWS CLI against one emulator. */
export interface AwsCli {
  /** Runs a command, whatever comes of it. */
  run(...args: string[]): Promise<Outcome>;
  /** Runs a command that must succeed. @returns what it printed */
  succeed(...args: string[]): Promise<string>;
  /** Runs a command that must succeed. @returns the JSON it printed; an empty object where it printed nothing */
  answer(...args: string[]): Promise<Record<string, unknown>>;
  /** The same with other options, in place of those that it has. */
  with(options: AwsCliOptions): AwsCli;
}

/**
 * Declares the AWS CLI for the tests of a file or block, whose commands share one Python process where that is possible.
 * To be called where tests are declared.
 * @param url gives the emulator's URL when a command runs
 */
export function awsCli(url: () => string, options: AwsCliOptions = {}): AwsCli {
  let shared: CliProcess | undefined;
  afterAll(() => shared?.end());
  const execute = (
    args: readonly string[],
    { cwd, env }: { cwd?: string; env: Record<string, string | undefined> },
  ) => {
    if (!isModule()) return run('aws', args, { ...(cwd !== undefined && { cwd }), env });
    shared ??= new CliProcess();
    return shared.run(args, { ...(cwd !== undefined && { cwd }), env });
  };
  const build = (chosen: AwsCliOptions): AwsCli => {
    const { credentials, cwd, endpoint } = { ...options, ...chosen };
    const env = chosen.env ?? options.env;
    // Version 1 does not heed AWS_ENDPOINT_URL for SQS, whose legacy endpoints it puts first.
    const aws = (...args: string[]): Promise<Outcome> =>
      execute(['--endpoint-url', endpoint ?? url(), '--output', 'json', ...args], {
        ...(cwd !== undefined && { cwd }),
        env: { ...clientEnvironment(url(), credentials), ...env?.() },
      });
    const succeed = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await aws(...args);
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
      return stdout;
    };
    return {
      run: aws,
      succeed,
      answer: async (...args) => {
        const stdout = await succeed(...args);
        return stdout.trim() ? (JSON.parse(stdout) as Record<string, unknown>) : {};
      },
      with: build,
    };
  };
  return build({});
}
