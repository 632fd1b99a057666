import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createBodyStores, createLogger, defaultSettings, Kernel, openDiskPersistence } from '../src/index.ts';
import { defineCollection, type StateScope } from '../src/service.ts';
import { copyDataDirectory, faultyFileSystem } from '../src/testing/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { NotesState, notesManifest, notesPlugin } from './support/notes.ts';

const HOUR = 3_600_000;
const drafts = defineCollection<{ text: string }>('drafts', 'region', { transient: true });

/** Notes with drafts that are never written, and a counting timer for each note. */
class TimedNotes extends NotesState {
  readonly drafts;
  rings = 0;
  private readonly timer;

  constructor(scope: StateScope) {
    super(scope);
    this.drafts = scope.collection(drafts);
    this.timer = scope.clock.every(HOUR, () => {
      this.rings += this.notes.size;
    });
  }

  override close(): void {
    super.close();
    this.timer.cancel();
  }
}

/** Starts a kernel with the notes, in memory or on a data directory. */
async function start(path?: string, seed?: string, fs = faultyFileSystem()): Promise<Kernel> {
  const log = createLogger({ level: 'error', format: 'text' });
  const persistence =
    path === undefined ? undefined : await openDiskPersistence({ path, sync: false, version: '1', log, fs });
  const bodies = createBodyStores({
    log,
    ...(persistence && { disk: { path: path!, sync: false, cacheSize: 1000, persistence } }),
  });
  const plugin = notesPlugin((scope) => new TimedNotes(scope));
  const kernel = new Kernel({
    manifests: [notesManifest(async () => ({ ...plugin, collections: [...plugin.collections, drafts] }))],
    settings: defaultSettings({ accountId: '000000000000' }),
    log,
    bodies: bodies.open,
    ...(persistence && { persistence }),
    ...(seed !== undefined && { seed }),
  });
  await kernel.start();
  return kernel;
}

const put = (kernel: Kernel, Name: string, Text: string) => kernel.callJson('notes', 'PutNote', { Name, Text });
const list = async (kernel: Kernel) => ((await kernel.callJson('notes', 'ListNotes', {})) as { Notes: object }).Notes;
const bodyOf = async (kernel: Kernel, Name: string) =>
  ((await kernel.callJson('notes', 'GetBody', { Name })) as { Text: string }).Text;
const stateOf = (kernel: Kernel) =>
  kernel.loadedService('notes')!.state('000000000000', 'us-east-1') as unknown as TimedNotes;

describe.each(['memory', 'disk'])('a checkpoint (%s)', (mode) => {
  const open = async (seed?: string) => start(mode === 'disk' ? await temporaryDirectory() : undefined, seed);

  test('restores changed, deleted and transient records, in their order', async () => {
    const kernel = await open();
    await put(kernel, 'b', '1');
    await put(kernel, 'a', '2');
    stateOf(kernel).drafts.put('d', { text: 'unwritten' });
    const checkpoint = kernel.snapshot();
    await put(kernel, 'b', 'changed');
    await put(kernel, 'c', 'new');
    await kernel.callJson('notes', 'DeleteNote', { Name: 'a' });
    stateOf(kernel).drafts.delete('d');
    for (let round = 0; round < 2; round++) {
      await kernel.restore(checkpoint);
      expect(Object.entries(await list(kernel))).toEqual([
        ['b', '1'],
        ['a', '2'],
      ]);
      expect(stateOf(kernel).drafts.get('d')).toEqual({ text: 'unwritten' });
      await put(kernel, 'b', `round ${round}`);
    }
    await kernel.close();
  });

  test('from before a service was loaded contains nothing of it', async () => {
    const kernel = await open();
    const checkpoint = kernel.snapshot();
    await put(kernel, 'a', '1');
    await kernel.restore(checkpoint);
    expect(await list(kernel)).toEqual({});
    await kernel.close();
  });

  test('retains bodies without other references until it is disposed of', async () => {
    const kernel = await open();
    await kernel.callJson('notes', 'PutBody', { Name: 'a', Text: 'kept' });
    const checkpoint = kernel.snapshot();
    await kernel.callJson('notes', 'PutBody', { Name: 'b', Text: 'not kept' });
    await kernel.reset();
    await kernel.restore(checkpoint);
    expect(await bodyOf(kernel, 'a')).toBe('kept');
    checkpoint[Symbol.dispose]();
    checkpoint[Symbol.dispose]();
    expect(await bodyOf(kernel, 'a')).toBe('kept');
    const id = stateOf(kernel).notes.get('a')!.body!;
    await kernel.callJson('notes', 'DeleteNote', { Name: 'a' });
    expect(() => kernel.bodiesOf('notes').read(id)).toThrow(`unknown body ${id}`);
    await expect(kernel.restore(checkpoint)).rejects.toThrow('disposed of');
    await kernel.close();
  });

  test('contains the time, and timers run once from there', async () => {
    const kernel = await open();
    await put(kernel, 'a', '1');
    kernel.clock.freeze();
    const checkpoint = kernel.snapshot();
    await kernel.clock.advance(10 * HOUR);
    const before = stateOf(kernel);
    expect(before.rings).toBe(10);
    kernel.clock.resume();
    await kernel.restore(checkpoint);
    expect(before.closed).toBe(true);
    expect(kernel.clock.state()).toMatchObject({ now: checkpoint.takenAt, frozen: true });
    await kernel.clock.advance(2 * HOUR);
    expect(before.rings).toBe(10);
    expect(stateOf(kernel).rings).toBe(2);
    await kernel.close();
  });

  test('contains credentials with their uses', async () => {
    const kernel = await open();
    const principal = { type: 'user', accountId: '000000000000', arn: 'arn:aws:iam::000000000000:user/a', userId: 'A' };
    const key = { accessKeyId: 'AKIA1', secretAccessKey: 's', active: true, principal } as const;
    kernel.credentials.put(key as never);
    const use = { service: 'notes', region: 'us-east-1' };
    kernel.credentials.recordUse('AKIA1', { at: 1000, ...use });
    kernel.credentials.recordUse('AKIA1', { at: 2000, ...use });
    const checkpoint = kernel.snapshot();
    kernel.credentials.recordUse('AKIA1', { at: 3000, ...use });
    kernel.credentials.put({ ...key, accessKeyId: 'AKIA2' } as never);
    await kernel.restore(checkpoint);
    expect([...kernel.credentials.list()].map(({ accessKeyId }) => accessKeyId)).toEqual(['AKIA1']);
    expect(kernel.credentials.lastUse('AKIA1')).toMatchObject({ at: 2000 });
    await kernel.close();
  });

  test('contains the position of a seed', async () => {
    const kernel = await open('seed');
    kernel.ids.uuid();
    const checkpoint = kernel.snapshot();
    const next = [kernel.ids.uuid(), kernel.ids.hex(40)];
    await kernel.restore(checkpoint);
    expect([kernel.ids.uuid(), kernel.ids.hex(40)]).toEqual(next);
    await kernel.close();
  });

  test('of another emulator is rejected', async () => {
    const kernel = await open();
    const other = await open();
    await expect(kernel.restore(other.snapshot())).rejects.toThrow('the checkpoint is of another emulator');
    await kernel.close();
    await other.close();
  });
});

test('restored records are on disk when the restore resolves, and removed ones are not', async () => {
  const path = await temporaryDirectory();
  const kernel = await start(path);
  await put(kernel, 'a', '1');
  await kernel.callJson('notes', 'PutBody', { Name: 'b', Text: 'body' });
  const checkpoint = kernel.snapshot();
  await kernel.reset();
  await put(kernel, 'c', '3');
  const stale = stateOf(kernel);
  await kernel.restore(checkpoint);
  // A record put by a running operation is not stored.
  stale.notes.put('stale', { text: '' });
  await kernel.committed();
  const copy = await temporaryDirectory();
  await copyDataDirectory(path, copy);
  const reopened = await start(copy);
  expect(await list(reopened)).toEqual({ a: '1', b: '' });
  expect(await bodyOf(reopened, 'b')).toBe('body');
  await reopened.close();
  await kernel.close();
  const files = await readdir(join(path, 'notes', 'bodies'), { recursive: true, withFileTypes: true });
  expect(files.filter((entry) => entry.isFile())).toHaveLength(1);
});

describe('restoring very many records', () => {
  const MANY = 20_000;
  const fill = (kernel: Kernel): void => {
    const { notes } = stateOf(kernel);
    for (let index = 0; index < MANY; index++) notes.put(`note ${index}`, { text: 'before' });
  };

  test('lets other work run, and never shows an incomplete state', async () => {
    const kernel = await start();
    await put(kernel, 'first', '');
    fill(kernel);
    const checkpoint = kernel.snapshot();
    await kernel.reset();
    await put(kernel, 'later', '');
    let turns = 0;
    const seen = new Set<number>();
    const restoring = kernel.restore(checkpoint);
    let over = false;
    void restoring.then(() => {
      over = true;
    });
    for (; !over; turns++) {
      // Calls during the restore return after its end.
      void list(kernel).then((notes) => seen.add(Object.keys(notes).length));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await restoring;
    await vi.waitFor(() => expect(seen.size).toBeGreaterThan(0));
    // Their number depends on the machine.
    expect(turns).toBeGreaterThan(1);
    // A call before the first turn may see the earlier state.
    expect([...seen].filter((count) => count !== 1)).toEqual([MANY + 1]);
    await kernel.close();
  });

  test('is on disk completely or not at all after a crash at any time', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    const kernel = await start(path, undefined, fs);
    await put(kernel, 'first', '');
    fill(kernel);
    const checkpoint = kernel.snapshot();
    await kernel.reset();
    await put(kernel, 'later', '');
    await kernel.committed();
    const copies: string[] = [];
    // The disk is written piece by piece, and the process may crash before each piece.
    fs.fault = async (call, file) => {
      if (call !== 'write' || !file.startsWith('journal-')) return undefined;
      const copy = await temporaryDirectory();
      await copyDataDirectory(path, copy);
      copies.push(copy);
      return 400_000;
    };
    await kernel.restore(checkpoint);
    fs.fault = () => undefined;
    expect(copies.length).toBeGreaterThan(2);
    for (const copy of copies) {
      const reopened = await start(copy);
      expect(Object.keys(await list(reopened))).toEqual(['later']);
      await reopened.close();
    }
    expect(Object.keys(await list(kernel))).toHaveLength(MANY + 1);
    await kernel.close();
  });
});
