import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const EMU = fileURLToPath(new URL('../../apps/cli/bin/emu.js', import.meta.url));
const DIRECTORY = fileURLToPath(new URL('../../node_modules/.cache/emu-runtime', import.meta.url));

/**
 * Installs the SDKs for Node.js from the npm registry with `emu runtime install`, unless they are from an earlier run.
 * @returns the runtime directory
 */
export async function installedRuntimeDirectory(): Promise<string> {
  await promisify(execFile)(process.execPath, [
    EMU,
    ...['runtime', 'install', 'nodejs', '--sdk-v2', '--runtime-dir', DIRECTORY],
  ]);
  return DIRECTORY;
}
