import type { ServiceManifest } from '@emu/core/service';
import { createTestEmulator } from './emulator.ts';

/** Fold journals often, so that crashes also happen during folds. */
const FOLD_SIZE = 20_000;

/**
 * Runs the program that the tests under faults kill: an emulator with some services on a free port of 127.0.0.1, whose
 * data directory is the first argument, and whose settings are the second, as JSON. It prints its URL once it listens.
 */
export async function serve(manifests: readonly ServiceManifest[]): Promise<void> {
  const [, , dataPath, values = '{}'] = process.argv;
  const settings = { values: JSON.parse(values) as Record<string, string> };
  const emulator = await createTestEmulator({ manifests, dataPath, foldSize: FOLD_SIZE, settings });
  const { url } = await emulator.gateway.listen({});
  console.log(url);
}
