import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createLogger, nodeFileSystem } from '@emu/core';
import type { DataPlace } from '@emu/core/service';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventRange, eventReader } from '../src/store/event-reader.ts';
import { EventStore } from '../src/store/event-store.ts';

const GROUP = '000000000000/us-east-1/group';
const names = (stream: number) => (stream < 10 ? `stream-${stream}` : undefined);

async function textsOf(store: EventStore, range: EventRange = {}): Promise<string[]> {
  const texts: string[] = [];
  for await (const { events } of eventReader(store, GROUP, names).read(range))
    for (const { message } of events) texts.push(message);
  return texts;
}

/** Deterministic pseudo-random numbers. */
function* scattered(count: number): Generator<number> {
  for (let index = 0; index < count; index++) yield (index * 7919) % count;
}

describe('the event store', () => {
  let directory: string;
  let place: DataPlace;
  const segments = async () => (await readdir(directory)).filter((name) => name.startsWith('segment-')).sort();

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'emu-logs-'));
    place = { directory, fileSystem: nodeFileSystem, log: createLogger({ level: 'error', format: 'text' }) };
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const put = (store: EventStore, stream: number, ...events: [number, string][]) =>
    store.append({
      group: GROUP,
      stream,
      events: events.map(([timestamp, message]) => ({ timestamp, message })),
      ingestionTime: 5,
    });

  it('interleaves streams and segments by time, in either direction, from any event', async () => {
    for (const where of [place, undefined]) {
      const store = await EventStore.open(where);
      const size = 3000;
      const filler = 'x'.repeat(20_000);
      // Twenty segments that all span the whole range: more than fit in memory at once.
      const order = [...scattered(size)];
      for (let start = 0; start < size; start += 100)
        await Promise.all(
          order.slice(start, start + 100).map((time) => put(store, time % 3, [time, `${time} ${filler}`])),
        );
      expect(store.segments(GROUP).length).toBeGreaterThan(12);
      const times = (await textsOf(store)).map((text) => Number(text.split(' ')[0]));
      expect(times).toEqual(Array.from({ length: size }, (_, index) => index));
      const back = (await textsOf(store, { descending: true, from: 10, to: 2000 })).map((text) =>
        Number.parseInt(text, 10),
      );
      expect(back).toEqual(Array.from({ length: 1990 }, (_, index) => 1999 - index));
      const reader = eventReader(store, GROUP, names);
      let middle: string | undefined;
      for await (const { events } of reader.read({ from: 1500, to: 1501 })) middle = events[0]?.eventId ?? middle;
      const found = await reader.find(middle!);
      expect(found).toMatchObject({ timestamp: 1500, logStream: 'stream-0', eventId: middle, ingestionTime: 5 });
      expect(await reader.find(middle!.replace(/\d$/, '9'))).toBeUndefined();
      expect((await textsOf(store, { streams: new Set([1]), from: 0, to: 10 })).length).toBe(3);
      await store.close();
    }
  });

  it('discards uncommitted bytes, and refuses to start if committed ones are missing', async () => {
    const store = await EventStore.open(place);
    await put(store, 1, [1, 'one'], [2, 'two']);
    await store.close();
    const [name] = (await segments()) as [string];
    const path = join(directory, name);
    const committed = await readFile(path);
    await writeFile(path, Buffer.concat([committed, Buffer.from('{"t":3,"i":5,"s":1,"m":"half')]));
    await writeFile(join(directory, 'segment-0000000099.jsonl'), 'never committed');
    await writeFile(join(directory, 'manifest.json.tmp'), 'never in place');
    const again = await EventStore.open(place);
    expect(await textsOf(again)).toEqual(['one', 'two']);
    expect(await segments()).toEqual([name]);
    expect(await readdir(directory)).not.toContain('manifest.json.tmp');
    await put(again, 1, [3, 'three']);
    await again.close();
    expect((await readFile(path)).toString()).toBe(
      '{"t":1,"i":5,"s":1,"m":"one"}\n{"t":2,"i":5,"s":1,"m":"two"}\n{"t":3,"i":5,"s":1,"m":"three"}\n',
    );
    await truncate(path, committed.length);
    await expect(EventStore.open(place)).rejects.toThrow(
      `${path} has ${committed.length} bytes of ${committed.length + 32} that were committed`,
    );
    await rm(path);
    await expect(EventStore.open(place)).rejects.toThrow(`${path} is missing`);
  });

  it('moves segments aside that were written before a first manifest, unless a manifest existed', async () => {
    const [name, text] = ['segment-0000000001.jsonl', '{"t":1,"i":5,"s":1,"m":"never acknowledged"}\n'];
    await writeFile(join(directory, name), text);
    const manifest = join(directory, 'manifest.json');
    await expect(EventStore.open({ ...place, expected: true })).rejects.toThrow(`${manifest} is missing`);
    const warn = vi.fn();
    const store = await EventStore.open({ ...place, log: { ...place.log, warn } });
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`${name} of log events`)]]);
    await put(store, 1, [2, 'two']);
    expect(await textsOf(store)).toEqual(['two']);
    await store.close();
    expect(await readFile(join(directory, 'orphans', name), 'utf8')).toBe(text);
  });

  it('deletes expired segments, and keeps the expiry time of partially expired ones', async () => {
    const store = await EventStore.open(place);
    const large = 'x'.repeat(4 * 1024 * 1024);
    await put(store, 1, [1, large]);
    await put(store, 1, [2, 'two'], [10, 'ten']);
    const [first, second] = await segments();
    store.expire(GROUP, 5);
    await store.committed();
    expect(await segments()).toEqual([second]);
    expect(first).toBeDefined();
    await store.close();
    const again = await EventStore.open(place);
    expect(await textsOf(again)).toEqual(['ten']);
    expect(JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'))).toMatchObject({
      groups: { [GROUP]: [{ cutoff: 5, events: 2 }] },
    });
    await again.close();
  });

  it('drops a batch that cannot be written, and continues with the next', async () => {
    let broken = true;
    const fileSystem: typeof nodeFileSystem = {
      ...nodeFileSystem,
      rename: (from, to) => (broken ? Promise.reject(new Error('disk trouble')) : nodeFileSystem.rename(from, to)),
    };
    const store = await EventStore.open({ ...place, fileSystem });
    await expect(put(store, 1, [1, 'lost'])).rejects.toThrow('disk trouble');
    broken = false;
    await put(store, 1, [2, 'kept']);
    expect(await textsOf(store)).toEqual(['kept']);
    await store.close();
    expect(await textsOf(await EventStore.open(place))).toEqual(['kept']);
  });

  /** File system that holds each new manifest until released, and records its calls. */
  function heldManifests() {
    const calls: string[] = [];
    let held: (() => void) | undefined;
    let holding = true;
    const fileSystem: typeof nodeFileSystem = {
      ...nodeFileSystem,
      rename: async (from, to) => {
        if (holding) await new Promise<void>((resolve) => (held = resolve));
        await nodeFileSystem.rename(from, to);
      },
      remove: (path) => {
        calls.push(`remove ${basename(path)}`);
        return nodeFileSystem.remove(path);
      },
      syncDirectory: (path) => {
        calls.push('syncDirectory');
        return nodeFileSystem.syncDirectory(path);
      },
    };
    const pass = async (): Promise<void> => {
      await vi.waitFor(() => expect(held).toBeDefined(), { interval: 1, timeout: 20_000 });
      held!();
      held = undefined;
    };
    const end = async (): Promise<void> => {
      holding = false;
      await pass();
    };
    const arrived = () => vi.waitFor(() => expect(held).toBeDefined(), { interval: 1, timeout: 20_000 });
    return { fileSystem, calls, pass, end, arrived };
  }

  /** Files as a start finds them if the process ends now. */
  async function afterKill(): Promise<string[]> {
    const copy = await mkdtemp(join(tmpdir(), 'emu-logs-'));
    try {
      await cp(directory, copy, { recursive: true });
      const store = await EventStore.open({ ...place, directory: copy });
      const texts = await textsOf(store);
      await store.close();
      return texts;
    } finally {
      await rm(copy, { recursive: true });
    }
  }

  it('removes a segment after a manifest without it, not after a pending one', async () => {
    const first = await EventStore.open(place);
    const large = 'x'.repeat(4 * 1024 * 1024);
    await put(first, 1, [1, large]);
    await first.close();
    const [name] = (await segments()) as [string];
    const { fileSystem, pass, end, arrived } = heldManifests();
    const store = await EventStore.open({ ...place, fileSystem });
    const putting = put(store, 1, [10, 'ten']);
    await arrived();
    store.expire(GROUP, 5);
    await pass();
    await putting;
    await arrived();
    expect(await segments()).toContain(name);
    expect(await afterKill()).toEqual([large, 'ten']);
    await end();
    await store.committed();
    expect(await segments()).not.toContain(name);
    expect(await afterKill()).toEqual(['ten']);
    await store.close();
  });

  it('writes no manifest before the records changed with it', async () => {
    let commit: { resolve: () => void; reject: (error: Error) => void } | undefined;
    let waits = false;
    const recordsCommitted = async (): Promise<void> => {
      if (waits) await new Promise<void>((resolve, reject) => (commit = { resolve, reject }));
    };
    const store = await EventStore.open({ ...place, recordsCommitted });
    await put(store, 1, [1, 'one']);
    waits = true;
    store.dropGroup(GROUP);
    const failing = store.committed();
    await vi.waitFor(() => expect(commit).toBeDefined());
    expect(await afterKill()).toEqual(['one']);
    commit!.reject(new Error('disk trouble'));
    await expect(failing).rejects.toThrow('disk trouble');
    expect(await afterKill()).toEqual(['one']);
    waits = false;
    await store.committed();
    expect(await afterKill()).toEqual([]);
    expect(await segments()).toEqual([]);
    await store.close();
  });

  it('syncs the manifest before it removes other files', async () => {
    const store = await EventStore.open(place);
    await put(store, 1, [1, 'one']);
    await store.close();
    await writeFile(join(directory, 'segment-0000000099.jsonl'), 'of an earlier manifest');
    const { fileSystem, calls } = heldManifests();
    await (await EventStore.open({ ...place, fileSystem })).close();
    expect(calls).toEqual(['syncDirectory', 'remove segment-0000000099.jsonl']);
  });
});
