import { describe, expect, test } from 'vitest';
import { createBodyStores, createLogger, defaultSettings, Kernel, openDiskPersistence } from '../src/index.ts';
import type { FileSystem } from '../src/service.ts';
import { copyDataDirectory } from '../src/testing/copy-directory.ts';
import { faultyFileSystem, noSpace } from '../src/testing/faulty-file-system.ts';
import { temporaryDirectory } from './support/directory.ts';
import { notesManifest } from './support/notes.ts';

const DAY = 86_400_000;

async function start(
  path: string,
  options: { seed?: string; fs?: FileSystem } = {},
): Promise<Kernel & AsyncDisposable> {
  const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
  const { seed, fs } = options;
  const persistence = await openDiskPersistence({ path, sync: false, version: '0.1.0', log, ...(fs && { fs }) });
  const bodies = createBodyStores({ log, disk: { path, sync: false, cacheSize: 1000, persistence } });
  const kernel = new Kernel({
    manifests: [notesManifest()],
    settings: defaultSettings(),
    log,
    persistence,
    bodies: bodies.open,
    ...(seed !== undefined && { seed }),
  });
  await kernel.start();
  return Object.assign(kernel, { [Symbol.asyncDispose]: () => kernel.close() });
}

/** Starts on a copy of the directory, which is what a crash would have left. */
async function startCopy(path: string, seed?: string): Promise<Kernel & AsyncDisposable> {
  const copy = await temporaryDirectory();
  await copyDataDirectory(path, copy);
  return start(copy, seed === undefined ? {} : { seed });
}

describe('the clock', () => {
  test.each(['an end', 'a kill'])('continues at its last state after %s', async (end) => {
    const path = await temporaryDirectory();
    const first = await start(path);
    const after = async (): Promise<Kernel & AsyncDisposable> => {
      await first.committed();
      if (end === 'an end') await first.close();
      return end === 'an end' ? start(path) : startCopy(path);
    };
    first.clock.freeze();
    await first.clock.advance(3 * DAY);
    const { now } = first.clock.state();
    await using second = await after();
    if (end === 'a kill') await first.close();
    expect(second.clock.state()).toMatchObject({ now, frozen: true });

    second.clock.resume();
    await second.clock.advance(DAY);
    await second.committed();
    await using third = await startCopy(second.dataDirectory!);
    expect(third.clock.state()).toEqual({
      now: expect.any(Number),
      frozen: false,
      offset: expect.closeTo(second.clock.state().offset, -2),
    });
    expect(third.clock.now()).toBeGreaterThanOrEqual(now + DAY);
    expect(third.clock.now()).toBeLessThan(now + 2 * DAY);

    third.clock.reset();
    await third.committed();
    await using fourth = await startCopy(third.dataDirectory!);
    expect(fourth.clock.state()).toMatchObject({ frozen: false, offset: 0 });
  });

  test('that was never changed stores nothing on disk', async () => {
    const path = await temporaryDirectory();
    await using first = await start(path);
    await first.committed();
    await using second = await startCopy(path);
    expect(second.clock.state()).toMatchObject({ frozen: false, offset: 0 });
  });
});

describe('ids of a seed', () => {
  const take = (kernel: Kernel, count: number): string[] => Array.from({ length: count }, () => kernel.ids.uuid());

  test('continue without a gap after a regular end', async () => {
    const path = await temporaryDirectory();
    await using whole = await start(await temporaryDirectory(), { seed: 'x' });
    const expected = take(whole, 30);
    const first = await start(path, { seed: 'x' });
    const found = take(first, 10);
    await first.close();
    const other = await start(path, { seed: 'another' });
    expect(expected).not.toContain(take(other, 1)[0]);
    await other.close();
    for (let run = 0; run < 2; run++) {
      await using again = await start(path, { seed: 'x' });
      found.push(...take(again, 10));
    }
    expect(found).toEqual(expected);
  });

  test('never repeat after a kill, for any number of ids', async () => {
    const path = await temporaryDirectory();
    await using first = await start(path, { seed: 'x' });
    const given = new Set<string>();
    for (const count of [1, 5000, 1]) {
      for (const id of take(first, count)) given.add(id);
      first.ids.bytes(100_000);
      const position = first.ids.position;
      await first.committed();
      await using second = await startCopy(path, 'x');
      expect(second.ids.position).toBeGreaterThanOrEqual(position);
      for (const id of take(second, 20)) expect(given).not.toContain(id);
    }
  });

  test('that could repeat are not acknowledged in stored records', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    await using kernel = await start(path, { seed: 'x', fs });
    const put = () => kernel.callJson('notes', 'PutNote', { Name: 'a', Text: 'a' });
    await put();
    fs.fault = (call, _, file) => (call === 'write' && file.includes('/emulator/') ? noSpace() : undefined);
    await put();
    take(kernel, 5000);
    await expect(put()).rejects.toThrow('ENOSPC');
    expect(await kernel.callJson('notes', 'ListNotes', {})).toEqual({ Notes: { a: 'a' } });
    fs.fault = () => undefined;
    await put();
  });
});
