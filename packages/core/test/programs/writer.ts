/**
 * A small emulator for the crash test. Arguments: the data directory and the size at which journals are folded. It
 * reads a command per line, `<id> <command>`, and prints `ok <id>` when the command's changes are committed, in any
 * order. At its start it prints what it found on disk as one line of JSON.
 */
import { createInterface } from 'node:readline';
import { createBodyStores, createLogger, defaultSettings, Kernel, openDiskPersistence } from '../../src/index.ts';
import { ACCOUNT, look, run } from '../support/crash-commands.ts';
import { notesManifest } from '../support/notes.ts';

async function main(path: string, foldSize: number): Promise<void> {
  const log = createLogger({ level: 'warn', format: 'text' });
  const persistence = await openDiskPersistence({ path, sync: false, version: '0.1.0', log, foldSize });
  const bodies = createBodyStores({ log, disk: { path, sync: false, cacheSize: 0, persistence } });
  const kernel = new Kernel({
    manifests: [notesManifest()],
    settings: defaultSettings({ accountId: ACCOUNT }),
    log,
    persistence,
    bodies: bodies.open,
  });
  await kernel.start();
  process.stdout.write(`${JSON.stringify(await look(kernel))}\n`);
  for await (const line of createInterface({ input: process.stdin })) void answer(kernel, line);
  await kernel.close();
}

async function answer(kernel: Kernel, line: string): Promise<void> {
  const id = line.slice(0, line.indexOf(' '));
  await run(kernel, line.slice(id.length + 1));
  process.stdout.write(`ok ${id}\n`);
}

main(process.argv[2]!, Number(process.argv[3])).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
