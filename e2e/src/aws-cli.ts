import { afterAll, expect } from 'vitest';
import { CliProcess } from './cli-process.ts';
import { type ClientCredentials, canRun, clientEnvironment, type Outcome, run } from './programs.ts';

/** Reason why the AWS CLI cannot be run here; undefined if it can. */
export const noCli: string | undefined = canRun('aws', '--version') ? undefined : 'there is no `aws` on this machine';

/** Whether it is a module of this machine's Python, as version 1 is. */
const isModule = (): boolean => canRun('python3', '-c', 'import awscli.clidriver');

/** Options of commands that differ from the defaults. */
export interface AwsCliOptions {
  /** Access key id; `test` by default. */
  credentials?: ClientCredentials;
  /** Additional environment variables; undefined removes one. */
  env?: () => Record<string, string | undefined>;
  cwd?: string;
  /** `--endpoint-url`; by default the emulator's URL. */
  endpoint?: string;
}

/** The AWS CLI for one emulator. */
export interface AwsCli {
  /** Runs a command, successful or not. */
  run(...args: string[]): Promise<Outcome>;
  /** Runs a command that must succeed. @returns its output */
  succeed(...args: string[]): Promise<string>;
  /** Runs a command that must succeed. @returns its JSON output; an empty object without output */
  answer(...args: string[]): Promise<Record<string, unknown>>;
  /** Returns a CLI with some options replaced. */
  with(options: AwsCliOptions): AwsCli;
}

/**
 * Declares the AWS CLI for the tests of a file or block. Its commands share one Python process if possible. Call it
 * where tests are declared.
 * @param url returns the emulator's URL when a command runs
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
    // For SQS, version 1 prefers legacy endpoints to AWS_ENDPOINT_URL.
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
