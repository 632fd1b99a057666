import type { Clock, Collection } from '@emu/core/service';
import { expect, test } from 'vitest';
import type { ScheduleRecord } from '../src/records.ts';
import { ScheduleRuns } from '../src/timing/schedule-runs.ts';

test('a rate runs immediately even if time has passed since its creation', () => {
  const modifiedAt = 1_795_000_000_000;
  const timer = { cancel: () => undefined };
  const clock = { now: () => modifiedAt + 1, at: () => timer } as unknown as Clock;
  const runs = new ScheduleRuns(clock, undefined as unknown as Collection<ScheduleRecord>, async () => undefined);
  runs.set('default/often', {
    group: 'default',
    name: 'often',
    expression: 'rate(1 hour)',
    timezone: 'UTC',
    window: { mode: 'OFF' },
    state: 'ENABLED',
    target: {} as ScheduleRecord['target'],
    afterCompletion: 'NONE',
    createdAt: modifiedAt,
    modifiedAt,
  });
  expect(runs.nextAt('default/often')).toBe(modifiedAt);
});
