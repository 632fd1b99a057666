import type { ServiceManifest } from '@emu/core/service';
import { createTestEmulator } from './emulator.ts';

/** Journals are folded often, so that processes also die meanwhile. */
const FOLD_SIZE = 20_000;

/**
 * The program that the fault tests kill: an emulator with some services on a free port of 127.0.0.1, whose data directory
 * is the first argument. It prints its URL once it listens and runs until it is ended.
 */
export async function serve(manifests: readonly ServiceManifest[]): Promise<void> {
  const dataPath = process.argv[2];
  const emulator = await createTestEmulator({ manifests, dataPath, foldSize: FOLD_SIZE });
  const { url } = await emulator.gateway.listen({});
  console.log(url);
}
