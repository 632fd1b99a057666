import { describe, expect, test } from 'vitest';
import { ServiceStore } from '../src/index.ts';
import { Collection, copyOf, defineCollection } from '../src/service.ts';

describe('a collection', () => {
  test('keeps records in order of insertion', () => {
    const items = new Collection<number>();
    items.put('b', 1);
    items.put('a', 2);
    items.put('b', 3);
    expect([...items.entries()]).toEqual([
      ['b', 3],
      ['a', 2],
    ]);
    expect(items.delete('b')).toBe(true);
    expect(items.delete('b')).toBe(false);
    items.put('b', 4);
    expect([...items.keys()]).toEqual(['a', 'b']);
    expect([...items.values()]).toEqual([2, 4]);
    expect([items.size, items.has('a'), items.get('c')]).toEqual([2, true, undefined]);
    items.clear();
    expect(items.size).toBe(0);
  });

  test('counts by groups as records are added and removed', () => {
    const items = new Collection<{ kind: string; size: number }>();
    items.put('a', { kind: 'x', size: 2 });
    const [number, size] = [
      items.tally(({ kind }) => kind),
      items.tally(
        ({ kind }) => kind,
        (item) => item.size,
      ),
    ];
    const counted = () => ['x', 'y'].map((kind) => [number.of(kind), size.of(kind)]);
    expect(counted()).toEqual([
      [1, 2],
      [0, 0],
    ]);
    items.put('b', { kind: 'y', size: 3 });
    items.update('b', (draft) => {
      draft.size = 5;
    });
    items.restore('c', { kind: 'x', size: 1 });
    expect(counted()).toEqual([
      [2, 3],
      [1, 5],
    ]);
    items.put('a', { kind: 'y', size: 2 });
    items.delete('c');
    items.delete('none');
    items.discard('none');
    expect(counted()).toEqual([
      [0, 0],
      [2, 7],
    ]);
    items.discard('a');
    expect(counted()).toEqual([
      [0, 0],
      [1, 5],
    ]);
    items.clear();
    items.put('d', { kind: 'x', size: 0 });
    expect(counted()).toEqual([
      [1, 0],
      [0, 0],
    ]);
    items.discard();
    expect(counted()).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test('an update changes a copy', () => {
    const items = new Collection<{ tags: string[] }>();
    const before = items.put('a', { tags: ['x'] });
    items.update('a', (draft) => void draft.tags.push('y'));
    expect(before).toEqual({ tags: ['x'] });
    expect(items.get('a')).toEqual({ tags: ['x', 'y'] });
  });

  test('an update that throws changes nothing, and an update of an unknown record throws', () => {
    const items = new Collection<{ count: number }>();
    items.put('a', { count: 1 });
    expect(() =>
      items.update('a', (draft) => {
        draft.count = 2;
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(items.get('a')).toEqual({ count: 1 });
    expect(() => items.update('b', () => undefined)).toThrow('no record b');
  });
});

test('a copy shares nothing with its original', () => {
  const original = { at: new Date(5), bytes: Buffer.from('abc'), list: [{ a: 1 }], none: null, ['__proto__']: 1 };
  const copy = copyOf(original);
  expect(copy.at).toEqual(original.at);
  expect(Object.keys(copy)).toEqual(Object.keys(original));
  copy.bytes[0] = 0;
  copy.list[0]!.a = 2;
  copy.at.setTime(0);
  expect(original.bytes.toString()).toBe('abc');
  expect(original.list).toEqual([{ a: 1 }]);
  expect(original.at.getTime()).toBe(5);
});

describe('a store', () => {
  const queues = defineCollection<{ name: string }>('queues', 'region');
  const users = defineCollection<{ name: string }>('users', 'account');
  const buckets = defineCollection<{ name: string }>('buckets', 'global');
  const make = (): ServiceStore => new ServiceStore('service', [queues, users, buckets]);

  test('keeps a collection for each scope of its definition', () => {
    const store = make();
    expect(store.collection(queues, '1', 'r1')).toBe(store.collection(queues, '1', 'r1'));
    expect(store.collection(queues, '1', 'r1')).not.toBe(store.collection(queues, '1', 'r2'));
    expect(store.collection(queues, '1', 'r1')).not.toBe(store.collection(queues, '2', 'r1'));
    expect(store.collection(users, '1', 'r1')).toBe(store.collection(users, '1', 'r2'));
    expect(store.collection(users, '1', 'r1')).not.toBe(store.collection(users, '2', 'r1'));
    expect(store.collection(buckets, '1', 'r1')).toBe(store.collection(buckets, '2', 'r2'));
  });

  test('rejects collections that the plugin does not declare', () => {
    const other = defineCollection<number>('queues', 'region');
    expect(() => make().collection(other, '1', 'r')).toThrow('not listed');
    const change = { op: 'put', collection: 'gone', accountId: '', region: '', key: 'a', value: 1 } as const;
    expect(() => make().restore(change)).toThrow('no collection gone');
  });

  test('clears one account or all', () => {
    const store = make();
    for (const account of ['1', '2'])
      for (const definition of [queues, users]) store.collection(definition, account, 'r').put('a', { name: 'a' });
    store.collection(buckets, '', '').put('b', { name: 'b' });
    store.clear('1');
    expect(store.scopes()).toEqual([
      { accountId: '2', region: 'r' },
      { accountId: '2', region: '' },
      { accountId: '', region: '' },
    ]);
    store.clear();
    expect(store.scopes()).toEqual([]);
  });

  test('discards cleared collections', () => {
    const store = make();
    const [one, other, all] = [
      store.collection(queues, '1', 'r'),
      store.collection(queues, '2', 'r'),
      store.collection(buckets, '', ''),
    ];
    store.clear('1');
    expect(store.collection(queues, '1', 'r')).not.toBe(one);
    expect(store.collection(queues, '2', 'r')).toBe(other);
    store.clear();
    expect(store.collection(queues, '2', 'r')).not.toBe(other);
    expect(store.collection(buckets, '', '')).toBe(all);
  });
});
