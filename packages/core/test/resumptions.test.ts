import { describe, expect, test } from 'vitest';
import { createBodyStores, createLogger, defaultSettings, Kernel, openDiskPersistence } from '../src/index.ts';
import { type InterruptedWork, interruptedRecords } from '../src/service.ts';
import { copyDataDirectory } from '../src/testing/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { NotesState, notesManifest, notesPlugin } from './support/notes.ts';

interface Life extends AsyncDisposable {
  readonly kernel: Kernel;
  readonly log: string[];
  /** Names of the notes whose resumption began, in order. */
  readonly resumed: string[];
  /** Reasons of the notes that failed, by name. */
  readonly failed: Map<string, string>;
  put(name: string): Promise<unknown>;
  /** Starts another kernel on a copy of the disk, as after a crash. */
  crash(): Promise<Life>;
}

/** Starts a kernel whose notes are interrupted work. The resumption of a note named `poison…` never ends. */
async function live(path: string, noResume = false): Promise<Life> {
  const log: string[] = [];
  const resumed: string[] = [];
  const failed = new Map<string, string>();
  class ResumingState extends NotesState {
    interrupted(): InterruptedWork[] {
      return interruptedRecords(this.notes, {
        name: (_, name) => `note ${name}`,
        isLeft: (_, name) => !name.startsWith('idle'),
        idOf: ({ text }) => text,
        resume: (_, name) => {
          resumed.push(name);
          if (name.startsWith('broken')) throw new Error('it is broken');
          return name.startsWith('poison') ? new Promise(() => undefined) : Promise.resolve();
        },
        fail: (_, reason, name) => {
          failed.set(name, reason);
          this.notes.delete(name);
        },
      });
    }
  }
  const logger = createLogger({ level: 'info', format: 'text', write: (line) => void log.push(line) });
  const persistence = await openDiskPersistence({ path, sync: false, version: '0.1.0', log: logger });
  const bodies = createBodyStores({ log: logger, disk: { path, sync: false, cacheSize: 1000, persistence } });
  const kernel = new Kernel({
    manifests: [notesManifest(async () => notesPlugin((scope) => new ResumingState(scope)))],
    settings: defaultSettings({ values: { EMULATOR_NO_RESUME: noResume } }),
    log: logger,
    persistence,
    bodies: bodies.open,
  });
  await kernel.start();
  return {
    kernel,
    log,
    resumed,
    failed,
    put: (Name) => kernel.callJson('notes', 'PutNote', { Name, Text: '' }),
    crash: async () => {
      const copy = await temporaryDirectory();
      await copyDataDirectory(path, copy);
      return live(copy);
    },
    [Symbol.asyncDispose]: () => kernel.close(),
  };
}

async function withNotes(...names: string[]): Promise<Life> {
  const life = await live(await temporaryDirectory());
  for (const name of names) await life.put(name);
  return life;
}

describe('interrupted work', () => {
  test('is resumed when the emulator is ready, and only what was there at the start', async () => {
    await using first = await withNotes('a', 'b');
    await using second = await first.crash();
    expect(second.resumed).toEqual([]);
    await second.put('new');
    await second.kernel.resume();
    expect(second.resumed).toEqual(['a', 'b']);
  });

  test('fails after two crashes in a row during its resumption; other work is resumed', async () => {
    await using first = await withNotes('a', 'poison', 'z');
    await using second = await first.crash();
    await second.kernel.resume();
    expect(second.resumed).toEqual(['a', 'poison', 'z']);
    await using third = await second.crash();
    await third.kernel.resume();
    // The suspect comes last.
    await expect.poll(() => third.resumed).toEqual(['a', 'z', 'poison']);
    expect(third.failed.size).toBe(0);
    await using fourth = await third.crash();
    await fourth.kernel.resume();
    expect(fourth.resumed).toEqual(['a', 'z']);
    expect([...fourth.failed]).toEqual([
      ['poison', 'emu was terminated twice in a row while it resumed this work after a restart.'],
    ]);
    expect(fourth.log.join('')).toMatch(/ERROR .*notes \d{12}\/us-east-1 note poison failed/);
    await using fifth = await fourth.crash();
    await fifth.kernel.resume();
    expect(fifth.resumed).toEqual(['a', 'z']);
  });

  test('fails if its resumption fails', async () => {
    await using first = await withNotes('a', 'broken');
    await using second = await first.crash();
    await second.kernel.resume();
    await expect
      .poll(() => [...second.failed])
      .toEqual([['broken', 'This work could not be resumed after a restart: it is broken']]);
    await using third = await second.crash();
    await third.kernel.resume();
    expect(third.resumed).toEqual(['a']);
  });

  test('that has ended or was replaced since the start is left alone', async () => {
    await using first = await withNotes('ended', 'idle', 'replaced', 'z');
    await using second = await first.crash();
    await second.kernel.callJson('notes', 'DeleteNote', { Name: 'ended' });
    await second.kernel.callJson('notes', 'PutNote', { Name: 'replaced', Text: 'new' });
    await second.kernel.resume();
    expect(second.resumed).toEqual(['z']);
  });

  test('with marks is resumed one at a time, so that a crash concerns one only', async () => {
    await using first = await withNotes('poison1', 'poison2');
    await using second = await first.crash();
    await second.kernel.resume();
    expect(second.resumed).toEqual(['poison1', 'poison2']);
    await using third = await second.crash();
    await third.kernel.resume();
    await expect.poll(() => third.resumed).toEqual(['poison1']);
    await using fourth = await third.crash();
    await fourth.kernel.resume();
    expect([...fourth.failed.keys()]).toEqual(['poison1']);
    await expect.poll(() => fourth.resumed).toEqual(['poison2']);
  });

  test('has no mark after a regular end', async () => {
    await using first = await withNotes('poison');
    const second = await first.crash();
    await second.kernel.resume();
    expect(second.resumed).toEqual(['poison']);
    await second.kernel.close();
    await using third = await second.crash();
    await third.kernel.resume();
    await using fourth = await third.crash();
    await fourth.kernel.resume();
    await expect.poll(() => fourth.resumed).toEqual(['poison']);
    expect(fourth.failed.size).toBe(0);
  });

  test('is listed in the log and not resumed if configured', async () => {
    const path = await temporaryDirectory();
    {
      await using first = await live(path);
      for (const name of ['a', 'b']) await first.put(name);
    }
    await using second = await live(path, true);
    await second.kernel.resume();
    expect(second.resumed).toEqual([]);
    const account = second.kernel.settings.accountId;
    expect(second.log.join('')).toContain(
      `interrupted work is not resumed (--no-resume): notes ${account}/us-east-1 note a; notes ${account}/us-east-1 note b`,
    );
  });
});
