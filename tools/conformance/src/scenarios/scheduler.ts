import * as sdk from '@aws-sdk/client-scheduler';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-scheduler/model/scheduler.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const place = 'us-east-1:123456789012';
const ResourceArn = `arn:aws:scheduler:${place}:schedule-group/known`;
const RoleArn = 'arn:aws:iam::123456789012:role/run';
const queue = (name: string) => `arn:aws:sqs:${place}:${name}`;
const inKnown = () => ({ Name: 'known', GroupName: 'known' });

/** A schedule with a target. */
const schedule = (Target: object) => ({
  ScheduleExpression: 'cron(0 12 * * ? *)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { RoleArn, ...Target },
});
const daily = () => schedule({ Arn: queue('work') });
/** Schedules for every kind of target with parameters. */
const kinds = [
  { Arn: queue('work'), Input: 'text', DeadLetterConfig: { Arn: queue('dead') } },
  { Arn: queue('work.fifo'), SqsParameters: { MessageGroupId: 'g' } },
  { Arn: `arn:aws:kinesis:${place}:stream/s`, KinesisParameters: { PartitionKey: 'k' } },
  { Arn: `arn:aws:events:${place}:event-bus/b`, EventBridgeParameters: { DetailType: 'T', Source: 'app' } },
  { Arn: `arn:aws:ecs:${place}:cluster/c`, EcsParameters: { TaskDefinitionArn: 'task' } },
  {
    Arn: `arn:aws:sagemaker:${place}:pipeline/p`,
    SageMakerPipelineParameters: { PipelineParameterList: [{ Name: 'a', Value: 'b' }] },
  },
].map(schedule);

/** Creates two groups with schedules, one of them with tags. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateScheduleGroup', { Name: 'known', Tags: [{ Key: 'team', Value: 'a' }] });
  await send('CreateScheduleGroup', { Name: 'other' });
  await send('CreateSchedule', { ...daily(), ...inKnown() });
  await send('CreateSchedule', { ...daily(), Name: 'known', State: 'DISABLED' });
  return {};
}

/** Returns every group with its tags, and every schedule. */
async function observe(send: Send): Promise<unknown> {
  const answer = async (operation: string, input: object) => {
    const { $metadata: _, ...rest } = await send(operation, input as Record<string, unknown>);
    return rest;
  };
  const { ScheduleGroups } = await send('ListScheduleGroups', {});
  const { Schedules } = await send('ListSchedules', {});
  return [
    ScheduleGroups,
    await Promise.all(
      (ScheduleGroups as { Arn: string }[]).map(({ Arn }) => answer('ListTagsForResource', { ResourceArn: Arn })),
    ),
    await Promise.all(
      (Schedules as { Name: string; GroupName: string }[]).map(({ Name, GroupName }) =>
        answer('GetSchedule', { Name, GroupName }),
      ),
    ),
  ];
}

const changed = (send: Send) => send('UpdateSchedule', { ...daily(), ...inKnown(), State: 'DISABLED' });
const grouped = (send: Send) => send('CreateScheduleGroup', { Name: 'new' });

const TIMES = [new Date('2099-01-01T00:00:00Z'), new Date('2098-01-01T00:00:00Z')];
/** Values of members common to creation and update of a schedule. */
const values = (operation: string) => ({
  [`${operation}.StartDate`]: TIMES,
  [`${operation}.EndDate`]: TIMES,
  [`${operation}.Target.EcsParameters.NetworkConfiguration.awsvpcConfiguration.Subnets`]: [['a'], ['b']],
  [`${operation}.ScheduleExpressionTimezone`]: ['Europe/Berlin'],
  [`${operation}.FlexibleTimeWindow`]: [{ Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 }],
});

/** Amazon EventBridge Scheduler. */
export const scheduler: Scenario = {
  service: 'scheduler',
  others: ['kms'],
  model: model as unknown as ServiceModel,
  client: (emulator) => sender(new sdk.SchedulerClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    CreateSchedule: () => ({ ...daily(), Name: 'new' }),
    CreateScheduleGroup: () => ({ Name: 'new' }),
    DeleteSchedule: inKnown,
    DeleteScheduleGroup: () => ({ Name: 'known' }),
    GetSchedule: inKnown,
    GetScheduleGroup: () => ({ Name: 'known' }),
    ListTagsForResource: () => ({ ResourceArn }),
    TagResource: () => ({ ResourceArn, Tags: [{ Key: 'new', Value: 'x' }] }),
    UntagResource: () => ({ ResourceArn, TagKeys: ['team'] }),
    UpdateSchedule: () => ({ ...daily(), ...inKnown(), ScheduleExpression: 'cron(0 13 * * ? *)' }),
  },
  also: {
    CreateSchedule: kinds.map((kind) => () => ({ ...kind, Name: 'new' })),
    UpdateSchedule: kinds.map((kind) => () => ({ ...kind, ...inKnown() })),
  },
  values: {
    ...values('CreateSchedule'),
    ...values('UpdateSchedule'),
    'CreateSchedule.GroupName': ['other'],
    'ListSchedules.GroupName': ['known'],
    'ListSchedules.NamePrefix': ['x'],
    'ListScheduleGroups.NamePrefix': ['kn'],
  },
  reads: {
    GetSchedule: changed,
    // Only its creation time distinguishes a group, and time stands still.
    GetScheduleGroup: undefined,
    ListScheduleGroups: grouped,
    ListSchedules: changed,
    ListTagsForResource: (send) => send('TagResource', { ResourceArn, Tags: [{ Key: 'new', Value: 'x' }] }),
  },
};
