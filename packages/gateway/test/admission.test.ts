import { expect, it } from 'vitest';
import { Admission } from '../src/http/admission.ts';

const COUNT = 3000;

it('starts requests in order, as many in a turn as its time allows', async () => {
  const admission = new Admission();
  const begun: number[] = [];
  const work = (index: number) => (): void => {
    const end = performance.now() + 0.02;
    while (performance.now() < end);
    begun.push(index);
    // New requests wait behind those in the queue.
    if (index === 1) admission.admit(work(COUNT));
  };
  for (let index = 0; index < COUNT; index++) admission.admit(work(index));
  const atOnce = begun.length;
  expect(atOnce).toBeGreaterThan(0);
  expect(atOnce).toBeLessThan(COUNT);
  let turns = 0;
  for (; begun.length <= COUNT; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(turns).toBeGreaterThan(3);
  const waited = begun.filter((index) => index < COUNT);
  expect(waited).toEqual(Array.from({ length: COUNT }, (_, index) => index));
});

it('counts later ticks and microtasks of requests towards the time of the turn', async () => {
  const admission = new Admission();
  let done = 0;
  const work = (): void => {
    process.nextTick(() =>
      Promise.resolve().then(() => {
        const end = performance.now() + 1;
        while (performance.now() < end);
        done++;
      }),
    );
  };
  // No more requests start in this turn.
  admission.admit(() => {
    const end = performance.now() + 6;
    while (performance.now() < end);
  });
  for (let index = 0; index < 100; index++) admission.admit(work);
  const perTurn: number[] = [];
  while (done < 100) {
    const before = done;
    await new Promise((resolve) => setImmediate(resolve));
    perTurn.push(done - before);
  }
  expect(Math.max(...perTurn)).toBeLessThan(20);
});

it('starts a single request at once', async () => {
  const admission = new Admission();
  for (let turn = 0; turn < 3; turn++) {
    let begun = false;
    admission.admit(() => {
      begun = true;
    });
    expect(begun).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
  }
});

it('delays requests while connections arrive, for a limited time', async () => {
  const admission = new Admission();
  const pass = () => new Promise((resolve) => setImmediate(resolve));
  let begun = 0;
  const request = (): void => {
    begun++;
  };
  // The first one starts, because no connection was accepted for a while.
  admission.connected();
  admission.admit(request);
  expect(begun).toBe(1);
  await pass();
  admission.connected();
  admission.admit(request);
  expect(begun).toBe(1);
  let turns = 0;
  for (; begun < 2; turns++) {
    admission.connected();
    await pass();
  }
  expect(turns).toBeGreaterThan(1);
  await pass();
  // A turn without a connection has time at once.
  admission.admit(request);
  expect(begun).toBe(3);
});
