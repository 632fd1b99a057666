import { containerOptions } from '@emu/containers/options';
import type { ServiceManifest } from '@emu/core/service';
import { type EmbeddedEmulator, type EmbeddingOptions, embed } from './embed.ts';

/**
 * Starts an emulator of the given services inside this process, which loads these packages and no others: for tests of one
 * `svc-*` package, and of services that are not emu's. Close it, or declare it with `await using`.
 * @param manifests of packages, as `@emu/svc-sqs/manifest` exports one
 * @throws ConfigError for an option that cannot be used
 * @throws Error naming the file, where the data directory cannot be used
 */
export function createEmulatorOf(
  manifests: readonly ServiceManifest[],
  options: EmbeddingOptions = {},
): Promise<EmbeddedEmulator> {
  const declared = [...manifests.flatMap(({ options: own }) => own ?? []), containerOptions];
  return embed(options, { maker: 'createEmulatorOf', manifests, declared });
}

export type { EmbeddedEmulator, EmbeddingOptions } from './embed.ts';
