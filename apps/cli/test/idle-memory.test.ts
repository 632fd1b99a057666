import { expect, test } from 'vitest';
import { IdleMemory } from '../src/idle-memory.ts';

const MIB = 2 ** 20;
const [BUSY, IDLE] = [0.5, 0.001];

/** Returns a checker and the number of its releases so far. */
function memoryOf(known: number): { check: (work: number, mebibytes: number) => number } {
  let releases = 0;
  const memory = new IdleMemory(known * MIB, () => releases++);
  return {
    check: (work, mebibytes) => {
      memory.check(work, mebibytes * MIB);
      return releases;
    },
  };
}

test('memory is released once after each period of work', () => {
  const { check } = memoryOf(20);
  expect(check(IDLE, 60)).toBe(0);
  expect(check(BUSY, 100)).toBe(0);
  expect(check(IDLE, 100)).toBe(1);
  expect(check(IDLE, 100)).toBe(1);
  expect(check(BUSY, 150)).toBe(1);
  expect(check(BUSY, 180)).toBe(1);
  expect(check(IDLE, 180)).toBe(2);
});

test('memory is not released after little growth', () => {
  const { check } = memoryOf(20);
  check(BUSY, 25);
  expect(check(IDLE, 25)).toBe(0);
  // Data that remained after the release counts as known.
  check(BUSY, 200);
  expect(check(IDLE, 200)).toBe(1);
  expect(check(IDLE, 190)).toBe(1);
  check(BUSY, 195);
  expect(check(IDLE, 195)).toBe(1);
});
