/**
 * A small emulator for the crash test. Arguments: the data directory and the size from which on journals are folded.
 * It reads a command per line and answers `ok <id>` when the command's changes are committed, in whatever order:
 *
 *     <id> put|body|pair|delete|reset <name> <text>
 *
 * At its start it writes one line of JSON: what it found on disk.
 */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { createBodyStores, createLogger, defaultSettings, Kernel, openDiskPersistence } from '../../src/index.ts';
import { type NotesState, notesManifest } from '../support/notes.ts';

/** What the program finds when it starts. */
export interface Found {
  /** Text of each note, or of its body. */
  notes: Record<string, string>;
  /** Text of each half of a pair. */
  halves: Record<string, string>;
}

const ACCOUNT = '000000000000';
const REGION = 'us-east-1';
const OPERATIONS: Record<string, string> = {
  put: 'PutNote',
  body: 'PutBody',
  pair: 'PutPair',
  delete: 'DeleteNote',
};

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
  for await (const line of createInterface({ input: process.stdin })) void run(kernel, line);
  await kernel.close();
}

async function look(kernel: Kernel): Promise<Found> {
  const service = await kernel.service('notes');
  const state = service.state(ACCOUNT, REGION) as NotesState;
  const found: Found = { notes: {}, halves: {} };
  for (const [name, half] of state.halves.entries()) found.halves[name] = half.text;
  for (const [name, note] of state.notes.entries()) {
    found.notes[name] = note.text;
    if (note.body === undefined) continue;
    const hash = createHash('sha256');
    let text = '';
    for await (const chunk of kernel.bodiesOf('notes').read(note.body)) {
      hash.update(chunk);
      text += Buffer.from(chunk).toString();
    }
    found.notes[name] = hash.digest('hex') === note.body ? text : `damaged body ${note.body}`;
  }
  return found;
}

async function run(kernel: Kernel, line: string): Promise<void> {
  const [id, command, name, text] = line.split(' ') as [string, string, string, string];
  if (command === 'reset') await kernel.reset('notes');
  else {
    const input = command === 'delete' ? { Name: name } : { Name: name, Text: text };
    await kernel.callJson('notes', OPERATIONS[command]!, input, { accountId: ACCOUNT, region: REGION });
  }
  process.stdout.write(`ok ${id}\n`);
}

main(process.argv[2]!, Number(process.argv[3])).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
