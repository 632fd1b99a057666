import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder, withServers } from './compare.ts';
import { call, type LoadRequest, type Server, startEmu } from './processes.ts';

/** Flags of an emulator that keeps its state in a folder. */
export const persistent = (folder: string): string[] => ['--storage-mode', 'persistent', '--data-path', folder];

/** Bytes of the files that changes are appended to. */
function journalBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/snapshot|toml/.test(entry.name))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

const CHANGES = 50;

/**
 * Bytes that one change writes, from the growth of the journal over some changes.
 * @param prepare makes the state, and gives the request of each change by its number
 */
export const bytesPerChange = (prepare: (emu: Server) => Promise<(change: number) => LoadRequest>): Promise<number> =>
  withFolder((folder) =>
    withServers([startEmu(...persistent(folder))], async (emu) => {
      const requestOf = await prepare(emu!);
      // A journal that is folded into its snapshot meanwhile says nothing: measure again.
      for (;;) {
        const before = journalBytes(folder);
        for (let change = 0; change < CHANGES; change++) await call(emu!, requestOf(change));
        const grown = journalBytes(folder) - before;
        if (grown > 0) return grown / CHANGES;
      }
    }),
  );
