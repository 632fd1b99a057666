import { expect, test } from 'vitest';
import { createIds } from '../src/index.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test.each([
  ['chance', undefined],
  ['a seed', 'seed'],
])('ids from %s have the right format', (_, seed) => {
  const ids = createIds(seed);
  expect(ids.uuid()).toMatch(UUID);
  expect(ids.uuid()).not.toBe(ids.uuid());
  expect(ids.bytes(100)).toHaveLength(100);
  expect(ids.hex(17)).toMatch(/^[0-9a-f]{17}$/);
  expect(ids.chars(21)).toMatch(/^[A-Z2-7]{21}$/);
  expect(ids.chars(50, 'ab')).toMatch(/^[ab]{50}$/);
  for (let count = 0; count < 100; count++) {
    const number = ids.random();
    expect(number).toBeGreaterThanOrEqual(0);
    expect(number).toBeLessThan(1);
  }
});

test('ids of a seed are reproducible', () => {
  const take = (seed: string): unknown[] => {
    const ids = createIds(seed);
    return [ids.uuid(), ids.hex(20), ids.chars(20), ids.bytes(70).toString('hex'), ids.random()];
  };
  expect(take('one')).toEqual(take('one'));
  expect(take('one')).not.toEqual(take('two'));
});
