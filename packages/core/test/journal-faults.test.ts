import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultyFileSystem, ioError, noSpace } from '../src/testing/faulty-file-system.ts';
import { temporaryDirectory } from './support/directory.ts';
import { openCopy, openDiskStore } from './support/disk-store.ts';

const JOURNAL = 'journal-1.jsonl';

test('short writes are continued', async () => {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  await using disk = await openDiskStore(path, { fs });
  fs.fault = (call) => (call === 'write' ? 7 : undefined);
  for (let index = 0; index < 20; index++) disk.items.put(`item ${index}`, { value: index });
  await disk.persistence.committed();
  await disk.store.rewrite();
  disk.items.put('last', { value: 'x'.repeat(100) });
  await disk.persistence.committed();
  await using reopened = await openCopy(path, await temporaryDirectory());
  expect(reopened.contents()).toEqual(disk.contents());
});

test.each([
  ['a full disk', 'write', noSpace()],
  ['a broken disk', 'write', ioError()],
  ['a disk that writes nothing', 'write', 0],
  ['a disk that does not sync', 'datasync', ioError()],
] as const)('%s fails the commit, and the next commit writes everything', async (_, call, fault) => {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  await using disk = await openDiskStore(path, { fs, sync: true });
  disk.items.put('before', { value: 1 });
  await disk.persistence.committed();
  const { size } = await stat(join(path, 'things', JOURNAL));

  let remaining = 10;
  fs.fault = (made) => {
    if (made !== call) return undefined;
    // A part of the group is written before the disk fails.
    if (call === 'write' && remaining) return remaining--;
    return fault;
  };
  disk.items.put('during', { value: 2 });
  disk.items.put('during too', { value: 'x'.repeat(1000) });
  const waiting = [disk.persistence.committed(), disk.persistence.committed()];
  for (const commit of waiting) await expect(commit).rejects.toThrow(/ENOSPC|EIO/);
  expect(disk.persistence.dirty).toBe(true);
  expect(disk.store.congested).toBe(true);
  // Nothing of the group is left in the file.
  expect((await stat(join(path, 'things', JOURNAL))).size).toBe(size);
  // It fails again, for any caller.
  await expect(disk.persistence.committed()).rejects.toThrow(/ENOSPC|EIO/);
  disk.items.put('later', { value: 3 });
  await expect(disk.persistence.committed()).rejects.toThrow(/ENOSPC|EIO/);
  expect(disk.log.filter((line) => line.includes('cannot be written to disk'))).toHaveLength(1);

  await using killed = await openCopy(path, await temporaryDirectory());
  expect(killed.contents()).toEqual([['before', 1]]);

  fs.fault = () => undefined;
  await disk.persistence.committed();
  expect(disk.persistence.dirty).toBe(false);
  expect(disk.store.congested).toBe(false);
  expect(disk.log.filter((line) => line.includes('written to disk again'))).toHaveLength(1);
  await using reopened = await openCopy(path, await temporaryDirectory());
  expect(reopened.contents()).toEqual(disk.contents());
  expect(reopened.log).toEqual([]);
});

test('a file that cannot be truncated is truncated before the next write and the next journal', async () => {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  await using disk = await openDiskStore(path, { fs });
  disk.items.put('before', { value: 1 });
  await disk.persistence.committed();
  let most = 200;
  fs.fault = (call) => {
    if (call === 'truncate') return ioError();
    if (call !== 'write') return undefined;
    const now = most;
    most = 0;
    return now || noSpace();
  };
  disk.items.put('during', { value: 'x'.repeat(1000) });
  await expect(disk.persistence.committed()).rejects.toThrow('ENOSPC');

  // After a kill at this point, the tail is dropped.
  await using killed = await openCopy(path, await temporaryDirectory());
  expect(killed.contents()).toEqual([['before', 1]]);
  expect(killed.log.join()).toContain('its 200 bytes are dropped');

  fs.fault = () => undefined;
  disk.items.put('during', { value: 'short' });
  disk.items.delete('before');
  await disk.persistence.committed();
  await using reopened = await openCopy(path, await temporaryDirectory());
  expect(reopened.contents()).toEqual([['during', 'short']]);
});

test('a journal that cannot be created is created by the next commit', async () => {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  await using disk = await openDiskStore(path, { fs });
  for (const failing of ['makeDirectory', 'open', 'write', 'rename'] as const) {
    fs.fault = (call) => (call === failing ? noSpace() : undefined);
    disk.items.put(failing, { value: 1 });
    await expect(disk.persistence.committed()).rejects.toThrow('ENOSPC');
  }
  fs.fault = () => undefined;
  await disk.persistence.committed();
  await using reopened = await openCopy(path, await temporaryDirectory());
  expect(reopened.contents()).toEqual(disk.contents());
});

test.each(['open', 'write', 'sync', 'rename', 'syncDirectory'] as const)(
  'a snapshot that fails in %s leaves the journals valid',
  async (failing) => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    await using disk = await openDiskStore(path, { fs });
    disk.items.put('a', { value: 1 });
    await disk.store.rewrite();
    disk.items.put('b', { value: 2 });
    await disk.persistence.committed();
    const own = failing === 'syncDirectory' ? 'things' : failing === 'rename' ? 'snapshot.json' : 'snapshot.json.tmp';
    fs.fault = (call, file) => (call === failing && file === own ? ioError() : undefined);
    await expect(disk.store.rewrite()).rejects.toThrow('EIO');
    disk.items.put('c', { value: 3 });
    await disk.persistence.committed();
    await using reopened = await openCopy(path, await temporaryDirectory());
    expect(reopened.contents()).toEqual(disk.contents());
    fs.fault = () => undefined;
    await disk.store.rewrite();
    await using folded = await openCopy(path, await temporaryDirectory());
    expect(folded.contents()).toEqual(disk.contents());
  },
);

test('a failed background snapshot is retried only after the journal has grown as much again', async () => {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  await using disk = await openDiskStore(path, { fs, foldSize: 10_000 });
  fs.fault = (call, file) => (call === 'rename' && file === 'snapshot.json' ? noSpace() : undefined);
  const attempts = (): number => fs.calls.filter((call) => call === 'rename snapshot.json').length;
  const size = 300;
  let count = 0;
  // Snapshots are written concurrently with commits, at the speed of the machine: a second one always has time.
  while (count < 100 || (attempts() < 2 && count < 10_000)) {
    disk.items.put(`item ${count++}`, { value: 'x'.repeat(size) });
    await disk.persistence.committed();
  }
  expect(attempts()).toBeGreaterThan(1);
  // A record is the value and less than 200 bytes around it; an attempt for every record would be many times that
  // number.
  expect(attempts()).toBeLessThanOrEqual(1 + Math.floor((count * (size + 200)) / 10_000));
  expect(disk.log.filter((line) => line.includes('its journals are kept')).length).toBeGreaterThan(0);
  await using reopened = await openCopy(path, await temporaryDirectory());
  expect(reopened.contents()).toEqual(disk.contents());
});

test('a slow disk delays operations before memory fills, and writes all waiting changes', async () => {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  await using disk = await openDiskStore(path, { fs });
  let open!: () => void;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  fs.fault = async (call) => {
    if (call === 'write') await gate;
    return undefined;
  };
  const value = 'x'.repeat(100_000);
  let count = 0;
  while (!disk.store.congested) {
    disk.items.put(`item ${count}`, { value });
    if (++count % 5 === 0) void disk.persistence.committed();
  }
  expect(count * value.length).toBeLessThan(20 * 1024 * 1024);
  open();
  await disk.persistence.committed();
  expect(disk.store.congested).toBe(false);
  await using reopened = await openCopy(path, await temporaryDirectory());
  expect(reopened.items.size).toBe(count);
});

test('closing with a failing disk reports the failure, and keeps what was acknowledged', async () => {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  const disk = await openDiskStore(path, { fs });
  disk.items.put('a', { value: 1 });
  await disk.persistence.committed();
  fs.fault = (call) => (call === 'write' ? noSpace() : undefined);
  disk.items.put('b', { value: 2 });
  await expect(disk.close()).rejects.toThrow('ENOSPC');
  // The lock is released nevertheless.
  await using reopened = await openDiskStore(path);
  expect(reopened.contents()).toEqual([['a', 1]]);
});

test('a snapshot that cannot be written at the end keeps the journal', async () => {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  const disk = await openDiskStore(path, { fs });
  disk.items.put('a', { value: 1 });
  fs.fault = (call, file) => (call === 'rename' && file === 'snapshot.json' ? noSpace() : undefined);
  await disk.close();
  expect(disk.log.join()).toContain('its journals are kept');
  expect(await readFile(join(path, 'things', JOURNAL), 'utf8')).toContain('"insert"');
  await using reopened = await openDiskStore(path);
  expect(reopened.contents()).toEqual([['a', 1]]);
});

test('very many changes are encoded in slices, so that other work can run', async () => {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  await using disk = await openDiskStore(path, { fs });
  disk.items.put('before', { value: 1 });
  await disk.persistence.committed();
  for (let index = 0; index < 50_000; index++) disk.items.put(`item ${index}`, { value: index });
  let turns = 0;
  let turnsBefore: number | undefined;
  fs.fault = (call, file) => {
    // A timer writes the directory's manifest at any time.
    if (call === 'write' && file.startsWith('journal')) turnsBefore ??= turns;
    return undefined;
  };
  let ended = false;
  const commit = disk.persistence.committed().then(() => {
    ended = true;
  });
  for (; !ended; turns++) await new Promise((resolve) => setImmediate(resolve));
  await commit;
  expect(turnsBefore).toBeGreaterThan(3);
  await using reopened = await openCopy(path, await temporaryDirectory());
  expect(reopened.contents()).toEqual(disk.contents());
});
