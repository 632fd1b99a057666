import { expect, it } from 'vitest';
import { Random } from '../../wire/test/fuzz/random.ts';
import { fuzz } from './fuzz/fuzz.ts';

const SEED = 20_240_601;

it(`answers broken requests of every operation as AWS answers errors (seed ${SEED})`, {
  timeout: 300_000,
}, async () => {
  const { requests, operations, mutations, statuses, problems } = await fuzz(new Random(SEED), () => true);
  expect(problems).toEqual([]);
  expect(Object.values(operations.counts).every((count) => count === 2)).toBe(true);
  expect(Object.keys(operations.counts).length * 2).toBe(requests);
  expect(mutations.missing()).toEqual([]);
  expect(statuses[200]).toBeGreaterThan(0);
  expect(statuses[400]).toBeGreaterThan(requests / 3);
});
