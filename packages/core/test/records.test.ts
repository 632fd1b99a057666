import { expect, test } from 'vitest';
import { RecordBuffer } from '../src/service.ts';

test('new entries evict the oldest', () => {
  const buffer = new RecordBuffer<number>(3);
  expect(buffer.list()).toEqual([]);
  for (const item of [1, 2]) buffer.add(item);
  expect(buffer.list()).toEqual([1, 2]);
  for (const item of [3, 4, 5, 6, 7]) buffer.add(item);
  expect(buffer.list()).toEqual([5, 6, 7]);
  expect(buffer.size).toBe(3);
});

test('matching entries are dropped, or all', () => {
  const buffer = new RecordBuffer<number>(4);
  for (let item = 1; item <= 6; item++) buffer.add(item);
  buffer.clear((item) => item % 2 === 0);
  expect(buffer.list()).toEqual([3, 5]);
  for (const item of [7, 8, 9]) buffer.add(item);
  expect(buffer.list()).toEqual([5, 7, 8, 9]);
  buffer.clear();
  expect(buffer.list()).toEqual([]);
});

test('a large buffer can be cleared in part', () => {
  const buffer = new RecordBuffer<number>(300_000);
  for (let item = 0; item < 300_000; item++) buffer.add(item);
  buffer.clear((item) => item === 5);
  expect(buffer.size).toBe(299_999);
});

test('heavy entries are evicted by their weight, except the last', () => {
  const buffer = new RecordBuffer<string>(4, { limit: 10, of: (text) => text.length });
  for (const text of ['aaaa', 'bbbb', 'cc']) buffer.add(text);
  expect(buffer.list()).toEqual(['aaaa', 'bbbb', 'cc']);
  buffer.add('ddd');
  expect(buffer.list()).toEqual(['bbbb', 'cc', 'ddd']);
  buffer.add('e'.repeat(50));
  expect(buffer.list()).toEqual(['e'.repeat(50)]);
  buffer.add('f');
  expect(buffer.list()).toEqual(['f']);
  for (const text of ['g', 'h', 'i', 'j']) buffer.add(text);
  expect(buffer.list()).toEqual(['g', 'h', 'i', 'j']);
  buffer.clear((text) => text === 'h');
  buffer.add('kkkkkkkk');
  expect(buffer.list()).toEqual(['i', 'j', 'kkkkkkkk']);
  expect(buffer.size).toBe(3);
});
