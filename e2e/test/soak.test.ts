import { soak } from '@emu/bench/soak';
import { expect, test } from 'vitest';

test('many connections and mixed requests lose no data and leave no resources', {
  timeout: 180_000,
}, async () => {
  const { options, samples, requests, problems } = await soak({
    connections: 1000,
    clients: 200,
    seconds: 4,
    every: 1,
  });
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(options.clients * 5);
  expect(samples.length).toBeGreaterThan(0);
  for (const { connections } of samples) expect(connections).toBe(options.connections);
});
