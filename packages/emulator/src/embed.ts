import { ControlClient } from '@emu/control-client';
import { ConfigError, nearest, resolveConfig } from '@emu/core';
import type { DeclaredOptions, LogLevel, ServiceManifest } from '@emu/core/service';
import packageJson from '../package.json' with { type: 'json' };
import { type Emulator, startEmulator } from './emulator.ts';

/** What any emulator inside a process can be told; environment variables do not matter to it. */
export interface EmbeddingOptions {
  /** Directory to keep state in; without one state is in memory only. */
  dataPath?: string;
  /** Whether changes are flushed to the disk itself (fsync) before replies. Needs `dataPath`. */
  sync?: boolean;
  /** Region of requests that name none; `us-east-1` by default. */
  region?: string;
  /** Account of requests whose access key belongs to no other; `123456789012` by default. */
  accountId?: string;
  /** Makes generated ids reproducible. */
  seed?: string;
  /** Whether signatures are verified; only keys that emu handed out work then. */
  verifySigv4?: boolean;
  /** Whether the policies of IAM and of resources are enforced; root users and made-up keys may do everything. */
  enforceIam?: boolean;
  /** The least serious log lines written to standard error; `warn` by default. */
  logLevel?: LogLevel;
  /** Base URL of the queue URLs that emu returns; by default how the client reached it. */
  externalUrl?: string;
  /** Any other setting by its variable, as text: `{ EMULATOR_S3_CACHE_SIZE: '1048576' }`. */
  settings?: Readonly<Record<string, string>>;
}

/** Every option; types say so to TypeScript only. */
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

/** @throws ConfigError for an option that does not exist: a misspelt one would go unnoticed in JavaScript */
function refuseUnknown(options: EmbeddingOptions, maker: string, more: readonly string[]): void {
  const names = [...Object.keys(OPTIONS), ...more];
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const match = nearest(name, names);
    throw new ConfigError(`${name} is not an option of ${maker}${match ? `; did you mean ${match}?` : '.'}`);
  }
}

/** An emulator inside a process, with a client of its control routes. */
export interface EmbeddedEmulator extends Emulator {
  /** The control routes without a socket: `emu.control.sqs.messages()`, `emu.control.faults.add({ drop: true })`. */
  readonly control: ControlClient;
}

/** What an embedded emulator is made of. */
interface EmbeddedParts {
  /** Name of the function that makes it, and its options besides the common ones, for messages. */
  maker: string;
  more?: readonly string[];
  manifests: readonly ServiceManifest[];
  /** Services that exist besides. */
  leftOut?: readonly ServiceManifest[];
  /** Options that `settings` may name besides those of emu itself. */
  declared: readonly DeclaredOptions[];
}

/**
 * Starts an emulator inside this process.
 * @throws ConfigError for an option that cannot be used
 * @throws Error naming the file, where the data directory cannot be used
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
  const control = new ControlClient('http://localhost', { fetch: emulator.fetch });
  return { ...emulator, control };
}
