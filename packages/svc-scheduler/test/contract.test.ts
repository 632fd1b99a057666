import { Scheduler } from '@aws-sdk/client-scheduler';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { schedule } from './support.ts';

/** Creates state of every persisted kind. */
async function act(config: TestClientConfig): Promise<void> {
  const scheduler = new Scheduler(config);
  const { region } = config;
  const Target = { Arn: `arn:aws:sqs:${region}:000000000000:missing`, RoleArn: 'arn:aws:iam::000000000000:role/r' };
  await scheduler.createScheduleGroup({ Name: 'g', Tags: [{ Key: 'team', Value: 'orders' }] });
  await scheduler.createSchedule(schedule({ Name: 'daily', GroupName: 'g', Target, Description: 'ü' }));
  await scheduler.createSchedule(
    schedule({ Name: 'once', ScheduleExpression: 'at(2199-01-01T00:00:00)', Target: { ...Target, Input: '{"a":1}' } }),
  );
}

/** Reads the state through operations. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const scheduler = new Scheduler(config);
  const { ScheduleGroups } = await scheduler.listScheduleGroups({});
  const { Schedules } = await scheduler.listSchedules({});
  const tags = ScheduleGroups!.map(({ Arn }) => scheduler.listTagsForResource({ ResourceArn: Arn }));
  const details = Schedules!.map(({ Name, GroupName }) => scheduler.getSchedule({ Name, GroupName }));
  return [
    // The default group is created on its first use.
    ScheduleGroups!.filter(({ Name }) => Name !== 'default'),
    (await Promise.all(tags)).map(({ Tags }) => Tags),
    (await Promise.all(details)).map(({ $metadata: _, ...rest }) => rest),
  ];
}

describeServiceContract({ manifest, scope: 'region', act, observe });
