import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  arnOf,
  DAY,
  failureOf,
  QUEUE,
  REGION,
  ROLE,
  type SchedulerTest,
  START,
  schedule,
  startScheduler,
} from './support.ts';

let t: SchedulerTest;
beforeEach(async () => {
  t = await startScheduler();
});
afterEach(() => t[Symbol.asyncDispose]());

const Target = { Arn: QUEUE, RoleArn: ROLE };
const refusalOf = (more: object) => failureOf(t.scheduler.createSchedule(schedule(more)));
const groupArn = (name: string) => `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule-group/${name}`;

describe('schedules', () => {
  test('are described with defaults for missing members', async () => {
    expect(await t.create()).toBe(arnOf('s'));
    const { $metadata: _, ...got } = await t.scheduler.getSchedule({ Name: 's' });
    // As recorded in cloudformation/resource_providers/scheduler.
    expect(got).toEqual({
      ActionAfterCompletion: 'NONE',
      Arn: arnOf('s'),
      CreationDate: new Date(START),
      FlexibleTimeWindow: { Mode: 'OFF' },
      GroupName: 'default',
      LastModificationDate: new Date(START),
      Name: 's',
      ScheduleExpression: 'cron(0 12 * * ? *)',
      ScheduleExpressionTimezone: 'UTC',
      State: 'ENABLED',
      Target: { ...Target, RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 } },
    });
  });

  test('an update resets missing members to their defaults', async () => {
    await t.create({
      Description: 'd',
      State: 'DISABLED',
      StartDate: new Date('2027-01-01T00:00:00Z'),
      ScheduleExpressionTimezone: 'Europe/Berlin',
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 },
      ActionAfterCompletion: 'DELETE',
      Target: { ...Target, Input: 'text', RetryPolicy: { MaximumRetryAttempts: 1 } },
    });
    await t.advance(1000);
    expect((await t.scheduler.updateSchedule(schedule())).ScheduleArn).toBe(arnOf('s'));
    const got = await t.scheduler.getSchedule({ Name: 's' });
    expect(got).toMatchObject({
      ActionAfterCompletion: 'NONE',
      CreationDate: new Date(START),
      LastModificationDate: new Date(Date.parse(START) + 1000),
      FlexibleTimeWindow: { Mode: 'OFF' },
      ScheduleExpressionTimezone: 'UTC',
      State: 'ENABLED',
      Target: { RetryPolicy: { MaximumRetryAttempts: 185 } },
    });
    expect([got.Description, got.StartDate, got.Target!.Input]).toEqual([undefined, undefined, undefined]);
  });

  test('are deleted, and unknown ones are rejected', async () => {
    await t.create();
    expect(await refusalOf({})).toBe('ConflictException: Schedule s already exists.');
    await t.scheduler.deleteSchedule({ Name: 's' });
    const missing = 'ResourceNotFoundException: Schedule s does not exist.';
    expect(await failureOf(t.scheduler.getSchedule({ Name: 's' }))).toBe(missing);
    expect(await failureOf(t.scheduler.deleteSchedule({ Name: 's' }))).toBe(missing);
    expect(await failureOf(t.scheduler.updateSchedule(schedule()))).toBe(missing);
    expect(await refusalOf({ GroupName: 'g' })).toBe('ResourceNotFoundException: Schedule group g does not exist.');
    await t.advance(DAY);
    expect(t.calls).toEqual([]);
  });

  test('repeated requests with one idempotency token return the same result', async () => {
    const ClientToken = 'token';
    await t.create({ ClientToken });
    expect(await t.create({ ClientToken })).toBe(arnOf('s'));
    expect(await refusalOf({ ClientToken, Description: 'other' })).toBe(
      'ConflictException: The client token was already used for a request with other parameters.',
    );
    await t.scheduler.deleteSchedule({ Name: 's', ClientToken });
    await t.scheduler.deleteSchedule({ Name: 's', ClientToken });
  });

  test('are listed by group, prefix and state, in pages', async () => {
    await t.scheduler.createScheduleGroup({ Name: 'g' });
    for (const Name of ['b', 'a1', 'a2']) await t.create({ Name, State: Name === 'a2' ? 'DISABLED' : 'ENABLED' });
    await t.create({ Name: 'a1', GroupName: 'g' });
    const names = async (input: object) =>
      (await t.scheduler.listSchedules(input)).Schedules!.map(({ GroupName, Name }) => `${GroupName}/${Name}`);
    expect(await names({})).toEqual(['default/a1', 'default/a2', 'default/b', 'g/a1']);
    expect(await names({ GroupName: 'g' })).toEqual(['g/a1']);
    expect(await names({ NamePrefix: 'a', State: 'ENABLED' })).toEqual(['default/a1', 'g/a1']);
    const { NextToken, Schedules } = await t.scheduler.listSchedules({ MaxResults: 3 });
    expect(Schedules![0]).toEqual({
      Arn: arnOf('a1'),
      CreationDate: new Date(START),
      GroupName: 'default',
      LastModificationDate: new Date(START),
      Name: 'a1',
      State: 'ENABLED',
      Target: { Arn: QUEUE },
    });
    expect(await names({ MaxResults: 3, NextToken })).toEqual(['g/a1']);
    expect(await failureOf(t.scheduler.listSchedules({ NextToken: 'x' }))).toBe(
      'ValidationException: Invalid NextToken.',
    );
    expect(await failureOf(t.scheduler.listSchedules({ GroupName: 'none' }))).toBe(
      'ResourceNotFoundException: Schedule group none does not exist.',
    );
  });
});

describe('expressions', () => {
  // Recorded: scheduler.snapshot.json, tests_create_schedule_with_invalid_schedule_expression.
  test.each([
    'cron(0 1 * * * *)',
    'cron(7 20 * * NOT *)',
    'cron(INVALID)',
    'cron(0 dummy ? * MON-FRI *)',
    'cron(71 8 1 * ? *)',
    'cron()',
    'rate(10 seconds)',
    'rate(10 years)',
    'rate()',
    'rate(10)',
    'rate(10 minutess)',
    'rate(foo minutes)',
    'rate(-10 minutes)',
    'rate(99999999999999999999 minutes)',
    'rate( 10 minutes )',
    ' rate(10 minutes)',
    'at(2021-12-31T23:59:59Z)',
    'at(2021-12-31)',
  ])('rejects %s', async (ScheduleExpression) => {
    expect(await refusalOf({ ScheduleExpression })).toBe(
      `ValidationException: Invalid Schedule Expression ${ScheduleExpression}.`,
    );
  });

  // Recorded: test_create_schedule_with_valid_cron_expressions. The rates and the time in the past are documented or
  // recorded as well.
  test.each([
    'cron(0-15/1 8-8 ? * 2,3,4,5,6,7 *)',
    'cron(30-30 13-13 ? * 2,4,6 *)',
    'cron(1-31/30 1-1 ? * 1,7 *)',
    'cron(0 18 ? * MON-FRI *)',
    'cron(*/15 * * * ? *)',
    'cron(0-59/10 0-23/2 ? * * *)',
    'rate(1 minutes)',
    'rate(5 minute)',
    'at(2021-12-31T23:59:59)',
  ])('accepts %s', async (ScheduleExpression) => {
    expect(await t.create({ ScheduleExpression })).toBe(arnOf('s'));
  });

  test('rejects invalid dates, windows and time zones', async () => {
    const StartDate = new Date('2026-02-01T00:00:00Z');
    const past = new Date('2025-12-31T23:54:00Z');
    expect([
      await refusalOf({ StartDate: past }),
      await refusalOf({ EndDate: past }),
      await refusalOf({ StartDate, EndDate: StartDate }),
      await refusalOf({ FlexibleTimeWindow: { Mode: 'OFF', MaximumWindowInMinutes: 5 } }),
      await refusalOf({ FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }),
      await refusalOf({ ScheduleExpressionTimezone: 'Mars/Olympus' }),
    ]).toEqual([
      'ValidationException: The StartDate you specify cannot be earlier than 5 minutes ago.',
      'ValidationException: The EndDate you specify cannot be in the past.',
      'ValidationException: The StartDate you specify must come before the EndDate.',
      'ValidationException: MaximumWindowInMinutes must not be provided when FlexibleTimeWindowMode is set to OFF.',
      'ValidationException: MaximumWindowInMinutes must be provided when FlexibleTimeWindowMode is set to FLEXIBLE.',
      'ValidationException: Invalid Schedule Expression Timezone Mars/Olympus.',
    ]);
  });
});

describe('groups', () => {
  test('are created, described, listed and deleted with their schedules', async () => {
    const { ScheduleGroupArn } = await t.scheduler.createScheduleGroup({ Name: 'g' });
    expect(ScheduleGroupArn).toBe(groupArn('g'));
    await t.create({ GroupName: 'g' });
    const { $metadata: _, ...group } = await t.scheduler.getScheduleGroup({ Name: 'g' });
    expect(group).toEqual({
      Arn: groupArn('g'),
      CreationDate: new Date(START),
      LastModificationDate: new Date(START),
      Name: 'g',
      State: 'ACTIVE',
    });
    const names = async (input: object) =>
      (await t.scheduler.listScheduleGroups(input)).ScheduleGroups!.map(({ Name }) => Name);
    expect(await names({})).toEqual(['default', 'g']);
    expect(await names({ NamePrefix: 'g' })).toEqual(['g']);
    expect(await failureOf(t.scheduler.createScheduleGroup({ Name: 'g' }))).toBe(
      'ConflictException: Schedule group g already exists.',
    );
    await t.scheduler.deleteScheduleGroup({ Name: 'g' });
    expect((await t.scheduler.listSchedules({})).Schedules).toEqual([]);
    const missing = 'ResourceNotFoundException: Schedule group g does not exist.';
    expect(await failureOf(t.scheduler.getScheduleGroup({ Name: 'g' }))).toBe(missing);
    expect(await failureOf(t.scheduler.deleteScheduleGroup({ Name: 'g' }))).toBe(missing);
  });

  test('the default group always exists and cannot be created or deleted', async () => {
    expect((await t.scheduler.getScheduleGroup({ Name: 'default' })).State).toBe('ACTIVE');
    const refused = 'ValidationException: This operation cannot be performed on schedule group default.';
    expect(await failureOf(t.scheduler.createScheduleGroup({ Name: 'default' }))).toBe(refused);
    expect(await failureOf(t.scheduler.deleteScheduleGroup({ Name: 'default' }))).toBe(refused);
  });

  test('have tags', async () => {
    const ResourceArn = groupArn('g');
    const tags = async () => (await t.scheduler.listTagsForResource({ ResourceArn })).Tags;
    const missing = 'ResourceNotFoundException: Schedule group g does not exist.';
    expect(await failureOf(tags())).toBe(missing);
    await t.scheduler.createScheduleGroup({ Name: 'g', Tags: [{ Key: 'a', Value: '1' }] });
    await t.scheduler.tagResource({ ResourceArn, Tags: [{ Key: 'b', Value: '2' }] });
    expect(await tags()).toEqual([
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '2' },
    ]);
    await t.scheduler.untagResource({ ResourceArn, TagKeys: ['a', 'b'] });
    // As recorded in test_untag_resource.
    expect(await tags()).toEqual([]);
    expect(await failureOf(t.scheduler.tagResource({ ResourceArn, Tags: [{ Key: 'aws:a', Value: '1' }] }))).toBe(
      'ValidationException: Tag keys beginning with aws: are reserved.',
    );
  });
});
