import { expect } from 'vitest';
import { canRun, clientEnvironment, type Outcome, run } from './programs.ts';

/** Why the AWS CLI cannot be run here; undefined where it can. */
export const noCli: string | undefined = canRun('aws', '--version') ? undefined : 'there is no `aws` on this machine';

/** The AWS CLI against one emulator. */
export interface AwsCli {
  /** Runs a command, whatever comes of it. */
  run(...args: string[]): Promise<Outcome>;
  /** Runs a command that must succeed. @returns what it printed */
  succeed(...args: string[]): Promise<string>;
  /** Runs a command that must succeed. @returns the JSON it printed; an empty object where it printed nothing */
  answer(...args: string[]): Promise<Record<string, unknown>>;
}

/** @param url gives the emulator's URL when a command runs */
export function awsCli(url: () => string): AwsCli {
  const aws = (...args: string[]): Promise<Outcome> =>
    run('aws', ['--endpoint-url', url(), '--output', 'json', ...args], { env: clientEnvironment(url()) });
  const succeed = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await aws(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  return {
    run: aws,
    succeed,
    answer: async (...args) => {
      const stdout = await succeed(...args);
      return stdout.trim() ? (JSON.parse(stdout) as Record<string, unknown>) : {};
    },
  };
}
