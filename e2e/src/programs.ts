import { execFile, execFileSync } from 'node:child_process';

/** Result of a program. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** How to run a program. */
export interface RunOptions {
  cwd?: string;
  /** Environment variables besides those of this process; undefined removes one. */
  env?: Record<string, string | undefined>;
}

const runnable = new Map<string, boolean>();

/** Whether a program works here: `program ...args` exits with 0. Checked once per process. */
export function canRun(program: string, ...args: string[]): boolean {
  const command = [program, ...args].join(' ');
  const known = runnable.get(command);
  if (known !== undefined) return known;
  let works = true;
  try {
    execFileSync(program, args, { stdio: 'ignore' });
  } catch {
    works = false;
  }
  runnable.set(command, works);
  return works;
}

/** Returns the environment of a program: that of this process with its own changes. */
export const variablesOf = (env: RunOptions['env']): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...process.env, ...env }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Runs a program to its end, at most five minutes. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { cwd, env } = options;
  const variables = variablesOf(env);
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { cwd, env: variables, timeout: 300_000, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(error);
        else resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
  });
}

/** Credentials of a client, in the variables of all AWS clients. */
export interface ClientCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Returns the environment of a client that uses an emulator and no configuration of this machine. */
export function clientEnvironment(
  url: string,
  credentials: ClientCredentials = { accessKeyId: 'test', secretAccessKey: 'test' },
): Record<string, string | undefined> {
  return {
    AWS_ENDPOINT_URL: url,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_REGION: 'us-east-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_PROFILE: undefined,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_PAGER: '',
    NO_PROXY: '127.0.0.1,localhost',
  };
}

/**
 * Returns the environment of a client that uses the emulator as its proxy for AWS hosts, because host names that begin
 * with an account or an access point do not resolve on every machine.
 */
export const proxiedEnvironment = (url: string): Record<string, string | undefined> => ({
  ...clientEnvironment(url),
  AWS_ENDPOINT_URL: undefined,
  HTTP_PROXY: url,
  http_proxy: url,
  NO_PROXY: '',
  no_proxy: '',
});
