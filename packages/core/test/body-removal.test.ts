import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBodyStores, createLogger, defaultSettings, Kernel, openDiskPersistence } from '../src/index.ts';
import { decodeRecord } from '../src/persistence/journal-format.ts';
import type { BodyStore } from '../src/service.ts';
import { copyDataDirectory, type FaultyFileSystem, faultyFileSystem, ioError, noSpace } from '../src/testing/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { type NotesState, notesManifest } from './support/notes.ts';

const ACCOUNT = '000000000000';
const REGION = 'us-east-1';
const JOURNAL = /^journal-\d+\.jsonl$/;

/** Waits long enough for the removal of an unreferenced file. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

/** Writes of the notes' journal, which are delayed one by one. */
class HeldWrites {
  private held: (() => void) | undefined;

  constructor(private readonly fs: FaultyFileSystem) {
    fs.fault = async (call, file, path) => {
      if (call === 'write' && JOURNAL.test(file) && path.endsWith(join('notes', file)))
        await new Promise<void>((resolve) => (this.held = resolve));
      return undefined;
    };
  }

  /** Resolves when a write is delayed. */
  async arrived(): Promise<void> {
    await expect.poll(() => this.held !== undefined, { interval: 1, timeout: 20_000 }).toBe(true);
  }

  /** Continues the delayed write. */
  pass(): void {
    const { held } = this;
    this.held = undefined;
    held?.();
  }

  /** Ends all delays. */
  end(): void {
    this.fs.fault = () => undefined;
    this.pass();
  }
}

class Running implements AsyncDisposable {
  private held: HeldWrites | undefined;

  private constructor(
    readonly path: string,
    readonly fs: FaultyFileSystem,
    readonly kernel: Kernel,
  ) {}

  static async start(path: string, sync = false): Promise<Running> {
    const fs = faultyFileSystem();
    const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
    const persistence = await openDiskPersistence({ path, sync, version: '0.1.0', log, fs });
    const bodies = createBodyStores({ log, fs, disk: { path, sync, cacheSize: 0, persistence } });
    const settings = defaultSettings({ accountId: ACCOUNT });
    const kernel = new Kernel({ manifests: [notesManifest()], settings, log, persistence, bodies: bodies.open });
    await kernel.start();
    await kernel.service('notes');
    return new Running(path, fs, kernel);
  }

  /** Returns what a restart finds after a crash at this moment: the text of each body, by the names of the notes. */
  async afterKill(): Promise<Record<string, string>> {
    const copy = await temporaryDirectory();
    await copyDataDirectory(this.path, copy);
    await using restarted = await Running.start(copy);
    const found: Record<string, string> = {};
    for (const [name, { body }] of restarted.state.notes.entries())
      found[name] = body === undefined ? '' : await restarted.textOf(body);
    return found;
  }

  get bodies(): BodyStore {
    return this.kernel.bodiesOf('notes');
  }

  get state(): NotesState {
    return this.kernel.loadedService('notes')!.state(ACCOUNT, REGION) as NotesState;
  }

  holdWrites(): HeldWrites {
    this.held = new HeldWrites(this.fs);
    return this.held;
  }

  /** Puts a note with a body, and resolves when it is on disk. */
  async put(name: string, text: string): Promise<string> {
    const { Id } = (await this.kernel.callJson('notes', 'PutBody', { Name: name, Text: text })) as { Id: string };
    return Id;
  }

  async textOf(id: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.bodies.read(id)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  /** Ids of the bodies with files. */
  async files(): Promise<string[]> {
    const found = await readdir(join(this.path, 'notes', 'bodies'), { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  async isGone(...ids: string[]): Promise<void> {
    const remaining = async (): Promise<string[]> => (await this.files()).filter((id) => ids.includes(id));
    await expect.poll(remaining, { interval: 1, timeout: 20_000 }).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.fs.fault = () => undefined;
    this.held?.end();
    await this.kernel.close();
  }
}

describe('the file of a body stays', () => {
  test('until the change that released it is written, after any other write', async () => {
    await using running = await Running.start(await temporaryDirectory());
    const first = await running.put('first', 'text of the first');
    const second = await running.put('second', 'text of the second');
    const writes = running.holdWrites();
    running.state.notes.delete('first');
    await writes.arrived();
    running.state.notes.delete('second');
    writes.pass();
    await writes.arrived();
    await running.isGone(first);
    await pause();
    expect(await running.files()).toEqual([second]);
    expect(await running.afterKill()).toEqual({ second: 'text of the second' });
    writes.end();
    await running.isGone(second);
  });

  test('until its last release is written, after it was written again in between', async () => {
    await using running = await Running.start(await temporaryDirectory());
    const id = await running.put('a', 'text');
    const writes = running.holdWrites();
    const { notes } = running.state;
    notes.put('other', { text: '' });
    await writes.arrived();
    // Released and written again by the next write.
    notes.delete('a');
    await running.bodies.write(Buffer.from('text'));
    notes.put('b', { text: '', body: id });
    running.bodies.release(id);
    writes.pass();
    await writes.arrived();
    // Released again by the one after that.
    notes.delete('b');
    writes.pass();
    await writes.arrived();
    await pause();
    expect(await running.files()).toEqual([id]);
    expect(await running.afterKill()).toEqual({ b: 'text', other: '' });
    writes.end();
    await running.isGone(id);
  });

  test('if it was written again before the release is written', async () => {
    await using running = await Running.start(await temporaryDirectory());
    const id = await running.put('a', 'text');
    const writes = running.holdWrites();
    running.state.notes.delete('a');
    await writes.arrived();
    await running.bodies.write(Buffer.from('text'));
    writes.end();
    await running.kernel.committed();
    await pause();
    expect(await running.files()).toEqual([id]);
    running.bodies.release(id);
    await running.isGone(id);
  });

  test('while the release cannot be written, and is removed afterwards', async () => {
    await using running = await Running.start(await temporaryDirectory());
    const id = await running.put('a', 'text');
    running.fs.fault = (call) => (call === 'write' ? noSpace() : undefined);
    running.state.notes.delete('a');
    await expect(running.kernel.committed()).rejects.toThrow('ENOSPC');
    await running.bodies.clearOut();
    await pause();
    expect(await running.files()).toEqual([id]);
    expect(await running.afterKill()).toEqual({ a: 'text' });
    running.fs.fault = () => undefined;
    await running.kernel.committed();
    await running.isGone(id);
  });

  test('if the record that replaces its record can never be written', async () => {
    await using running = await Running.start(await temporaryDirectory());
    const id = await running.put('a', 'text');
    const other = await running.put('b', 'other');
    running.state.notes.put('a', { text: 1n as never });
    await expect(running.kernel.committed()).rejects.toThrow('cannot be written');
    running.state.notes.delete('b');
    await running.isGone(other);
    await running.bodies.clearOut();
    await pause();
    expect(await running.files()).toEqual([id]);
    expect(await running.afterKill()).toEqual({ a: 'text' });
  });

  test('during a cleanup of bodies while its release is only queued', async () => {
    await using running = await Running.start(await temporaryDirectory());
    const id = await running.put('a', 'text');
    const orphan = await running.bodies.write(Buffer.from('never referred to'));
    running.bodies.release(orphan.id);
    await running.isGone(orphan.id);
    const writes = running.holdWrites();
    const clearing = running.bodies.clearOut();
    running.state.notes.delete('a');
    await clearing;
    expect(await running.files()).toEqual([id]);
    expect(await running.afterKill()).toEqual({ a: 'text' });
    writes.end();
    await running.isGone(id);
  });
});

describe('a replacement of the state', () => {
  test.each(['merge', 'replace', 'checkpoint'] as const)(
    'removes bodies only after all of it is written (%s)',
    async (kind) => {
      await using running = await Running.start(await temporaryDirectory());
      const kept = await running.put('a', 'later text');
      const saved: Uint8Array[] = [];
      for await (const chunk of await running.kernel.saveState()) saved.push(chunk);
      const checkpoint = running.kernel.snapshot();
      const released = await running.put('a', 'text');
      const writes = running.holdWrites();
      const replacing =
        kind === 'checkpoint'
          ? running.kernel.restore(checkpoint)
          : running.kernel.loadState(
              (async function* () {
                yield* saved;
              })(),
              { mode: kind },
            );
      await writes.arrived();
      await pause();
      expect(await running.files()).toContain(released);
      expect(await running.afterKill()).toEqual({ a: 'text' });
      writes.end();
      await replacing;
      await running.isGone(released);
      expect(await running.files()).toEqual([kept]);
      expect(await running.afterKill()).toEqual({ a: 'later text' });
      checkpoint[Symbol.dispose]();
    },
  );
});

describe('a release', () => {
  test('does not end its operation', async () => {
    await using running = await Running.start(await temporaryDirectory());
    const { notes, halves } = running.state;
    await running.put('a', 'text');
    const before = (await journalOf(running)).length;
    notes.put('a', { text: 'without body' });
    halves.put('left', { text: '' });
    halves.put('right', { text: '' });
    await running.kernel.committed();
    expect((await journalOf(running)).slice(before)).toMatchObject([
      { place: 0, more: true },
      { place: 1, more: true },
      { place: 2, more: false },
    ]);
  });
});

async function journalOf({ path }: Running) {
  const lines = (await readFile(join(path, 'notes', 'journal-1.jsonl'), 'utf8')).split('\n');
  return lines.slice(1, -1).map((line) => decodeRecord(Buffer.from(line)));
}

describe('a restart', () => {
  test('with sync makes the journal durable before the cleanup of bodies relies on it', async () => {
    await using killed = await Running.start(await temporaryDirectory(), true);
    await killed.put('a', 'text');
    const orphan = await killed.bodies.write(Buffer.from('not in a record'));
    const copy = await temporaryDirectory();
    await copyDataDirectory(killed.path, copy);
    await using restarted = await Running.start(copy, true);
    const { calls } = restarted.fs;
    const moved = calls.indexOf(`rename ${orphan.id}`);
    expect(moved).toBeGreaterThan(0);
    const before = calls.slice(0, moved);
    expect(before).toContain('sync journal-1.jsonl');
    expect(before).toContain('syncDirectory notes');
  });

  test('makes the snapshot durable before it removes the journals in it', async () => {
    await using killed = await Running.start(await temporaryDirectory());
    await killed.put('a', 'text');
    const { store } = killed.kernel.loadedService('notes')!;
    killed.fs.fault = (call, file) => (call === 'remove' && JOURNAL.test(file) ? ioError() : undefined);
    await expect(store.rewrite()).rejects.toThrow('EIO');
    const copy = await temporaryDirectory();
    await copyDataDirectory(killed.path, copy);
    await using restarted = await Running.start(copy);
    const { calls } = restarted.fs;
    const removed = calls.indexOf('remove journal-1.jsonl');
    expect(removed).toBeGreaterThan(0);
    expect(calls.slice(0, removed)).toContain('syncDirectory notes');
  });
});

test('closing waits for the removal of released bodies, as another process may take the directory afterwards', async () => {
  const running = await Running.start(await temporaryDirectory());
  const id = await running.put('a', 'text');
  running.fs.fault = async (call, file) => {
    // Takes longer than everything else that closing does.
    if (call === 'remove' && file === id) await new Promise((resolve) => setTimeout(resolve, 500));
    return undefined;
  };
  running.state.notes.delete('a');
  await running.kernel.close();
  expect(await running.files()).toEqual([]);
});
