import { nearest } from '@emu/core';
import type { ServiceManifest } from '@emu/core/service';
import { type EmbeddedEmulator, type EmbeddingOptions, embed } from './embed.ts';
import { DECLARED_OPTIONS } from './options.ts';
import { SERVICE_NAMES, SERVICES } from './services.ts';

/** Options of an in-process emulator, which ignores environment variables. */
export interface EmulatorOptions extends EmbeddingOptions {
  /** Names of mounted services, e.g. `['sqs', 's3']`; all by default. */
  services?: readonly string[];
}

/** @throws RangeError for an unknown service */
function manifestOf(name: string): ServiceManifest {
  const manifest = SERVICES.find((candidate) => candidate.name === name);
  if (manifest) return manifest;
  const match = nearest(name, SERVICE_NAMES);
  const hint = match ? `did you mean ${match}? It` : 'it';
  throw new RangeError(`emu has no service ${name}; ${hint} has ${SERVICE_NAMES.join(', ')}`);
}

/**
 * Starts an in-process emulator. Close it, or declare it with `await using`.
 * @throws ConfigError for an invalid option
 * @throws RangeError for an unknown service
 * @throws Error with the file name if the data directory cannot be used
 */
export async function createEmulator(options: EmulatorOptions = {}): Promise<EmbeddedEmulator> {
  const manifests = options.services?.map(manifestOf) ?? SERVICES;
  return embed(options, {
    maker: 'createEmulator',
    more: ['services'],
    manifests,
    leftOut: SERVICES.filter((manifest) => !manifests.includes(manifest)),
    declared: DECLARED_OPTIONS,
  });
}

export { type Checkpoint, ConfigError } from '@emu/core';
export type { LogLevel } from '@emu/core/service';
export { awsVariables, misleadingVariables } from './aws-variables.ts';
export type { ClockControl, Duration } from './clock.ts';
export type { EmbeddedEmulator, EmbeddingOptions } from './embed.ts';
export {
  type ClientConfig,
  type ClientCredentials,
  type ClientOptions,
  type Emulator,
  type EmulatorParts,
  startEmulator,
} from './emulator.ts';
export { DECLARED_OPTIONS } from './options.ts';
export { SERVICE_NAMES, SERVICES } from './services.ts';
