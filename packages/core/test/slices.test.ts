import { expect, it } from 'vitest';
import { Slices } from '../src/service.ts';

it('slices let other work run during long work, and never pause short work', async () => {
  expect(new Slices().pause()).toBeUndefined();
  let turns = 0;
  let ended = false;
  const others = (async () => {
    for (; !ended; turns++) await new Promise((resolve) => setImmediate(resolve));
  })();
  const slices = new Slices();
  let pauses = 0;
  while (pauses < 3) {
    const pause = slices.pause();
    if (!pause) continue;
    await pause;
    pauses++;
    expect(turns).toBeGreaterThanOrEqual(pauses);
  }
  ended = true;
  await others;
});

it('slices return the result of work in steps', async () => {
  function* count(): Generator<undefined, number, undefined> {
    for (let steps = 0; ; steps++) {
      if (steps === 3) return steps;
      yield;
    }
  }
  expect(await new Slices().run(count())).toBe(3);
});
