import { describe, expect, test } from 'vitest';
import { FifoOrder } from '../src/ordering/fifo.ts';
import { IndexedHeap } from '../src/ordering/indexed-heap.ts';
import { QueuedMessage } from '../src/ordering/queued-message.ts';
import { StandardOrder } from '../src/ordering/standard.ts';

/** Reproducible numbers from 0 to `limit`, exclusive. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const message = (order: number, groupId?: string) =>
  new QueuedMessage(
    String(order),
    { queue: 'q', id: '', body: '', md5: '', senderId: '', sentAt: 0, ...(groupId !== undefined && { groupId }) },
    undefined,
    order,
  );

test('a heap returns the smallest key after any additions and removals', () => {
  const next = random(1);
  const heap = new IndexedHeap<'place', { place: number; key: number }>('place');
  const model: { place: number; key: number }[] = [];
  for (let step = 0; step < 20_000; step++) {
    const choice = next(3);
    if (choice === 0 || !model.length) {
      const item = { place: -1, key: next(1000) };
      heap.push(item, item.key);
      model.push(item);
    } else if (choice === 1) {
      const [item] = model.splice(next(model.length), 1);
      heap.remove(item!);
      expect(item!.place).toBe(-1);
    } else {
      const smallest = Math.min(...model.map(({ key }) => key));
      expect(heap.firstKey).toBe(smallest);
      const item = heap.shift()!;
      expect(item.key).toBe(smallest);
      model.splice(model.indexOf(item), 1);
    }
    expect(heap.size).toBe(model.length);
  }
  expect([...heap.values()].every((item) => model.includes(item))).toBe(true);
});

describe('delivery orders compared to a searching model', () => {
  test('standard: always the ready messages of lowest order', () => {
    const next = random(2);
    const order = new StandardOrder();
    const ready = new Set<QueuedMessage>();
    const taken: QueuedMessage[] = [];
    for (let step = 1; step < 5000; step++) {
      const choice = next(4);
      if (choice === 0) {
        const entering = message(step);
        order.enter(entering);
        ready.add(entering);
      } else if (choice === 1) {
        const limit = 1 + next(3);
        const expected = [...ready].sort((a, b) => a.order - b.order).slice(0, limit);
        const got = order.take(limit);
        expect(got).toEqual(expected);
        for (const one of got) ready.delete(one);
        taken.push(...got);
      } else if (choice === 2 && taken.length) {
        const [back] = taken.splice(next(taken.length), 1);
        order.giveBack(back!);
        ready.add(back!);
      } else if (choice === 3 && ready.size) {
        const leaving = [...ready][next(ready.size)]!;
        order.leave(leaving);
        ready.delete(leaving);
      }
      expect(order.available).toBe(ready.size > 0);
    }
  });

  test('FIFO: no message before an earlier one of its group that is in flight or waiting', () => {
    const next = random(3);
    const order = new FifoOrder();
    const waiting = new Set<QueuedMessage>();
    const inFlight: QueuedMessage[] = [];
    const groupOf = ({ message: { groupId } }: QueuedMessage) => groupId;
    const free = (candidate: QueuedMessage) =>
      ![...waiting, ...inFlight].some(
        (other) => groupOf(other) === groupOf(candidate) && other.order < candidate.order,
      );
    for (let step = 1; step < 5000; step++) {
      const choice = next(4);
      if (choice === 0) {
        const entering = message(step, `g${next(4)}`);
        order.enter(entering);
        waiting.add(entering);
      } else if (choice === 1) {
        const available = [...waiting].some(free);
        expect(order.available).toBe(available);
        const before = [...inFlight];
        const got = order.take(1 + next(5));
        expect(got.length > 0).toBe(available);
        for (const one of got) {
          // Messages taken together may be consecutive; earlier in-flight ones lock.
          expect(before.some((other) => groupOf(other) === groupOf(one) && other.order < one.order)).toBe(false);
          waiting.delete(one);
          expect([...waiting].some((other) => groupOf(other) === groupOf(one) && other.order < one.order)).toBe(false);
          inFlight.push(one);
        }
      } else if (choice === 2 && inFlight.length) {
        const [back] = inFlight.splice(next(inFlight.length), 1);
        order.giveBack(back!);
        waiting.add(back!);
      } else if (choice === 3 && inFlight.length) {
        const [leaving] = inFlight.splice(next(inFlight.length), 1);
        order.leave(leaving!);
      }
    }
  });
});
