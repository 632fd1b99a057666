import { expect, it } from 'vitest';
import { fuzz } from './fuzz/fuzz.ts';

const REQUESTS = 1000;

it('answers broken requests of every operation as AWS answers errors', { timeout: 120_000 }, async () => {
  const { requests, statuses, problems } = await fuzz(20_240_601, (sent) => sent >= REQUESTS);
  expect(problems).toEqual([]);
  expect(requests).toBe(REQUESTS);
  expect(statuses[200]).toBeGreaterThan(0);
  expect(statuses[400]).toBeGreaterThan(REQUESTS / 2);
});
