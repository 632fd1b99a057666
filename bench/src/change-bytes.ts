import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder, withServers } from './compare.ts';
import { call, type LoadRequest, type Server, startEmu } from './processes.ts';

/** Flags of an emulator with a data directory. */
export const persistent = (folder: string): string[] => ['--storage-mode', 'persistent', '--data-path', folder];

/** Returns the size of the journals in bytes. */
function journalBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/snapshot|toml/.test(entry.name))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

const CHANGES = 50;

/**
 * Measures the bytes written for one change by the growth of the journal.
 * @param prepare creates the state and returns the request of each change by its number
 */
export const bytesPerChange = (prepare: (emu: Server) => Promise<(change: number) => LoadRequest>): Promise<number> =>
  withFolder((folder) =>
    withServers([startEmu(...persistent(folder))], async (emu) => {
      const requestOf = await prepare(emu!);
      // If the journal was compacted into a snapshot meanwhile, measure again.
      for (;;) {
        const before = journalBytes(folder);
        for (let change = 0; change < CHANGES; change++) await call(emu!, requestOf(change));
        const grown = journalBytes(folder) - before;
        if (grown > 0) return grown / CHANGES;
      }
    }),
  );
