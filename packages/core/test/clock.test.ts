import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EmulatorClock } from '../src/index.ts';

const START = Date.UTC(2026, 0, 1);
const errors: unknown[] = [];
let clock: EmulatorClock;

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  errors.length = 0;
  clock = new EmulatorClock((error) => errors.push(error));
});
afterEach(() => {
  clock.close();
  vi.useRealTimers();
});

describe('a running clock', () => {
  test('follows the machine and runs timers when they are due, once', () => {
    const runs: number[] = [];
    clock.after(100, () => void runs.push(clock.now()));
    clock.at(START + 50, () => void runs.push(clock.now()));
    vi.advanceTimersByTime(49);
    expect(runs).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(runs).toEqual([START + 50]);
    vi.advanceTimersByTime(1000);
    expect(runs).toEqual([START + 50, START + 100]);
  });

  test('lets other work run while very many timers are due together', async () => {
    const COUNT = 40;
    let runs = 0;
    const work = (): void => {
      const end = performance.now() + 0.5;
      while (performance.now() < end);
      runs++;
    };
    for (let index = 0; index < COUNT; index++) clock.after(10, work);
    vi.advanceTimersByTime(10);
    expect(runs).toBeLessThan(COUNT);
    let turns = 0;
    for (; runs < COUNT; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toBeGreaterThan(3);
  });

  test('runs an interval repeatedly, first after one interval, until it is cancelled', () => {
    let runs = 0;
    const timer = clock.every(10, () => {
      if (++runs === 3) timer.cancel();
    });
    vi.advanceTimersByTime(9);
    expect(runs).toBe(0);
    vi.advanceTimersByTime(100);
    expect(runs).toBe(3);
  });

  test('runs an interval once after the machine slept', () => {
    let runs = 0;
    clock.every(10, () => void runs++);
    vi.setSystemTime(START + 1000);
    vi.advanceTimersByTime(10);
    expect(runs).toBe(1);
    vi.advanceTimersByTime(10);
    expect(runs).toBe(2);
  });

  test('waits longer than setTimeout can', () => {
    const year = 365 * 86_400_000;
    let ran = false;
    clock.after(year, () => {
      ran = true;
    });
    vi.advanceTimersByTime(year - 1);
    expect(ran).toBe(false);
    vi.advanceTimersByTime(1);
    expect(ran).toBe(true);
  });

  test('a timer that always schedules itself for the current time does not block other work', () => {
    let loops = 0;
    const again = (): void => {
      loops++;
      clock.after(0, again);
    };
    clock.after(0, again);
    vi.advanceTimersToNextTimer();
    vi.advanceTimersToNextTimer();
    expect(loops).toBe(2);
  });

  test('reports errors of callbacks and continues', async () => {
    const runs: string[] = [];
    clock.after(1, () => {
      throw new Error('sync');
    });
    clock.after(1, async () => {
      throw new Error('async');
    });
    clock.after(1, () => void runs.push('after'));
    vi.advanceTimersByTime(1);
    await Promise.resolve();
    expect(errors.map(String)).toEqual(['Error: sync', 'Error: async']);
    expect(runs).toEqual(['after']);
  });

  test('a cancelled timer does not run, even if one due at the same time cancels it', () => {
    const runs: string[] = [];
    clock.after(1, () => {
      runs.push('first');
      second.cancel();
    });
    const second = clock.after(1, () => void runs.push('second'));
    clock.after(1, () => void runs.push('never')).cancel();
    vi.advanceTimersByTime(10);
    expect(runs).toEqual(['first']);
  });

  test('many cancelled timers do not stay in memory or affect others', async () => {
    const runs: number[] = [];
    for (let index = 0; index < 5000; index++) {
      const timer = clock.after(1000 - (index % 1000), () => void runs.push(index));
      if (index % 100) timer.cancel();
    }
    vi.advanceTimersByTime(1000);
    // On a slow machine they need several turns.
    while (runs.length < 50) await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toHaveLength(50);
    expect(runs[0]).toBe(900);
  });

  test('rejects invalid intervals and times', () => {
    expect(() => clock.every(0, () => undefined)).toThrow(RangeError);
    expect(() => clock.every(Number.NaN, () => undefined)).toThrow(RangeError);
    expect(() => clock.after(Number.NaN, () => undefined)).toThrow(RangeError);
    expect(() => clock.at(Number.NaN, () => undefined)).toThrow(RangeError);
  });
});

describe('freezing', () => {
  test('stops time and timers until it resumes from the same moment', () => {
    let ran = false;
    clock.after(100, () => {
      ran = true;
    });
    clock.freeze();
    vi.advanceTimersByTime(1000);
    expect(clock.state()).toEqual({ now: START, frozen: true, offset: 0 });
    expect(ran).toBe(false);
    clock.resume();
    expect(clock.state()).toEqual({ now: START, frozen: false, offset: -1000 });
    vi.advanceTimersByTime(100);
    expect(ran).toBe(true);
  });

  test.each(['reset', 'set'] as const)('intervals continue from the earlier time after a %s', async (way) => {
    let runs = 0;
    clock.every(1000, () => void runs++);
    await clock.advance(3_600_500);
    runs = 0;
    if (way === 'reset') clock.reset();
    else await clock.set(START);
    await vi.advanceTimersByTimeAsync(3000);
    expect(runs).toBe(3);
  });

  test('returns the emulated time at earlier moments', async () => {
    expect(clock.emulatedAt(START - 5)).toBe(START - 5);
    vi.advanceTimersByTime(100);
    await clock.advance(1000);
    vi.advanceTimersByTime(100);
    clock.freeze();
    vi.advanceTimersByTime(100);
    expect([50, 150, 250].map((passed) => clock.emulatedAt(START + passed) - START)).toEqual([50, 1150, 1200]);
  });

  test('a reset returns to the machine’s time', () => {
    clock.freeze();
    vi.advanceTimersByTime(500);
    clock.reset();
    expect(clock.state()).toEqual({ now: START + 500, frozen: false, offset: 0 });
  });
});

describe('advancing', () => {
  test('lets other work run, so that a move of years can be abandoned', async () => {
    let runs = 0;
    clock.every(1, () => {
      runs++;
    });
    const move = clock.advance(10 * 365 * 86_400_000);
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toBeGreaterThan(0);
    clock.reset();
    await move;
    expect(clock.state()).toEqual({ now: START, frozen: false, offset: 0 });
  });

  test('runs due timers in order, each at its own time', async () => {
    clock.freeze();
    const runs: [string, number][] = [];
    const note = (name: string) => (): void => void runs.push([name, clock.now() - START]);
    clock.after(30, note('c'));
    clock.after(10, note('a'));
    clock.after(10, note('b'));
    clock.every(20, note('every'));
    clock.after(41, note('later'));
    await clock.advance(40);
    expect(runs).toEqual([
      ['a', 10],
      ['b', 10],
      ['every', 20],
      ['c', 30],
      ['every', 40],
    ]);
    expect(clock.now()).toBe(START + 40);
    await clock.advance(1);
    expect(runs.at(-1)).toEqual(['later', 41]);
  });

  test('runs timers scheduled meanwhile, if they become due meanwhile', async () => {
    clock.freeze();
    const runs: number[] = [];
    clock.after(10, () => {
      clock.after(5, () => void runs.push(clock.now() - START));
      clock.after(50, () => void runs.push(clock.now() - START));
    });
    await clock.advance(20);
    expect(runs).toEqual([15]);
  });

  test('waits for callbacks', async () => {
    clock.freeze();
    const done: string[] = [];
    clock.after(1, async () => {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      done.push(`slow at ${clock.now() - START}`);
    });
    clock.after(2, () => void done.push(`fast at ${clock.now() - START}`));
    await clock.advance(5);
    expect(done).toEqual(['slow at 1', 'fast at 2']);
  });

  test('a running clock continues from the new time', async () => {
    await clock.advance(3_600_000);
    vi.advanceTimersByTime(10);
    expect(clock.state()).toEqual({ now: START + 3_600_010, frozen: false, offset: 3_600_000 });
    let ran = false;
    clock.after(10, () => {
      ran = true;
    });
    vi.advanceTimersByTime(10);
    expect(ran).toBe(true);
  });

  test('two concurrent moves add up', async () => {
    clock.freeze();
    await Promise.all([clock.advance(10), clock.advance(20)]);
    expect(clock.now()).toBe(START + 30);
  });

  test('a callback may freeze, resume and reset the clock', async () => {
    clock.after(10, () => clock.freeze());
    await clock.advance(20);
    expect(clock.state()).toMatchObject({ now: START + 20, frozen: true });
    clock.after(10, () => clock.resume());
    await clock.advance(20);
    expect(clock.state()).toMatchObject({ now: START + 40, frozen: false });
    clock.after(10, () => clock.reset());
    await clock.advance(20);
    expect(clock.state()).toEqual({ now: START, frozen: false, offset: 0 });
  });

  test('does not hang if a callback waits for another timer', async () => {
    clock.freeze();
    const done: string[] = [];
    const wait = (duration: number): Promise<void> => new Promise((resolve) => void clock.after(duration, resolve));
    clock.after(10, async () => {
      await wait(10);
      done.push('within');
      await wait(100);
      done.push('beyond');
    });
    const advanced = clock.advance(50);
    await vi.advanceTimersByTimeAsync(2000);
    await advanced;
    expect(done).toEqual(['within']);
    expect(clock.now()).toBe(START + 50);
  });

  test('continues after a failed callback', async () => {
    clock.freeze();
    const runs: string[] = [];
    clock.after(1, () => Promise.reject(new Error('broken')));
    clock.after(2, () => void runs.push('next'));
    await clock.advance(3);
    expect(errors.map(String)).toEqual(['Error: broken']);
    expect(runs).toEqual(['next']);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('rejects %d', async (duration) => {
    await expect(clock.advance(duration)).rejects.toThrow(RangeError);
    await clock.advance(1);
    expect(clock.now()).toBe(START + 1);
  });
});

describe('setting', () => {
  test('forwards runs due timers, backwards runs none', async () => {
    clock.freeze();
    const runs: number[] = [];
    clock.after(100, () => void runs.push(clock.now() - START));
    await clock.set(START + 1000);
    expect(runs).toEqual([100]);
    clock.after(100, () => void runs.push(clock.now() - START));
    await clock.set(START - 1000);
    expect(clock.state()).toMatchObject({ now: START - 1000, frozen: true });
    expect(runs).toEqual([100]);
    await clock.set(START + 1100);
    expect(runs).toEqual([100, 1100]);
  });

  test('moves a running clock backwards', async () => {
    await clock.set(START - 1000);
    vi.advanceTimersByTime(1);
    expect(clock.state()).toEqual({ now: START - 999, frozen: false, offset: -1000 });
  });

  test('rejects an invalid time', async () => {
    await expect(clock.set(Number.NaN)).rejects.toThrow(RangeError);
    await expect(clock.set(1e300)).rejects.toThrow(RangeError);
    expect(clock.now()).toBe(START);
  });
});

test('a closed clock runs no timers', () => {
  let ran = false;
  clock.after(1, () => {
    ran = true;
  });
  clock.close();
  clock.after(1, () => {
    ran = true;
  });
  vi.advanceTimersByTime(10);
  expect(ran).toBe(false);
});
