import { ControlClient } from '@emu/control-client';
import { ConfigError, nearest, resolveConfig } from '@emu/core';
import type { DeclaredOptions, LogLevel, ServiceManifest } from '@emu/core/service';
import packageJson from '../package.json' with { type: 'json' };
import { type Emulator, startEmulator } from './emulator.ts';

/** Options of every in-process emulator, which ignores environment variables. */
export interface EmbeddingOptions {
  /** State directory; without it the state is in memory only. */
  dataPath?: string;
  /** Whether changes are synced to disk (fsync) before responses. Requires `dataPath`. */
  sync?: boolean;
  /** Default region of requests; `us-east-1` by default. */
  region?: string;
  /** Account of requests with an unregistered access key; `123456789012` by default. */
  accountId?: string;
  /** Makes generated ids reproducible. */
  seed?: string;
  /** Whether signatures are verified. Only access keys created by emu are then valid. */
  verifySigv4?: boolean;
  /** Whether IAM and resource policies are enforced. Root users and unregistered keys may do everything. */
  enforceIam?: boolean;
  /** Minimum level of log lines written to standard error; `warn` by default. */
  logLevel?: LogLevel;
  /** Base URL of queue URLs in responses; by default the URL that the client used. */
  externalUrl?: string;
  /** Other settings by environment variable, as text: `{ EMULATOR_S3_CACHE_SIZE: '1048576' }`. */
  settings?: Readonly<Record<string, string>>;
}

/** Names of all options, for checks at run time. */
const OPTIONS: Readonly<Record<keyof EmbeddingOptions, true>> = {
  dataPath: true,
  sync: true,
  region: true,
  accountId: true,
  seed: true,
  verifySigv4: true,
  enforceIam: true,
  logLevel: true,
  externalUrl: true,
  settings: true,
};

/** @throws ConfigError for an unknown option, which would otherwise have no effect in JavaScript */
function refuseUnknown(options: EmbeddingOptions, maker: string, more: readonly string[]): void {
  const names = [...Object.keys(OPTIONS), ...more];
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const match = nearest(name, names);
    throw new ConfigError(`${name} is not an option of ${maker}${match ? `; did you mean ${match}?` : '.'}`);
  }
}

/** An in-process emulator with a client of its control routes. */
export interface EmbeddedEmulator extends Emulator {
  /**
   * Client of the control routes without a socket: `emu.control.sqs.messages()`, `emu.control.faults.add({ drop: true
   * })`.
   */
  readonly control: ControlClient;
}

/** Parts of an embedded emulator. */
interface EmbeddedParts {
  /** Name of the function that creates it, and its additional options, for messages. */
  maker: string;
  more?: readonly string[];
  manifests: readonly ServiceManifest[];
  /** Services that exist besides those mounted. */
  leftOut?: readonly ServiceManifest[];
  /** Options that `settings` may contain besides those of emu itself. */
  declared: readonly DeclaredOptions[];
}

/**
 * Starts an in-process emulator.
 * @throws ConfigError for an invalid option
 * @throws Error with the file name if the data directory cannot be used
 */
export async function embed(options: EmbeddingOptions, parts: EmbeddedParts): Promise<EmbeddedEmulator> {
  const { maker, more = [], manifests, leftOut, declared } = parts;
  refuseUnknown(options, maker, more);
  const config = resolveConfig({
    flags: {
      region: options.region,
      'account-id': options.accountId,
      seed: options.seed,
      'verify-sigv4': options.verifySigv4,
      'enforce-iam': options.enforceIam,
      'log-level': options.logLevel ?? 'warn',
      'storage-mode': options.dataPath === undefined ? undefined : 'persistent',
      'data-path': options.dataPath,
      sync: options.sync,
    },
    env: {
      ...options.settings,
      ...(options.externalUrl !== undefined && { EMULATOR_EXTERNAL_URL: options.externalUrl }),
    },
    services: manifests.map(({ name }) => name),
    options: declared,
  });
  const emulator = await startEmulator({
    config,
    manifests,
    ...(leftOut && { leftOut }),
    version: packageJson.version,
  });
  for (const warning of config.warnings) emulator.kernel.log.warn(warning);
  void emulator.kernel.resume();
  const control = new ControlClient('http://localhost', { fetch: emulator.fetch });
  return { ...emulator, control };
}
