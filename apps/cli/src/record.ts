import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createLogger } from '@emu/core';
import { awsVariables, misleadingVariables, SERVICES } from '@emu/emulator';
import { Masker, RecordingWriter } from '@emu/recording';
import { AwsServices, type CredentialProvider, ownCredentials, RecordProxy, userConfig } from '@emu/upstream';
import type { Flags } from './argv.ts';
import { shellLines } from './aws-env.ts';
import { runChild } from './child.ts';
import { configOf } from './config-file.ts';
import { Failure } from './failure.ts';

/** Options of `emu record`. */
export interface RecordOptions {
  /** Settings of access and region. */
  readonly flags: Flags;
  /** Another server that receives all requests; AWS by default. */
  readonly upstream: string | undefined;
  /** File of the recording; by default named after the time. */
  readonly output: string | undefined;
  readonly keepValues: boolean;
  readonly readOnly: boolean;
}

/** Credentials for another emulator. */
const TEST_CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };

/**
 * `emu record [-- <command>]`: passes requests on to AWS and records them. Resolves to the command's exit code; without a
 * command, after a signal.
 * @throws Failure for an invalid option, an existing file, missing or refused credentials, or a command that cannot be
 * started
 */
export async function record(options: RecordOptions, command: readonly string[]): Promise<number> {
  const url = options.upstream === undefined ? undefined : upstreamUrl(options.upstream);
  const file = options.output ?? `emu-recording-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}.jsonl`;
  if (existsSync(file)) throw new Failure(`${file} exists; name another file with --output.`);
  const variables = childVariables();
  const { settings } = await configOf(options.flags, process.env);
  const { region: configured, ...endpoints } = await userConfig();
  const region = String(options.flags.region ?? configured ?? settings.region);
  const credentials = credentialsFor(url);
  const masker = new Masker(options.keepValues);
  const own = await credentials();
  for (const secret of [own.secretAccessKey, own.sessionToken])
    if (secret !== undefined && own !== TEST_CREDENTIALS) masker.addSecret(secret);
  const header = { recording: 1, startedAt: new Date().toISOString(), region, masked: !options.keepValues } as const;
  const writer = await RecordingWriter.create(file, { ...header, upstream: url?.href ?? 'aws' });
  const proxy = new RecordProxy({
    manifests: SERVICES,
    services: await AwsServices.load(),
    settings,
    log: createLogger({ level: 'warn', format: 'text' }),
    credentials,
    endpoints,
    url,
    region,
    masker,
    writer,
    readOnly: options.readOnly,
  });
  let address: string | undefined;
  try {
    const { account, arn } = await proxy.identity();
    address = await proxy.listen();
    const to = url ? `${url.href}, account ${account}` : `AWS account ${account}`;
    process.stderr.write(
      `emu: requests go to ${to} (${arn}) in ${region}${options.readOnly ? ', operations that read only' : ''}; recorded in ${file}${options.keepValues ? ', with all values' : ''}\n`,
    );
    const set = awsVariables(address, region, TEST_CREDENTIALS);
    return await (command.length > 0 ? runCommand(command, { ...variables, ...set }) : untilInterrupted(set));
  } finally {
    await proxy.close();
    await writer.close();
    if (address === undefined) await rm(file);
    else process.stderr.write(`emu: recorded ${writer.written} requests in ${file}\n`);
  }
}

function runCommand([program, ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runChild(program!, args, env);
}

/** Prints the variables for clients, and waits for a signal. */
function untilInterrupted(set: Record<string, string>): Promise<number> {
  process.stdout.write(`${shellLines('sh', set, misleadingVariables(process.env)).join('\n')}\n`);
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(0));
  });
}

/**
 * Returns the environment of the command, without variables that would direct its clients elsewhere. Removes endpoints from
 * this process's environment, because the provider of credentials would use them.
 */
function childVariables(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of misleadingVariables(env)) delete env[name];
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_ENDPOINT_URL')) delete process.env[name];
  return env;
}

/** Returns the user's credentials; for another server also those of emulators. */
function credentialsFor(url: URL | undefined): CredentialProvider {
  const own = ownCredentials();
  if (!url) return own;
  return async () => {
    try {
      return await own();
    } catch (error) {
      if ((error as Error).name === 'NoCredentials') return TEST_CREDENTIALS;
      throw error;
    }
  };
}

/** @throws Failure for a text that is no URL of HTTP */
function upstreamUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Failure(`--upstream must be a URL of HTTP, not "${text}".`);
  if (url.pathname !== '/' || url.search !== '')
    throw new Failure(`--upstream must be a URL without a path, not "${text}".`);
  return url;
}
