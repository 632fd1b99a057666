import { expect, it } from 'vitest';
import { DueKeys } from '../src/buckets/due-keys.ts';
import { ObjectIndex, type ObjectVersion } from '../src/listing/object-index.ts';

const version = (key: string, sequence: number) => ({ key, sequence }) as ObjectVersion;

it('an evaluation visits all keys once, then changed and due ones', () => {
  const objects = new ObjectIndex();
  const all = Array.from({ length: 1000 }, (_, index) => `key-${String(index).padStart(4, '0')}`);
  for (const [index, key] of all.entries()) objects.add(version(key, index));
  const due = new DueKeys([], objects);
  const taken: string[] = [];
  for (const key of due.take(0)) {
    taken.push(key);
    due.set(key, key === 'key-0007' ? 20 : 10);
    // Keys may be added and removed during iteration.
    if (key === 'key-0100') objects.remove(version('key-0100', 100));
    if (key === 'key-0500') objects.add(version('key-0200-b', 2000));
  }
  expect(taken).toEqual(all);
  expect([...due.take(5)]).toEqual(['key-0100', 'key-0200-b']);
  expect([...due.take(6)]).toEqual([]);
  due.set('key-0001', Number.POSITIVE_INFINITY);
  due.set('key-0002', 30);
  const second = [...due.take(10)];
  expect(second).toHaveLength(997);
  expect(second).not.toContain('key-0001');
  expect([...due.take(20)]).toEqual(['key-0007']);
  expect([...due.take(30)]).toEqual(['key-0002']);
});
