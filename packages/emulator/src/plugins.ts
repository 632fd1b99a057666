import { containerOptions } from '@emu/containers/options';
import type { ServiceManifest } from '@emu/core/service';
import { type EmbeddedEmulator, type EmbeddingOptions, embed } from './embed.ts';

/**
 * Starts an in-process emulator with the given services, and loads only their packages: for tests of one `svc-*`
 * package, and of external services. Close it, or declare it with `await using`.
 * @param manifests of packages, as exported by `@emu/svc-sqs/manifest`
 * @throws ConfigError for an invalid option
 * @throws Error with the file name if the data directory cannot be used
 */
export function createEmulatorOf(
  manifests: readonly ServiceManifest[],
  options: EmbeddingOptions = {},
): Promise<EmbeddedEmulator> {
  const declared = [...manifests.flatMap(({ options: own }) => own ?? []), containerOptions];
  return embed(options, { maker: 'createEmulatorOf', manifests, declared });
}

export type { EmbeddedEmulator, EmbeddingOptions } from './embed.ts';
