import { describe, expect, it } from 'vitest';
import { EmulatorClock } from '../src/index.ts';
import { DueTimers } from '../src/service.ts';
import { StateClock } from '../src/time/state-clock.ts';

const failing = (error: unknown): void => {
  throw error;
};

async function clocks(): Promise<{ clock: EmulatorClock; own: StateClock; ran: string[] }> {
  const clock = new EmulatorClock(failing);
  clock.freeze();
  return { clock, own: new StateClock(clock), ran: [] };
}

describe('the clock of a state', () => {
  it('runs timers as the clock does', async () => {
    const { clock, own, ran } = await clocks();
    own.after(10, () => void ran.push('after'));
    own.at(own.now() + 20, () => void ran.push('at'));
    const every = own.every(15, () => void ran.push('every'));
    await clock.advance(30);
    expect(ran).toEqual(['after', 'every', 'at', 'every']);
    every.cancel();
    await clock.advance(30);
    expect(ran).toHaveLength(4);
  });

  it('ends every timer with the state, and those set later', async () => {
    const { clock, own, ran } = await clocks();
    own.after(10, () => void ran.push('after'));
    own.every(10, () => void ran.push('every'));
    own.close();
    own.after(5, () => void ran.push('late'));
    await clock.advance(100);
    expect(ran).toEqual([]);
  });
});

describe('timers by key', () => {
  it('have one for each key', async () => {
    const { clock, own, ran } = await clocks();
    const due = new DueTimers(own);
    due.set('a', own.now() + 10, () => void ran.push('first'));
    due.set('a', own.now() + 20, () => void ran.push('second'));
    due.set('b', own.now() + 5, () => void ran.push('b'));
    due.cancel('b');
    expect([due.has('a'), due.has('b')]).toEqual([true, false]);
    await clock.advance(30);
    expect(ran).toEqual(['second']);
    expect(due.has('a')).toBe(false);
    due.set('c', own.now() + 10, () => void ran.push('c'));
    due.set('d', own.now() + 10, () => void ran.push('d'));
    due.cancelAll();
    await clock.advance(30);
    expect([ran, due.has('c')]).toEqual([['second'], false]);
  });
});
