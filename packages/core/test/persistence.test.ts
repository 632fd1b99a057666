import { readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createIds } from '../src/index.ts';
import { faultyFileSystem, noSpace } from '../src/testing/faulty-file-system.ts';
import { temporaryDirectory } from './support/directory.ts';
import { openCopy, openDiskStore } from './support/disk-store.ts';

const filesOf = async (path: string): Promise<string[]> => (await readdir(join(path, 'things'))).sort();
const snapshotOf = async (path: string): Promise<{ journal: number; records: unknown[]; count: number }> =>
  JSON.parse(await readFile(join(path, 'things', 'snapshot.json'), 'utf8'));

describe('a killed process', () => {
  test('leaves committed changes, in order of insertion', async () => {
    const path = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    expect(disk.persistence.dirty).toBe(false);
    disk.items.put('a', { value: 1 });
    disk.items.put('b', { value: 'zwölf\n"\u2028\ud800' });
    disk.items.put('a', { value: { nested: [1, null, true] } });
    disk.items.put('c', { value: 3 });
    disk.items.delete('b');
    disk.items.put('b', { value: 4 });
    disk.others.put('x', { value: 5 });
    expect(disk.persistence.dirty).toBe(true);
    await disk.persistence.committed();
    expect(disk.persistence.dirty).toBe(false);

    await using reopened = await openCopy(path, await temporaryDirectory());
    expect(reopened.contents()).toEqual(disk.contents());
    expect(reopened.others.get('x')).toEqual({ value: 5 });
    expect(reopened.persistence.services()).toEqual(['things']);
    // Loaded records are not written again.
    expect(reopened.persistence.dirty).toBe(false);
  });

  test('leaves changes after a reopening, too', async () => {
    let path = await temporaryDirectory();
    const expected: [string, unknown][] = [];
    for (let run = 0; run < 4; run++) {
      const copy = await temporaryDirectory();
      const disk = await openCopy(path, copy);
      expect(disk.contents()).toEqual(expected);
      disk.items.put(`run ${run}`, { value: run });
      expected.push([`run ${run}`, run]);
      await disk.persistence.committed();
      path = copy;
    }
  });

  test('leaves changes without a waiting request', async () => {
    const path = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    await expect.poll(() => disk.persistence.dirty, { interval: 1, timeout: 20_000 }).toBe(false);
    await using reopened = await openCopy(path, await temporaryDirectory());
    expect(reopened.contents()).toEqual([['a', 1]]);
  });

  test('leaves a cleared collection empty', async () => {
    const path = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    disk.items.clear();
    disk.items.put('b', { value: 2 });
    await disk.persistence.committed();
    await using reopened = await openCopy(path, await temporaryDirectory());
    expect(reopened.contents()).toEqual([['b', 2]]);
  });
});

describe('commits', () => {
  test('made concurrently share writes', async () => {
    const fs = faultyFileSystem();
    await using disk = await openDiskStore(await temporaryDirectory(), { fs, sync: true });
    fs.calls.length = 0;
    await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        disk.items.put(`item ${index}`, { value: index });
        await disk.persistence.committed();
      }),
    );
    const count = (call: string): number => fs.calls.filter((entry) => entry === `${call} journal-1.jsonl`).length;
    // The first change, and all others during its write.
    expect(count('write')).toBe(2);
    expect(count('datasync')).toBe(2);
  });

  test('reach the device before they resolve with sync, and do not wait for it without', async () => {
    for (const sync of [true, false]) {
      const fs = faultyFileSystem();
      await using disk = await openDiskStore(await temporaryDirectory(), { fs, sync });
      disk.items.put('a', { value: 1 });
      await disk.persistence.committed();
      expect(fs.calls.includes('datasync journal-1.jsonl')).toBe(sync);
    }
  });

  test('resolve at once without changes, and create nothing on disk', async () => {
    const path = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    await disk.persistence.committed();
    expect(await readdir(path)).not.toContain('things');
  });

  test("cost the size of the change, independent of the state's size", async () => {
    const path = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    const journal = join(path, 'things', 'journal-1.jsonl');
    const costs: number[] = [];
    for (const count of [10, 10_000]) {
      for (let index = 0; index < count; index++) disk.items.put(`item ${index}`, { value: index });
      await disk.persistence.committed();
      const before = (await stat(journal)).size;
      disk.items.put('item 5', { value: 'changed' });
      await disk.persistence.committed();
      costs.push((await stat(journal)).size - before);
    }
    expect(costs[0]).toBeLessThan(120);
    // The sequence number has more digits.
    expect(costs[1]! - costs[0]!).toBeLessThan(5);
  });

  test('fail for a record that is not JSON, and work afterwards', async () => {
    const path = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    disk.items.put('a', { value: 1n });
    disk.items.put('b', { value: 1 });
    expect(disk.persistence.dirty).toBe(true);
    await expect(disk.persistence.committed()).rejects.toThrow('a change of items in things cannot be written');
    await disk.persistence.committed();
    await using reopened = await openCopy(path, await temporaryDirectory());
    expect(reopened.contents()).toEqual([['b', 1]]);
  });

  test('keep an operation of any size in one group', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    await using disk = await openDiskStore(path, { fs });
    const value = 'x'.repeat(5 * 1024 * 1024);
    for (const key of ['a', 'b', 'c']) disk.items.put(key, { value });
    // A crash during the write leaves nothing of it.
    let left = 12 * 1024 * 1024;
    fs.fault = (call, file) => {
      if (call !== 'write' || !file.startsWith('journal-') || file.endsWith('.tmp')) return undefined;
      const now = left;
      left = 0;
      return now || noSpace();
    };
    await expect(disk.persistence.committed()).rejects.toThrow('ENOSPC');
    await using killed = await openCopy(path, await temporaryDirectory());
    expect(killed.contents()).toEqual([]);
    fs.fault = () => undefined;
    await disk.persistence.committed();
    await using reopened = await openCopy(path, await temporaryDirectory());
    expect(reopened.contents()).toEqual(disk.contents());
  });

  test('fail after the directory was closed', async () => {
    const disk = await openDiskStore(await temporaryDirectory());
    await disk.close();
    await disk.close();
    disk.items.put('a', { value: 1 });
    expect(disk.persistence.dirty).toBe(true);
    await expect(disk.persistence.committed()).rejects.toThrow('the journal is closed');
  });
});

describe('the snapshot', () => {
  test('includes the journal when the service ends', async () => {
    const path = await temporaryDirectory();
    const disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    disk.others.put('b', { value: 2 });
    await disk.close();
    expect(await filesOf(path)).toEqual(['snapshot.json']);
    expect(await snapshotOf(path)).toMatchObject({
      format: 1,
      service: 'things',
      journal: 1,
      records: [
        ['items', '000000000000', 'us-east-1', 'a', { value: 1 }],
        ['others', '000000000000', '', 'b', { value: 2 }],
      ],
      count: 2,
    });
    await using reopened = await openDiskStore(path);
    expect(reopened.contents()).toEqual([['a', 1]]);
    reopened.items.put('c', { value: 3 });
    await reopened.persistence.committed();
    expect(await filesOf(path)).toEqual(['journal-2.jsonl', 'snapshot.json']);
  });

  test('is not rewritten without changes', async () => {
    const path = await temporaryDirectory();
    const disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    await disk.close();
    const before = await stat(join(path, 'things', 'snapshot.json'));
    await (await openDiskStore(path)).close();
    expect((await stat(join(path, 'things', 'snapshot.json'))).ino).toBe(before.ino);
  });

  test('of an emptied service is empty', async () => {
    const path = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    await disk.store.rewrite();
    disk.store.clear();
    await disk.store.rewrite();
    expect(await snapshotOf(path)).toMatchObject({ records: [], count: 0 });
    expect(await filesOf(path)).toEqual(['snapshot.json']);
    await using reopened = await openCopy(path, await temporaryDirectory());
    expect(reopened.contents()).toEqual([]);
  });

  test('is written in the background when the journal grows, while changes continue', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    await using disk = await openDiskStore(path, { foldSize: 20_000, fs });
    const ids = createIds('folding');
    for (let round = 0; round < 300; round++) {
      for (let index = 0; index < 20; index++) {
        const key = `item ${Math.floor(ids.random() * 500)}`;
        const kind = ids.random();
        if (kind < 0.25) disk.items.delete(key);
        else if (kind < 0.2501) disk.items.clear();
        else disk.items.put(key, { value: ids.hex(20) });
      }
      await disk.persistence.committed();
      if (round % 30 === 0) {
        // At any moment, whether a snapshot is being written or not.
        const expected = disk.contents();
        const copy = await temporaryDirectory();
        await using reopened = await fs.quietly(() => openCopy(path, copy));
        expect(reopened.contents()).toEqual(expected);
      }
    }
    const { journal } = await snapshotOf(path);
    expect(journal).toBeGreaterThan(5);
  });

  test('includes changes during its write', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    await using disk = await openDiskStore(path, { fs });
    for (let index = 0; index < 5000; index++) disk.items.put(`item ${index}`, { value: 'x'.repeat(200) });
    await disk.persistence.committed();
    let changes = 0;
    fs.fault = (call, file) => {
      if (call !== 'write' || file !== 'snapshot.json.tmp') return undefined;
      // Records already written to the snapshot, and others, change places and values.
      for (const index of [changes, 2500 + changes, 4999 - changes]) {
        disk.items.delete(`item ${index}`);
        disk.items.put(`item ${index}`, { value: `again ${changes}` });
        disk.items.put(`item ${index + 1}`, { value: `changed ${changes}` });
        disk.items.put(`new ${changes} ${index}`, { value: index });
      }
      changes++;
      return undefined;
    };
    await disk.store.rewrite();
    expect(changes).toBeGreaterThan(3);
    fs.fault = () => undefined;
    await disk.persistence.committed();
    await using reopened = await openCopy(path, await temporaryDirectory());
    expect(reopened.contents()).toEqual(disk.contents());
  });

  test('requested twice at once includes changes in between as well', async () => {
    const path = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    const first = disk.store.rewrite();
    disk.items.put('b', { value: 2 });
    const second = Promise.all([disk.store.rewrite(), disk.store.rewrite()]);
    await first;
    await second;
    expect((await snapshotOf(path)).records).toHaveLength(2);
    expect(await filesOf(path)).toEqual(['snapshot.json']);
  });

  test('and the older journals in it are compatible after a crash before their removal', async () => {
    const path = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    disk.items.put('b', { value: 1 });
    await disk.persistence.committed();
    const journal = await readFile(join(path, 'things', 'journal-1.jsonl'));
    disk.items.delete('a');
    await disk.store.rewrite();
    await writeFile(join(path, 'things', 'journal-1.jsonl'), journal);
    await writeFile(join(path, 'things', 'snapshot.json.tmp'), 'half of a snapsh');
    const copy = await temporaryDirectory();
    await using reopened = await openCopy(path, copy);
    expect(reopened.contents()).toEqual([['b', 1]]);
    expect(await filesOf(copy)).toEqual(['snapshot.json']);
  });
});

describe('damage', () => {
  async function closed(): Promise<string> {
    const path = await temporaryDirectory();
    const disk = await openDiskStore(path);
    for (let index = 0; index < 3; index++) disk.items.put(`item ${index}`, { value: index });
    await disk.close();
    return path;
  }

  test('of a snapshot at any place stops the load with file and place', async () => {
    const path = await closed();
    const file = join(path, 'things', 'snapshot.json');
    const whole = await readFile(file);
    for (let offset = 0; offset < whole.length; offset++) {
      const damaged = Buffer.from(whole);
      damaged[offset]! ^= 1;
      await writeFile(file, damaged);
      await expect(openDiskStore(path)).rejects.toThrow(file);
    }
    for (const length of [0, 10, whole.length - 1]) {
      await writeFile(file, whole.subarray(0, length));
      await expect(openDiskStore(path)).rejects.toThrow(file);
    }
    await writeFile(file, whole);
    await (await openDiskStore(path)).close();
  });

  test('by a missing journal stops the load', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    await using disk = await openDiskStore(path, { fs });
    // Without snapshots the journals accumulate.
    fs.fault = (call, file) => (call === 'rename' && file === 'snapshot.json' ? new Error('no rename') : undefined);
    for (let index = 0; index < 3; index++) {
      disk.items.put(`item ${index}`, { value: index });
      await expect(disk.store.rewrite()).rejects.toThrow('no rename');
    }
    expect(await filesOf(path)).toEqual(['journal-1.jsonl', 'journal-2.jsonl', 'journal-3.jsonl']);
    await using reopened = await openCopy(path, await temporaryDirectory());
    expect(reopened.contents()).toEqual(disk.contents());
    const gap = await temporaryDirectory();
    await unlink(join(path, 'things', 'journal-2.jsonl'));
    await expect(openCopy(path, gap)).rejects.toThrow('journal-2.jsonl is missing');
  });
});
