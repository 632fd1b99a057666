/**
 * Opens and closes a data directory for the tests of its lock. Arguments: the directory, and `files` to disable
 * sockets. It prints `ready`, and then responds to each line of its input: to `open` with `held` or `refused
 * <message>`, and to `close` with `closed`.
 */
import { createInterface } from 'node:readline';
import { createLogger, openDiskPersistence, type Persistence } from '../../src/index.ts';

async function main(path: string, means: string | undefined): Promise<void> {
  const log = createLogger({ level: 'error', format: 'text' });
  let persistence: Persistence | undefined;
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      if (line === 'close') await persistence?.close();
      else {
        const sockets = means !== 'files';
        persistence = await openDiskPersistence({ path, sync: false, version: '0.1.0', log, sockets, heartbeat: 100 });
      }
      process.stdout.write(line === 'close' ? 'closed\n' : 'held\n');
    } catch (error) {
      process.stdout.write(`refused ${(error as Error).message}\n`);
    }
  }
  await persistence?.close();
}

main(process.argv[2]!, process.argv[3]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
