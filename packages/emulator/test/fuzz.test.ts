import { expect, it } from 'vitest';
import { Random } from '../../wire/test/fuzz/random.ts';
import { fuzz } from './fuzz/fuzz.ts';

const SEED = 20_240_601;

const isPlane = (name: string): boolean => !/^[\w-]+ (?:aws|ec2|rest|rpc)\w+ /.test(name);

it(`answers broken requests of every operation as AWS answers errors (seed ${SEED})`, {
  timeout: 300_000,
}, async () => {
  const { requests, operations, mutations, statuses, problems } = await fuzz(new Random(SEED), () => true);
  expect(problems).toEqual([]);
  const counts = Object.entries(operations.counts);
  expect(counts.filter(([name, count]) => count !== (isPlane(name) ? 40 : 2))).toEqual([]);
  expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(requests);
  expect(Object.keys(operations.counts)).toEqual(
    expect.arrayContaining(['kinesis awsJson1_1 CreateStream ShardCount', 'hosted pages', 'WebSocket', 'queue URL']),
  );
  expect(mutations.missing()).toEqual([]);
  expect(statuses[200]).toBeGreaterThan(0);
  expect(statuses[400]).toBeGreaterThan(requests / 3);
});
