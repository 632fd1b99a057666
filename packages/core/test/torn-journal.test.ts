import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeRecord, encodeHeader, encodeRecord } from '../src/persistence/journal-format.ts';
import { temporaryDirectory } from './support/directory.ts';
import { type DiskStore, openCopy, openDiskStore } from './support/disk-store.ts';

/** A data directory with a journal of a killed process. */
interface Killed {
  /** The version file and a manifest without marks of the journal's length. */
  files: Readonly<Record<string, Buffer>>;
  path: string;
  file: string;
  journal: Buffer;
}

async function killed(act: (disk: DiskStore) => Promise<void>): Promise<Killed> {
  const original = await temporaryDirectory();
  const path = await temporaryDirectory();
  await using disk = await openDiskStore(original);
  const names = ['emulator.version.toml', 'emulator.manifest.json'];
  const files = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(original, name))] as const)),
  );
  await act(disk);
  const file = join(path, 'things', 'journal-1.jsonl');
  const journal = await readFile(join(original, 'things', 'journal-1.jsonl'));
  return { files, path, file, journal };
}

/** Opens a directory with journals only. */
async function reopen({ files, path, file }: Killed, journal: Buffer, next?: string): Promise<DiskStore> {
  await rm(path, { recursive: true });
  await mkdir(join(path, 'things'), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  await writeFile(file, journal);
  if (next !== undefined) await writeFile(join(path, 'things', 'journal-2.jsonl'), next);
  return openDiskStore(path);
}

const ALL = [
  ['one', 1],
  ['two', 'zwei ☃'],
  ['three', { list: [1, 2, 3] }],
] as const;

/** Writes changes, each acknowledged before the next is sent. */
const oneByOne = (): Promise<Killed> =>
  killed(async (disk) => {
    for (const [key, value] of ALL) {
      disk.items.put(key, { value });
      await disk.persistence.committed();
    }
  });

/** Returns the offsets of a journal's lines, and its end. */
function linesOf(journal: Buffer): number[] {
  const starts = [0];
  for (let end = journal.indexOf('\n'); end >= 0; end = journal.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

describe('the last record', () => {
  test('truncated at every byte is absent, and all records before it are present', async () => {
    const directory = await oneByOne();
    const { journal } = directory;
    const last = linesOf(journal).at(-2)!;
    for (let length = last; length < journal.length; length++) {
      const disk = await reopen(directory, journal.subarray(0, length));
      expect(disk.contents()).toEqual(ALL.slice(0, 2));
      expect(disk.log.join().includes('dropped')).toBe(length > last);
      // The next record replaces it.
      disk.items.put('next', { value: length });
      await disk.close();
      await using again = await openDiskStore(directory.path);
      expect(again.contents()).toEqual([...ALL.slice(0, 2), ['next', length]]);
    }
    await using whole = await reopen(directory, journal);
    expect(whole.contents()).toEqual(ALL);
  });

  test.each([
    ['a flipped bit', (byte: number) => byte ^ 0x01],
    ['another flipped bit', (byte: number) => byte ^ 0x20],
    ['a zero', () => 0],
    ['a newline', (byte: number) => (byte === 0x0a ? 0x20 : 0x0a)],
    ['a quote', (byte: number) => (byte === 0x22 ? 0x5b : 0x22)],
  ])('changed at any byte by %s stops the load, as no interrupted write leaves it so', async (_, garble) => {
    const directory = await oneByOne();
    const { journal, file } = directory;
    const last = linesOf(journal).at(-2)!;
    for (let offset = last; offset < journal.length; offset++) {
      const garbled = Buffer.from(journal);
      garbled[offset] = garble(garbled[offset]!);
      await expect(reopen(directory, garbled)).rejects.toThrow(`${file} is damaged at byte ${last}`);
    }
  });

  test('is intact if an incomplete line follows it', async () => {
    const directory = await oneByOne();
    for (const rubbish of ['\0'.repeat(5000), '["00000000",', 'x'.repeat(300_000)]) {
      await using disk = await reopen(directory, Buffer.concat([directory.journal, Buffer.from(rubbish)]));
      expect(disk.contents()).toEqual(ALL);
      expect(disk.log.join()).toContain(`its ${rubbish.length} bytes are dropped`);
    }
  });

  test('stops the load if complete lines follow it that are not changes', async () => {
    const directory = await oneByOne();
    const { journal, file } = directory;
    for (const rubbish of ['\n', '\n\n["', '["00000000",1]\n'])
      await expect(reopen(directory, Buffer.concat([journal, Buffer.from(rubbish)]))).rejects.toThrow(
        `${file} is damaged at byte ${journal.length}`,
      );
  });

  test('is overwritten if it was incomplete, for any length of the tail', async () => {
    const directory = await oneByOne();
    const torn = Buffer.concat([directory.journal, Buffer.from('["12345678",4,0,0,"put","items'.padEnd(9000, 'x'))]);
    const disk = await reopen(directory, torn);
    disk.items.put('four', { value: 4 });
    await disk.persistence.committed();
    await using again = await openCopy(directory.path, await temporaryDirectory());
    expect(again.contents()).toEqual([...ALL, ['four', 4]]);
    expect(again.log).toEqual([]);
    await disk.close();
  });
});

describe('damage before the last record', () => {
  test('at any byte stops the load, naming file and offset', async () => {
    const directory = await oneByOne();
    const { journal, file } = directory;
    const lines = linesOf(journal);
    for (let offset = 0; offset < lines.at(-2)!; offset++) {
      const garbled = Buffer.from(journal);
      garbled[offset]! ^= 0x01;
      const start = lines.filter((line) => line <= offset).at(-1)!;
      await expect(reopen(directory, garbled)).rejects.toThrow(`${file} is damaged at byte ${start}`);
    }
  });

  test('by a missing or repeated record stops the load', async () => {
    const directory = await oneByOne();
    const { journal } = directory;
    const [, one, two, three] = linesOf(journal) as [number, number, number, number];
    const missing = Buffer.concat([journal.subarray(0, one), journal.subarray(two)]);
    await expect(reopen(directory, missing)).rejects.toThrow(`damaged at byte ${one}`);
    const noFirst = Buffer.concat([journal.subarray(one)]);
    await expect(reopen(directory, noFirst)).rejects.toThrow('damaged at byte 0');
    const repeated = Buffer.concat([journal, journal.subarray(three)]);
    await expect(reopen(directory, repeated)).rejects.toThrow('change 3 stands where 4 should');
    const swapped = Buffer.concat([
      journal.subarray(0, one),
      journal.subarray(two, three),
      journal.subarray(one, two),
      journal.subarray(three),
    ]);
    await expect(reopen(directory, swapped)).rejects.toThrow(`damaged at byte ${one}`);
  });

  test('in a journal before another one stops the load, at its end too', async () => {
    const directory = await oneByOne();
    const { journal } = directory;
    const second = encodeHeader({ service: 'things', number: 2, sequence: 4 });
    const follow = (length: number, next: string): Promise<DiskStore> =>
      reopen(directory, journal.subarray(0, length), next);
    for (const length of [0, 5, linesOf(journal).at(-2)!, journal.length - 10, journal.length - 1])
      await expect(follow(length, second)).rejects.toThrow(/journal-[12]\.jsonl/);
    const change = JSON.stringify(['put', 'items', '000000000000', 'us-east-1', 'four', { value: 4 }]);
    await using whole = await follow(journal.length, second + encodeRecord(4, 0, false, change));
    expect(whole.contents()).toEqual([...ALL, ['four', 4]]);
  });

  test('of a journal that belongs to another service or number stops the load', async () => {
    const directory = await oneByOne();
    const text = directory.journal.toString();
    const path = join(directory.path, 'things', 'journal-1.jsonl');
    const rest = text.slice(text.indexOf('\n') + 1);
    const other = encodeHeader({ service: 'other', number: 1, sequence: 1 }) + rest;
    await expect(reopen(directory, Buffer.from(other))).rejects.toThrow(`${path} is not journal 1 of things`);
    const number = encodeHeader({ service: 'things', number: 2, sequence: 1 }) + rest;
    await expect(reopen(directory, Buffer.from(number))).rejects.toThrow(`${path} is not journal 1 of things`);
  });

  test('by a record of an unknown collection stops the load', async () => {
    const directory = await oneByOne();
    const change = JSON.stringify(['put', 'gone', '', '', 'key', 1]);
    const journal = Buffer.concat([directory.journal, Buffer.from(encodeRecord(4, 0, false, change))]);
    await expect(reopen(directory, journal)).rejects.toThrow(
      /journal-1\.jsonl holds a change at byte \d+ that cannot be restored/,
    );
  });
});

describe('a group written at once', () => {
  /** Writes one acknowledged change, then a group of three operations, the second of two changes. */
  const grouped = (): Promise<Killed> =>
    killed(async (disk) => {
      disk.items.put('before', { value: 0 });
      await disk.persistence.committed();
      disk.items.put('first', { value: 1 });
      void disk.persistence.committed();
      // The first is being written by now, so these form one group.
      disk.items.put('second', { value: 2 });
      void disk.persistence.committed();
      disk.items.put('third a', { value: 3 });
      disk.items.put('third b', { value: 3 });
      void disk.persistence.committed();
      disk.items.put('fourth', { value: 4 });
      await disk.persistence.committed();
    });
  const KEYS = ['before', 'first', 'second', 'third a', 'third b', 'fourth'];

  test('is dropped from the incomplete operation on; no operation is partly applied', async () => {
    const directory = await grouped();
    const { journal } = directory;
    const lines = linesOf(journal);
    const places = lines.slice(1, -1).map((start, index) => {
      const record = decodeRecord(journal.subarray(start, lines[index + 2]! - 1))!;
      return [record.place, record.more];
    });
    expect(places).toEqual([
      [0, false],
      [0, false],
      [0, false],
      [1, true],
      [2, false],
      [3, false],
    ]);
    const whole = [2, 3, 3, 5];
    for (const [index, expected] of whole.entries()) {
      const start = lines[index + 3]!;
      const end = lines[index + 4]!;
      for (const offset of [start, start + 1, start + 20, end - 1]) {
        const cut = await reopen(directory, journal.subarray(0, offset));
        expect([...cut.items.keys()]).toEqual(KEYS.slice(0, expected));
        await cut.close();
      }
    }
  });

  test('may lack any of its sectors after a power failure, and is dropped from the first of them on', async () => {
    const directory = await killed(async (disk) => {
      disk.items.put('before', { value: 'x'.repeat(700) });
      await disk.persistence.committed();
      for (let index = 0; index < 8; index++) {
        disk.items.put(`item ${index}`, { value: 'x'.repeat(300) });
        void disk.persistence.committed();
      }
      await disk.persistence.committed();
    });
    const { journal, file } = directory;
    const lines = linesOf(journal);
    // The first item is written at once, all others together.
    const group = lines[3]!;
    for (let start = 0; start < journal.length; start += 512) {
      const hole = Buffer.from(journal);
      // The sector at the start of the group was written up to the change before it.
      const from = Math.max(start, start < group && start + 512 > group ? group : 0);
      hole.fill(0, from, Math.min(start + 512, journal.length));
      const opening = reopen(directory, hole);
      if (from < group) {
        await expect(opening).rejects.toThrow(`${file} is damaged at byte`);
        continue;
      }
      await using disk = await opening;
      const whole = lines.filter((line) => line <= from).length - 2;
      expect([...disk.items.keys()]).toEqual(['before', ...Array.from({ length: whole - 1 }, (_, i) => `item ${i}`)]);
      expect(disk.log.join()).toContain('bytes are dropped');
    }
  });

  test('proves that the group before it was complete', async () => {
    const directory = await grouped();
    const { journal } = directory;
    const lines = linesOf(journal);
    for (let offset = lines[1]!; offset < lines[3]!; offset++) {
      const garbled = Buffer.from(journal);
      garbled[offset]! ^= 0x01;
      await expect(reopen(directory, garbled)).rejects.toThrow('is damaged at byte');
    }
  });
});
