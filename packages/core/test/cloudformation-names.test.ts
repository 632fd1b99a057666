import { expect, test } from 'vitest';
import { physicalName } from '../src/cloudformation/names.ts';

const random = 'AbCdEfGhIjKl';

test("names consist of stack, logical id and random characters, cut to the type's limit", () => {
  expect(physicalName({ words: ['shop', 'Orders'], random })).toBe(`shop-Orders-${random}`);
  expect(physicalName({ words: ['shop', 'Orders'], random }, { lower: true })).toBe('shop-orders-abcdefghijkl');
  expect(physicalName({ words: ['shop', 'Orders'], random }, { max: 80 }, '.fifo')).toBe(`shop-Orders-${random}.fifo`);
  const long = physicalName({ words: ['shop', 'L'.repeat(200)], random }, { max: 64 });
  expect(long).toBe(`shop-${'L'.repeat(46)}-${random}`);
  const both = physicalName({ words: ['s'.repeat(100), 'L'.repeat(100)], random }, { max: 64 });
  expect(both).toBe(`${'s'.repeat(25)}-${'L'.repeat(25)}-${random}`);
  expect(physicalName({ words: [], random })).toBe(random);
});
