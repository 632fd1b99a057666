import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ScheduleRecord } from '../src/records.ts';
import { runAfterDowntime } from '../src/timing/timing.ts';
import { DAY, HOUR, MINUTE, QUEUE, ROLE, type SchedulerTest, START, startScheduler } from './support.ts';

let t: SchedulerTest;
beforeEach(async () => {
  t = await startScheduler();
});
afterEach(() => t[Symbol.asyncDispose]());

const Target = { Arn: QUEUE, RoleArn: ROLE };
const day = (text: string) => `2026-01-${text}`;

describe('schedules run', () => {
  test('once, at a time in a time zone', async () => {
    await t.create({ ScheduleExpression: 'at(2026-01-02T09:00:00)', ScheduleExpressionTimezone: 'Europe/Berlin' });
    await t.advance(10 * DAY);
    expect(t.times()).toEqual([day('02T08:00:00')]);
  });

  test('by cron, between start and end date', async () => {
    await t.create({ StartDate: new Date('2026-01-02T12:00:00Z'), EndDate: new Date('2026-01-04T12:00:00Z') });
    await t.advance(10 * DAY);
    expect(t.times()).toEqual([day('02T12:00:00'), day('03T12:00:00'), day('04T12:00:00')]);
  });

  test('by rate, from creation or from the start date', async () => {
    await t.create({ ScheduleExpression: 'rate(30 minutes)' });
    await t.advance(HOUR);
    expect(t.times()).toEqual([day('01T00:00:00'), day('01T00:30:00'), day('01T01:00:00')]);
    await t.scheduler.deleteSchedule({ Name: 's' });
    await t.create({ ScheduleExpression: 'rate(1 hours)', StartDate: new Date('2026-01-01T03:10:00Z') });
    await t.advance(4 * HOUR);
    expect(t.times()).toEqual([day('01T03:10:00'), day('01T04:10:00')]);
  });

  test('not if disabled, nor for a time in the past', async () => {
    await t.create({ State: 'DISABLED' });
    await t.create({ Name: 'past', ScheduleExpression: 'at(2025-12-31T00:00:00)' });
    await t.advance(2 * DAY);
    expect(t.times()).toEqual([]);
  });

  test('by the new expression after an update', async () => {
    await t.create({ ScheduleExpression: 'rate(1 day)' });
    await t.advance(HOUR);
    await t.scheduler.updateSchedule({
      Name: 's',
      ScheduleExpression: 'at(2026-01-01T02:00:00)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target,
    });
    await t.advance(2 * DAY);
    expect(t.times()).toEqual([day('01T00:00:00'), day('01T02:00:00')]);
  });

  test('within their flexible window', async () => {
    await t.create({ FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 60 } });
    await t.advance(3 * DAY);
    const late = t.times().map((time) => (Date.parse(`${time}Z`) - Date.parse(START) - 12 * HOUR) % DAY);
    expect(late).toHaveLength(3);
    for (const delay of late) {
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThanOrEqual(60 * MINUTE);
    }
    expect(new Set(late).size).toBe(3);
  });

  test('a last time and are then deleted if ActionAfterCompletion is DELETE', async () => {
    const ActionAfterCompletion = 'DELETE' as const;
    const names = async () => (await t.scheduler.listSchedules({})).Schedules!.map(({ Name }) => Name);
    await t.create({ Name: 'kept', ScheduleExpression: 'at(2026-01-01T01:00:00)' });
    await t.create({ Name: 'once', ScheduleExpression: 'at(2026-01-01T01:00:00)', ActionAfterCompletion });
    await t.create({ Name: 'twice', EndDate: new Date('2026-01-02T23:00:00Z'), ActionAfterCompletion });
    await t.advance(2 * HOUR);
    expect(await names()).toEqual(['kept', 'twice']);
    await t.advance(DAY);
    expect(await names()).toEqual(['kept', 'twice']);
    await t.advance(DAY);
    expect(await names()).toEqual(['kept']);
  });
});

describe('after downtime', () => {
  const now = Date.parse(START);
  const record = (more: Partial<ScheduleRecord>): ScheduleRecord => ({
    group: 'default',
    name: 's',
    expression: 'rate(1 hour)',
    timezone: 'UTC',
    window: { mode: 'OFF' },
    state: 'ENABLED',
    target: Target,
    afterCompletion: 'NONE',
    createdAt: now - 10 * DAY,
    modifiedAt: now - 10 * DAY + 10 * MINUTE,
    ...more,
  });
  const once = { expression: 'at(2025-12-31T23:00:00)' };

  test('a late one-time schedule runs once unless its event has expired', () => {
    const scheduledAt = Date.parse('2025-12-31T23:00:00Z');
    expect(runAfterDowntime(record(once), now, 3600)).toEqual({ scheduledAt, dueAt: scheduledAt });
    expect(runAfterDowntime(record(once), now, 3599)).toBeUndefined();
    expect(runAfterDowntime(record({ ...once, ranFor: scheduledAt }), now, 3600)).toBeUndefined();
  });

  test('recurring schedules continue with their next time', () => {
    expect(runAfterDowntime(record({}), now, 86_400)?.scheduledAt).toBe(now + 10 * MINUTE);
    expect(runAfterDowntime(record({ expression: 'cron(0 12 * * ? *)' }), now, 86_400)?.scheduledAt).toBe(
      now + 12 * HOUR,
    );
  });
});
