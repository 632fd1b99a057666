import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WholeBody } from '@emu/wire';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { BodyCache } from '../src/bodies/cache.ts';
import { PiecedBody } from '../src/bodies/pieces.ts';
import { type BodyStoresOptions, createBodyStores, createLogger } from '../src/index.ts';
import { ownIdentity } from '../src/persistence/process-identity.ts';
import type { BodyStore } from '../src/service.ts';
import { type FaultyFileSystem, faultyFileSystem, ioError, noSpace } from '../src/testing/faulty-file-system.ts';
import { temporaryDirectory } from './support/directory.ts';
import { openDiskStore } from './support/disk-store.ts';

const log = createLogger({ level: 'error', format: 'text' });
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (length: number, seed = 1): Buffer =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 31 + seed) % 251));

async function* pieces(body: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size);
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Names of the bodies on disk, and of other files. */
async function filesIn(directory: string): Promise<string[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

interface Setting {
  store: BodyStore;
  directory: string;
  fs: FaultyFileSystem;
  /** Opens the directory's bodies again, as after a restart. */
  reopen(): BodyStore;
  commits: Commits;
}

/** Commits of a journal, which a test can delay. */
class Commits {
  private readonly waiting: (() => void)[] = [];
  private held = false;

  readonly afterCommit = (_service: string, action: () => void): void => {
    if (this.held) this.waiting.push(action);
    else action();
  };

  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    for (const action of this.waiting.splice(0)) action();
  }
}

async function onDisk(options: { sync?: boolean; cacheSize?: number } = {}): Promise<Setting> {
  const path = await temporaryDirectory();
  const fs = faultyFileSystem();
  const commits = new Commits();
  const { persistence, close } = await openDiskStore(await temporaryDirectory());
  onTestFinished(close);
  const stores = (): BodyStore =>
    createBodyStores({
      log,
      fs,
      disk: {
        path,
        sync: options.sync ?? false,
        cacheSize: options.cacheSize ?? 0,
        persistence: { ...persistence, afterCommit: commits.afterCommit } as typeof persistence,
      },
    }).open('things');
  return { store: stores(), directory: join(path, 'things', 'bodies'), fs, reopen: stores, commits };
}

async function inMemory(options: Partial<BodyStoresOptions> = {}): Promise<BodyStore & { temporary: string }> {
  const temporary = await temporaryDirectory();
  const memory = { always: 5000, largest: 0, room: 0 };
  const stores = createBodyStores({ log, memory, temporaryDirectory: temporary, ...options });
  onTestFinished(() => stores.close());
  return Object.assign(stores.open('things'), { temporary });
}

const settled = async (done: () => Promise<boolean> | boolean): Promise<void> => {
  await expect.poll(done, { interval: 1, timeout: 20_000 }).toBe(true);
};

describe.each([
  ['on disk', async () => (await onDisk()).store, true],
  ['on disk with a cache', async () => (await onDisk({ cacheSize: 1_000_000 })).store, true],
  ['on disk with a small cache', async () => (await onDisk({ cacheSize: 20_000 })).store, true],
  ['on disk with sync', async () => (await onDisk({ sync: true })).store, true],
  ['in memory', () => inMemory({ memory: { always: 1_000_000, largest: 0, room: 0 } }), false],
  ['in memory, large', () => inMemory({ memory: { always: 1000, largest: 1_000_000, room: 5_000_000 } }), false],
  ['in memory, spooled', () => inMemory(), false],
])('bodies %s', (_, make, named) => {
  test.each([0, 1, 4999, 5000, 5001, 65_536, 300_000])('of %d bytes are written and read', async (length) => {
    const store = await make();
    const body = bytesOf(length);
    const seen: Uint8Array[] = [];
    const stored = await store.write(pieces(body), (chunk) => seen.push(chunk));
    expect(stored.size).toBe(length);
    if (named) expect(stored.id).toBe(sha256(body));
    expect(Buffer.concat(seen).equals(body)).toBe(true);
    expect((await store.write(body)).id === stored.id).toBe(named);
    for (let time = 0; time < 2; time++) expect((await textOf(store.read(stored.id))).equals(body)).toBe(true);
  });

  test('are read in part', async () => {
    const store = await make();
    const body = bytesOf(200_000);
    const { id } = await store.write(body);
    const ranges = [
      [0, 1],
      [0, 200_000],
      [70_000, 150_000],
      [199_999, 200_000],
      [5, 5],
    ] as const;
    for (const [start, end] of ranges) {
      const part = await textOf(store.read(id, { start, end }));
      expect(part.equals(body.subarray(start, end))).toBe(true);
    }
    for (const [start, end] of [
      [0, 200_001],
      [-1, 5],
      [10, 5],
    ] as const)
      await expect((async () => textOf(store.read(id, { start, end })))()).rejects.toThrow(RangeError);
  });

  test('are deleted after as many releases as references', async () => {
    const store = await make();
    const { id } = await store.write(bytesOf(10_000));
    store.retain(id);
    store.release(id);
    expect((await textOf(store.read(id))).length).toBe(10_000);
    store.release(id);
    expect(() => store.read(id)).toThrow(`unknown body ${id}`);
    expect(() => store.release(id)).toThrow();
    // It can be stored again.
    const again = await store.write(bytesOf(10_000));
    expect((await textOf(store.read(again.id))).length).toBe(10_000);
  });

  test('stay complete for readers after their release', async () => {
    const store = await make();
    const body = bytesOf(300_000);
    const { id } = await store.write(body);
    const reading = store.read(id);
    store.release(id);
    await store.clearOut();
    expect((await textOf(reading)).equals(body)).toBe(true);
    expect(() => store.read(id)).toThrow('unknown body');
  });

  test('do not exist after a failed write', async () => {
    const store = await make();
    const body = bytesOf(20_000);
    async function* aborted(): AsyncGenerator<Uint8Array> {
      yield* pieces(body);
      throw new Error('client gone');
    }
    await expect(store.write(aborted())).rejects.toThrow('client gone');
    expect(() => store.read(sha256(body))).toThrow('unknown body');
    let ended = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* pieces(body);
      } finally {
        ended = true;
      }
    }
    const observe = (): void => {
      throw new Error('bad checksum');
    };
    await expect(store.write(source(), observe)).rejects.toThrow('bad checksum');
    expect(ended).toBe(true);
  });

  test('that are equal and written concurrently each exist until released', async () => {
    const store = await make();
    const body = bytesOf(20_000);
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => store.write(pieces(body))));
    store.release(first!.id);
    store.release(second!.id);
    expect((await textOf(store.read(third!.id))).equals(body)).toBe(true);
    store.release(third!.id);
    for (const { id } of [first!, second!, third!]) expect(() => store.read(id)).toThrow('unknown body');
  });
});

describe('bodies on disk', () => {
  test('are files named by their content', async () => {
    const { store, directory, fs } = await onDisk({ sync: true });
    const { id } = await store.write(bytesOf(10));
    expect(existsSync(join(directory, id.slice(0, 2), id))).toBe(true);
    // Content before name, name before the response.
    const order = fs.calls.filter((call) => /^(sync|rename) |^syncDirectory ..$/.test(call));
    expect(order).toEqual(['sync incoming-0', `rename ${id}`, `syncDirectory ${id.slice(0, 2)}`]);
  });

  test('exist after a restart if records retain them; others are moved to the orphans', async () => {
    const { store, directory, reopen } = await onDisk();
    const kept = await store.write(bytesOf(10, 1));
    const orphan = await store.write(bytesOf(10, 2));
    await writeFile(join(directory, 'incoming-17'), 'half a bod');
    const restarted = reopen();
    restarted.retain(kept.id);
    await restarted.clearOut();
    expect(await filesIn(directory)).toEqual([kept.id]);
    const orphans = join(directory, '..', 'orphans');
    expect(await filesIn(orphans)).toEqual([orphan.id]);
    expect((await readFile(join(orphans, orphan.id))).equals(bytesOf(10, 2))).toBe(true);
    expect((await textOf(restarted.read(kept.id))).equals(bytesOf(10, 1))).toBe(true);
  });

  test('are not orphans while they are written', async () => {
    const { store } = await onDisk();
    let go!: () => void;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      await gate;
      yield Buffer.from('b');
    }
    const writing = store.write(slow());
    await new Promise((resolve) => setTimeout(resolve, 20));
    await store.clearOut();
    go();
    const { id } = await writing;
    await store.clearOut();
    expect((await textOf(store.read(id))).toString()).toBe('ab');
  });

  test('are deleted after their release is on disk', async () => {
    const { store, directory, commits } = await onDisk();
    const { id } = await store.write(bytesOf(10));
    commits.hold();
    store.release(id);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await filesIn(directory)).toEqual([id]);
    commits.release();
    await settled(async () => (await filesIn(directory)).length === 0);
  });

  test('stay if they are written again before their removal', async () => {
    const { store, directory, commits } = await onDisk();
    const { id } = await store.write(bytesOf(10));
    commits.hold();
    store.release(id);
    await store.write(bytesOf(10));
    commits.release();
    await store.clearOut();
    expect(await filesIn(directory)).toEqual([id]);
    expect((await textOf(store.read(id))).length).toBe(10);
  });

  test('are deleted after the last reader has ended or disconnected', async () => {
    const { store, directory } = await onDisk();
    for (const ends of [
      async (reader: AsyncIterator<Uint8Array>) => reader.return!(),
      async (reader: AsyncIterator<Uint8Array>) => {
        await reader.next();
        await reader.return!();
      },
      async (reader: AsyncIterator<Uint8Array>) => {
        while (!(await reader.next()).done);
      },
    ]) {
      const { id } = await store.write(bytesOf(100_000));
      const reader = store.read(id)[Symbol.asyncIterator]();
      store.release(id);
      await store.clearOut();
      expect(await filesIn(directory)).toEqual([id]);
      await ends(reader);
      await settled(async () => (await filesIn(directory)).length === 0);
    }
  });

  test.each(['open', 'write', 'sync', 'rename', 'makeDirectory'] as const)(
    'leave no file after a failure in %s',
    async (failing) => {
      const { store, directory, fs } = await onDisk({ sync: true });
      fs.fault = (call) => (call === failing ? noSpace() : undefined);
      await expect(store.write(pieces(bytesOf(5000)))).rejects.toThrow('ENOSPC');
      expect(await filesIn(directory)).toEqual([]);
      fs.fault = () => undefined;
      const { id } = await store.write(pieces(bytesOf(5000)));
      expect((await textOf(store.read(id))).length).toBe(5000);
    },
  );

  test('are complete after short writes', async () => {
    const { store, fs } = await onDisk();
    fs.fault = (call) => (call === 'write' ? 100 : undefined);
    const { id } = await store.write(pieces(bytesOf(5000)));
    expect((await textOf(store.read(id))).equals(bytesOf(5000))).toBe(true);
  });

  test('that cannot be removed cause no error', async () => {
    const { store, fs } = await onDisk();
    const { id } = await store.write(bytesOf(10));
    fs.fault = (call) => (call === 'remove' ? ioError() : undefined);
    store.release(id);
    await new Promise((resolve) => setTimeout(resolve, 20));
    fs.fault = () => undefined;
    await store.write(bytesOf(10));
    expect((await textOf(store.read(id))).length).toBe(10);
  });

  test('that were truncated on disk fail instead of ending early', async () => {
    const { store, directory } = await onDisk();
    const { id } = await store.write(bytesOf(1000));
    await writeFile(join(directory, id.slice(0, 2), id), 'short');
    await expect(textOf(store.read(id, { start: 0, end: 1000 }))).rejects.toThrow('does not hold what was written');
  });

  test('are compared with their names when they are read or checked, once for each file', async () => {
    const { store, directory, reopen } = await onDisk();
    const { id } = await store.write(bytesOf(300_000));
    const path = join(directory, id.slice(0, 2), id);
    const restarted = reopen();
    restarted.retain(id);
    await restarted.check(id);
    await store.check(id);
    const damaged = bytesOf(300_000);
    damaged[200_000]! ^= 1;
    await writeFile(path, damaged);
    for (const bodies of [store, restarted]) {
      await expect(bodies.check(id)).rejects.toThrow(`${path} does not hold what was written`);
      const part = bodies.read(id, { start: 0, end: 1 });
      await expect(part.ready!()).rejects.toThrow('does not hold what was written');
      await expect(textOf(bodies.read(id))).rejects.toThrow('does not hold what was written');
    }
    await unlink(path);
    await expect(store.check(id)).rejects.toThrow(`${path} is missing`);
    await store.write(bytesOf(300_000));
    for (const bodies of [store, restarted])
      expect((await textOf(bodies.read(id))).equals(bytesOf(300_000))).toBe(true);
  });
});

describe('the cache', () => {
  const opensOf = (fs: FaultyFileSystem, id: string): number => fs.calls.filter((call) => call === `open ${id}`).length;

  test('contains written and read bodies up to half of its size', async () => {
    const { store, fs, reopen } = await onDisk({ cacheSize: 10_000 });
    const small = await store.write(bytesOf(5000));
    const large = await store.write(bytesOf(5001));
    for (const { id } of [small, small, large, large]) await textOf(store.read(id));
    expect(opensOf(fs, small.id)).toBe(0);
    expect(opensOf(fs, large.id)).toBe(2);
    const restarted = reopen();
    restarted.retain(small.id);
    for (let time = 0; time < 3; time++) await textOf(restarted.read(small.id));
    expect(opensOf(fs, small.id)).toBe(1);
    expect(await textOf(restarted.read(small.id, { start: 10, end: 20 }))).toEqual(bytesOf(5000).subarray(10, 20));
    expect(opensOf(fs, small.id)).toBe(1);
  });

  test('drops released bodies', async () => {
    const { store } = await onDisk({ cacheSize: 10_000 });
    const { id } = await store.write(bytesOf(10));
    store.release(id);
    expect(() => store.read(id)).toThrow('unknown body');
  });

  test('evicts the least recently used body', () => {
    const cache = new BodyCache(100);
    const keep = (id: string, size: number): void => {
      const gathering = cache.gather();
      gathering.add(Buffer.alloc(size));
      gathering.keep(id);
    };
    for (const id of ['a', 'b', 'c', 'd']) keep(id, 25);
    expect(cache.get('a')).toHaveLength(25);
    keep('e', 25);
    expect(['a', 'b', 'c', 'd', 'e'].filter((id) => cache.get(id))).toEqual(['a', 'c', 'd', 'e']);
    keep('f', 50);
    expect(['a', 'b', 'c', 'd', 'e', 'f'].filter((id) => cache.get(id))).toEqual(['d', 'e', 'f']);
    keep('g', 51);
    expect(cache.get('g')).toBeUndefined();
    cache.delete('f');
    keep('h', 50);
    expect(['d', 'e', 'h'].filter((id) => cache.get(id))).toEqual(['d', 'e', 'h']);
  });

  test('collects at most the limit of one body at once', () => {
    const cache = new BodyCache(100);
    const first = cache.gather();
    const second = cache.gather();
    first.add(Buffer.alloc(30));
    second.add(Buffer.alloc(30));
    first.keep('first');
    second.keep('second');
    expect(cache.get('first')).toHaveLength(30);
    expect(cache.get('second')).toBeUndefined();
    const third = cache.gather();
    third.add(Buffer.alloc(50));
    third.keep('third');
    expect(cache.get('third')).toHaveLength(50);
  });
});

describe('large bodies of memory mode', () => {
  const limits = { always: 1000, largest: 10_000, room: 15_000 };
  const spooled = async ({ temporary }: { temporary: string }): Promise<number> =>
    (await filesIn(temporary)).filter((name) => name !== 'owner.json').length;

  test('are in memory within the limits, else spooled', async () => {
    const store = await inMemory({ memory: limits });
    const first = await store.write(pieces(bytesOf(10_000)));
    expect(await spooled(store)).toBe(0);
    const second = await store.write(pieces(bytesOf(5001, 2), 900));
    expect(await spooled(store)).toBe(1);
    const third = await store.write(pieces(bytesOf(5000, 3)));
    expect(await spooled(store)).toBe(1);
    for (const [{ id }, body] of [
      [first, bytesOf(10_000)],
      [second, bytesOf(5001, 2)],
      [third, bytesOf(5000, 3)],
    ] as const)
      expect((await textOf(store.read(id))).equals(body)).toBe(true);
    store.release(first.id);
    await store.write(pieces(bytesOf(10_000)));
    expect(await spooled(store)).toBe(1);
  });

  test('are spooled if each is too large, or a part', async () => {
    const store = await inMemory({ memory: limits });
    const seen: Uint8Array[] = [];
    const { id } = await store.write(pieces(bytesOf(10_001)), (chunk) => seen.push(chunk));
    expect(Buffer.concat(seen).equals(bytesOf(10_001))).toBe(true);
    expect((await textOf(store.read(id))).equals(bytesOf(10_001))).toBe(true);
    await store.write(pieces(bytesOf(1001)), undefined, { part: true });
    await store.write(pieces(bytesOf(1000)), undefined, { part: true });
    expect(await spooled(store)).toBe(2);
    await store.write(pieces(bytesOf(1001)), undefined, { size: 10_001 });
    expect(await spooled(store)).toBe(3);
    await store.write(pieces(bytesOf(1001)), undefined, { size: 10_000 });
    expect(await spooled(store)).toBe(3);
  });

  test('free their space after a failure, and after the last reader has ended', async () => {
    const store = await inMemory({ memory: limits });
    const failing = async (source: AsyncIterable<Uint8Array>, observe?: () => void): Promise<void> =>
      expect(store.write(source, observe)).rejects.toThrow('enough');
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces(bytesOf(9000));
      throw new Error('enough');
    }
    let count = 0;
    const refusing = (): void => {
      if (++count === 9) throw new Error('enough');
    };
    for (let time = 0; time < 3; time++) {
      await failing(broken());
      count = 0;
      await failing(pieces(bytesOf(9000)), refusing);
    }
    const { id } = await store.write(pieces(bytesOf(10_000)));
    const readers = [1, 2].map(() => store.read(id)[Symbol.asyncIterator]());
    await readers[0]!.next();
    store.release(id);
    await readers[0]!.return!();
    await store.write(pieces(bytesOf(10_000)));
    expect(await spooled(store)).toBe(1);
    await readers[1]!.return!();
    await store.write(pieces(bytesOf(10_000)));
    expect(await spooled(store)).toBe(1);
  });

  test('are read in one piece, if they were written so or are small, and in pieces if they are in pages', async () => {
    const store = await inMemory({ memory: { always: 1_000_000, largest: 0, room: 0 } });
    const [small, medium] = [bytesOf(100_000), bytesOf(300_000)];
    for (const [source, whole] of [
      [() => pieces(small), true],
      [() => small, true],
      [() => medium, true],
      [() => new WholeBody(medium), true],
      [() => pieces(medium), false],
    ] as const) {
      const { id, size } = await store.write(source());
      const read = store.read(id, { start: 1, end: size - 1 });
      expect(read instanceof WholeBody).toBe(whole);
      store.release(id);
      expect((await textOf(read)).equals(bytesOf(size).subarray(1, -1))).toBe(true);
    }
  });

  test('need no more memory than their bytes, as tiny chunks or parts of large buffers', () => {
    const body = new PiecedBody();
    const memory = Buffer.alloc(10 * 2 ** 20, 'x');
    for (let index = 0; index < 3 * 65_536; index++) body.add(memory.subarray(index, index + 1));
    expect(body.pieces().map(({ length }) => length)).toEqual([65_536, 65_536, 65_536]);
    const large = new PiecedBody();
    large.add(memory.subarray(0, 40_000));
    large.add(memory);
    expect(large.pieces().map(({ length }) => length)).toEqual([65_536, ...Array(9).fill(2 ** 20), 2 ** 20 - 25_536]);
    expect(large.pieces().every(({ buffer }) => buffer !== memory.buffer)).toBe(true);
    expect(large.size).toBe(40_000 + memory.length);
    const asItCame = Buffer.allocUnsafeSlow(65_536);
    const socket = new PiecedBody();
    socket.add(Buffer.from('head'));
    socket.add(asItCame);
    expect(socket.pieces().map(({ length }) => length)).toEqual([4, 65_536]);
    expect(socket.pieces()[1]).toBe(asItCame);
    const known = new PiecedBody(150_000);
    known.add(asItCame);
    known.add(memory.subarray(0, 150_000 - asItCame.length));
    expect(known.pieces().map(({ length, buffer }) => [length, buffer.byteLength])).toEqual([[150_000, 150_000]]);
  });
});

describe('the spool of memory mode', () => {
  const spools = async (temporary: string): Promise<string[]> =>
    (await readdir(temporary)).filter((name) => name.startsWith('emu-bodies-'));
  const lines: string[] = [];
  const talking = createLogger({ level: 'debug', format: 'text', write: (line) => void lines.push(line) });
  afterEach(() => {
    lines.length = 0;
  });

  test('is created for the first large body, logged and removed at the end', async () => {
    const temporary = await temporaryDirectory();
    const stores = createBodyStores({
      log: talking,
      memory: { always: 100, largest: 0, room: 0 },
      temporaryDirectory: temporary,
    });
    const store = stores.open('things');
    await store.write(bytesOf(100));
    expect(await spools(temporary)).toEqual([]);
    await Promise.all([store.write(bytesOf(101)), stores.open('others').write(bytesOf(102))]);
    const [name, ...others] = await spools(temporary);
    expect(others).toEqual([]);
    expect(lines.join()).toContain(join(temporary, name!));
    await stores.close();
    expect(await spools(temporary)).toEqual([]);
  });

  test('is removed for a dead process, and kept for a running or unknown one', async () => {
    const temporary = await temporaryDirectory();
    const leave = async (name: string, owner: string): Promise<void> => {
      await mkdir(join(temporary, name));
      await writeFile(join(temporary, name, 'owner.json'), owner);
    };
    const own = ownIdentity();
    await leave('emu-bodies-killed', JSON.stringify({ ...own, realm: `${own.realm.split(' ')[0]} earlier` }));
    await leave('emu-bodies-running', JSON.stringify(own));
    await leave('emu-bodies-elsewhere', JSON.stringify({ ...own, realm: 'elsewhere' }));
    await leave('emu-bodies-unclear', 'x');
    await leave('other', JSON.stringify({ ...own, realm: `${own.realm.split(' ')[0]} earlier` }));
    const store = await inMemory({ log: talking, temporaryDirectory: temporary });
    await store.write(bytesOf(10_000));
    const names = await readdir(temporary);
    for (const name of ['emu-bodies-running', 'emu-bodies-elsewhere', 'emu-bodies-unclear', 'other'])
      expect(names).toContain(name);
    expect(names).not.toContain('emu-bodies-killed');
  });

  test('drops a released body', async () => {
    const store = await inMemory();
    const { id } = await store.write(bytesOf(10_000));
    expect(await filesIn(store.temporary)).toContain(id);
    store.release(id);
    await settled(async () => !(await filesIn(store.temporary)).includes(id));
  });

  test('fails the write if it cannot be created, and the next write retries', async () => {
    const temporary = join(await temporaryDirectory(), 'not', 'there');
    const store = await inMemory({ temporaryDirectory: temporary });
    await expect(store.write(bytesOf(10_000))).rejects.toThrow('ENOENT');
    await mkdir(temporary, { recursive: true });
    const { id } = await store.write(bytesOf(10_000));
    expect((await textOf(store.read(id))).length).toBe(10_000);
  });
});
