import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import { ownIdentity, type ProcessIdentity, stateOf } from '../persistence/process-identity.ts';

const PREFIX = 'emu-bodies-';
const OWNER = 'owner.json';

/** A directory for large bodies of memory mode, which ends with the process. */
export interface Spool {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Creates a spool directory, and removes those of processes that crashed.
 * @param parent the system's directory of temporary files
 */
export async function createSpool(parent: string, log: Logger): Promise<Spool> {
  await removeLeftovers(parent, log);
  const path = await mkdtemp(join(parent, PREFIX));
  await writeFile(join(path, OWNER), JSON.stringify(ownIdentity()), { mode: 0o600 });
  log.info(`large bodies are kept in ${path} until emu ends`);
  const atExit = (): void => rmSync(path, { recursive: true, force: true });
  process.once('exit', atExit);
  return {
    path,
    remove: async () => {
      process.removeListener('exit', atExit);
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function removeLeftovers(parent: string, log: Logger): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(parent, name);
    try {
      const owner = JSON.parse(await readFile(join(path, OWNER), 'utf8')) as ProcessIdentity;
      if (stateOf(owner) !== 'gone') continue;
      await rm(path, { recursive: true, force: true });
      log.info(`removed ${path}, left over by process ${owner.pid}`);
    } catch (error) {
      // Being created or removed, or of another user.
      log.debug(`${path} is unchanged`, { error });
    }
  }
}
