import { beforeAll, describe, expect, it } from 'vitest';
import { fuzzDecoding } from './fuzz/decoding.ts';
import { Memory } from './fuzz/memory.ts';
import { Random } from './fuzz/random.ts';
import { SERVICES } from './support/services.ts';

const SEED = 20_240_601;
/** Requests per service. `pnpm fuzz` sends more, limited by time. */
const RUNS = 1500;

const memory = new Memory();
beforeAll(() => memory.warm());

describe.each(SERVICES)('$protocol ($client): broken requests', (service) => {
  it(`give an input or an AWS error (seed ${SEED})`, async () => {
    const { requests, outcomes, mutations, problems } = await fuzzDecoding(service, new Random(SEED), RUNS, 1);
    expect(problems).toEqual([]);
    expect(requests).toBe(RUNS);
    expect(mutations.missing()).toEqual([]);
    expect(outcomes.error).toBeGreaterThan(0);
    expect(outcomes.input).toBeGreaterThan(0);
  });
});

it('leave no used memory', () => {
  expect(memory.leaked()).toBeUndefined();
});
