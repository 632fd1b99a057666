import { createTestEmulator, testProvider } from '@emu/gateway/testing';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { expect, test } from 'vitest';
import { describeTypes, type Env, typeCase } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];
const ROLE = {
  AssumeRolePolicyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: ['states.amazonaws.com', 'scheduler.amazonaws.com', 'events.amazonaws.com'] },
        Action: 'sts:AssumeRole',
      },
    ],
  },
};

let buses = 0;
/** A bus of its own name. */
const busOf = (env: Env) => env.make('AWS::Events::EventBus', { Name: `bus${++buses}` });

/** A statement that lets another account put events on a bus. */
const shared = (Sid: string, bus: { attributes: Readonly<Record<string, string>> }, account: string) => ({
  Sid,
  Effect: 'Allow',
  Principal: { AWS: `arn:aws:iam::${account}:root` },
  Action: 'events:PutEvents',
  Resource: bus.attributes.Arn,
});

const targets = async (env: Env) => ({
  queue: (await env.make('AWS::SQS::Queue')).attributes.Arn!,
  queue2: (await env.make('AWS::SQS::Queue')).attributes.Arn!,
  role: (await env.make('AWS::IAM::Role', ROLE)).attributes.Arn!,
});

const connectionOf = async (env: Env) =>
  (
    await env.make('AWS::Events::Connection', {
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'k', ApiKeyValue: 'v' } },
    })
  ).attributes.Arn;

const pass = (Next?: string) =>
  JSON.stringify({ StartAt: 'A', States: { A: { Type: 'Pass', Comment: Next ?? '', End: true } } });

let count = 0;

describeTypes(
  [events, sqs, iam, scheduler, secretsmanager, kms, stepfunctions, cloudwatch, sts],
  [
    typeCase({
      type: 'AWS::Events::Rule',
      needs: async (env) => ({
        ...(await targets(env)),
        bus: (await busOf(env)).id,
      }),
      least: () => ({ EventPattern: { source: ['app'] } }),
      most: ({ queue, queue2 }) => ({
        Description: 'described',
        EventPattern: { source: ['other'] },
        State: 'DISABLED',
        Tags: TAGS,
        Targets: [
          { Id: 'one', Arn: queue, Input: '{"a":1}' },
          { Id: 'two', Arn: queue2 },
        ],
      }),
      other: ({ bus, role }) => ({ Name: 'named', EventBusName: bus, RoleArn: role }),
      untried: { ScheduleExpression: 'goes without a pattern on another bus' },
    }),
    typeCase({
      type: 'AWS::Events::EventBusPolicy',
      needs: async (env) => ({ one: await busOf(env), two: await busOf(env) }),
      least: ({ one }) => ({ EventBusName: one.id, StatementId: 's', Statement: shared('s', one, '111122223333') }),
      most: ({ one }) => ({ Statement: shared('s', one, '444455556666') }),
      other: ({ two }) => ({ EventBusName: two.id, StatementId: 't', Statement: shared('t', two, '111122223333') }),
      untried: {
        Action: 'not together with a statement; see below',
        Condition: 'not together with a statement; see below',
        Principal: 'not together with a statement; see below',
      },
    }),
    typeCase({
      type: 'AWS::Events::EventBus',
      needs: targets,
      least: () => ({ Name: 'one' }),
      most: ({ queue }) => ({
        DeadLetterConfig: { Arn: queue },
        Description: 'described',
        LogConfig: { Level: 'INFO', IncludeDetail: 'FULL' },
        Policy: {
          Version: '2012-10-17',
          Statement: [
            {
              Sid: 's',
              Effect: 'Allow',
              Principal: { AWS: 'arn:aws:iam::111122223333:root' },
              Action: 'events:PutEvents',
              Resource: 'arn:aws:events:us-east-1:123456789012:event-bus/one',
            },
          ],
        },
        Tags: TAGS,
      }),
      other: () => ({ Name: 'two', Policy: undefined }),
      untried: { EventSourceName: 'needs a partner' },
    }),
    typeCase({
      type: 'AWS::Events::Endpoint',
      needs: async (env) => {
        const account = env.emulator.kernel.settings.accountId;
        const Name = `both${++count}`;
        const buses = (name: string) =>
          ['us-east-1', 'us-west-2'].map((region) => ({
            EventBusArn: `arn:aws:events:${region}:${account}:event-bus/${name}`,
          }));
        for (const region of ['us-east-1', 'us-west-2'])
          await env.emulator.kernel.callJson('events', 'CreateEventBus', { Name }, { accountId: account, region });
        return { buses, Name };
      },
      least: ({ buses }) => ({
        EventBuses: buses('default'),
        ReplicationConfig: { State: 'DISABLED' },
        RoutingConfig: {
          FailoverConfig: {
            Primary: { HealthCheck: 'arn:aws:route53:::healthcheck/a' },
            Secondary: { Route: 'us-west-2' },
          },
        },
      }),
      most: ({ buses, Name }) => ({
        Description: 'described',
        EventBuses: buses(Name),
        ReplicationConfig: { State: 'ENABLED' },
        RoleArn: 'arn:aws:iam::123456789012:role/endpoint',
        RoutingConfig: {
          FailoverConfig: {
            Primary: { HealthCheck: 'arn:aws:route53:::healthcheck/b' },
            Secondary: { Route: 'us-west-2' },
          },
        },
      }),
      other: () => ({ Name: 'named' }),
      kept: { RoleArn: 'cannot be taken away' },
    }),
    typeCase({
      type: 'AWS::Events::Archive',
      needs: async (env) => (await busOf(env)).attributes.Arn,
      least: (bus) => ({ SourceArn: bus, EventPattern: { source: ['app'] } }),
      most: () => ({ Description: 'described', EventPattern: { source: ['other'] }, RetentionDays: 3 }),
      other: () => ({ ArchiveName: 'named' }),
    }),
    typeCase({
      type: 'AWS::Events::Connection',
      least: () => ({
        AuthorizationType: 'API_KEY',
        AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'k', ApiKeyValue: 'v' } },
      }),
      most: () => ({ Description: 'described' }),
      other: () => ({ Name: 'named' }),
      unread: { AuthParameters: 'the values are secret' },
    }),
    typeCase({
      type: 'AWS::Events::ApiDestination',
      needs: connectionOf,
      least: (connection) => ({
        ConnectionArn: connection,
        HttpMethod: 'POST',
        InvocationEndpoint: 'https://example.com/one',
      }),
      most: () => ({
        Description: 'described',
        HttpMethod: 'PUT',
        InvocationEndpoint: 'https://example.com/two',
        InvocationRateLimitPerSecond: 5,
      }),
      other: () => ({ Name: 'named' }),
    }),
    typeCase({
      type: 'AWS::Scheduler::ScheduleGroup',
      least: () => ({}),
      most: () => ({ Tags: TAGS }),
      other: () => ({ Name: 'named' }),
    }),
    typeCase({
      type: 'AWS::Scheduler::Schedule',
      needs: targets,
      least: ({ queue, role }) => ({
        FlexibleTimeWindow: { Mode: 'OFF' },
        ScheduleExpression: 'rate(1 hour)',
        Target: { Arn: queue, RoleArn: role },
      }),
      most: ({ queue2, role }) => ({
        Description: 'described',
        EndDate: '2040-01-01T00:00:00.000Z',
        FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 },
        ScheduleExpression: 'cron(0 3 * * ? *)',
        ScheduleExpressionTimezone: 'Europe/Berlin',
        StartDate: '2039-01-01T00:00:00.000Z',
        State: 'DISABLED',
        Target: { Arn: queue2, RoleArn: role, Input: '{"a":1}' },
      }),
      other: () => ({ Name: 'named' }),
      untried: { GroupName: 'needs a group', KmsKeyArn: 'needs a key' },
    }),
    typeCase({
      type: 'AWS::StepFunctions::StateMachine',
      needs: async (env) => ({
        one: (await env.make('AWS::IAM::Role', ROLE)).attributes.Arn,
        two: (await env.make('AWS::IAM::Role', ROLE)).attributes.Arn,
      }),
      least: ({ one }) => ({ RoleArn: one, DefinitionString: pass() }),
      most: ({ two }) => ({
        DefinitionString: pass('more'),
        RoleArn: two,
        Tags: TAGS,
        TracingConfiguration: { Enabled: true },
      }),
      other: () => ({ StateMachineName: 'named', StateMachineType: 'EXPRESS' }),
      untried: {
        Definition: 'another way to give the text',
        DefinitionS3Location: 'another way to give the text',
        DefinitionSubstitutions: 'another way to give the text',
        EncryptionConfiguration: 'needs a key',
        LoggingConfiguration: 'needs a log group',
      },
    }),
    typeCase({
      type: 'AWS::CloudWatch::Alarm',
      least: () => ({
        ComparisonOperator: 'GreaterThanThreshold',
        EvaluationPeriods: 1,
        MetricName: 'm',
        Namespace: 'n',
        Period: 60,
        Statistic: 'Sum',
        Threshold: 1,
      }),
      most: () => ({
        ActionsEnabled: false,
        AlarmActions: ['arn:aws:sns:us-east-1:123456789012:alarms'],
        AlarmDescription: 'described',
        ComparisonOperator: 'LessThanThreshold',
        DatapointsToAlarm: 2,
        Dimensions: [{ Name: 'd', Value: 'v' }],
        EvaluationPeriods: 3,
        InsufficientDataActions: ['arn:aws:sns:us-east-1:123456789012:alarms'],
        MetricName: 'm2',
        Namespace: 'n2',
        OKActions: ['arn:aws:sns:us-east-1:123456789012:alarms'],
        Period: 120,
        Statistic: 'Average',
        Tags: TAGS,
        Threshold: 2,
        TreatMissingData: 'ignore',
        Unit: 'Count',
      }),
      other: () => ({ AlarmName: 'named' }),
      untried: {
        EvaluateLowSampleCountPercentile: 'only of percentiles',
        ExtendedStatistic: 'instead of a statistic',
        Metrics: 'instead of one metric',
        ThresholdMetricId: 'only of bands',
      },
    }),
    typeCase({
      type: 'AWS::CloudWatch::CompositeAlarm',
      least: () => ({ AlarmRule: 'TRUE' }),
      most: () => ({
        ActionsEnabled: false,
        AlarmActions: ['arn:aws:sns:us-east-1:123456789012:alarms'],
        AlarmDescription: 'described',
        AlarmRule: 'FALSE',
        InsufficientDataActions: ['arn:aws:sns:us-east-1:123456789012:alarms'],
        OKActions: ['arn:aws:sns:us-east-1:123456789012:alarms'],
        Tags: TAGS,
      }),
      other: () => ({ AlarmName: 'composite' }),
      untried: {
        ActionsSuppressor: 'needs another alarm',
        ActionsSuppressorExtensionPeriod: 'needs a suppressor',
        ActionsSuppressorWaitPeriod: 'needs a suppressor',
      },
    }),
  ],
);

test('a permission of an event bus is written as a principal with an action, too', async () => {
  await using emulator = await createTestEmulator({ manifests: [events] });
  const { provider, ctx } = await testProvider(emulator, 'AWS::Events::EventBusPolicy');
  const first = { StatementId: 's', Action: 'events:PutEvents', Principal: '111122223333' };
  const { identifier } = await provider.create(first, ctx);
  const policy = async () => {
    const { Policy } = (await emulator.kernel.callJson('events', 'DescribeEventBus', {})) as { Policy?: string };
    return Policy === undefined ? [] : (JSON.parse(Policy) as { Statement: object[] }).Statement;
  };
  expect(await policy()).toMatchObject([{ Sid: 's', Principal: { AWS: 'arn:aws:iam::111122223333:root' } }]);
  const Condition = { Type: 'StringEquals', Key: 'aws:PrincipalOrgID', Value: 'o-1234567890' };
  const second = { ...first, Principal: '*', Condition };
  await provider.update!(identifier, first, second, ctx);
  expect(await policy()).toMatchObject([
    { Sid: 's', Principal: '*', Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-1234567890' } } },
  ]);
  await provider.delete(identifier, second, ctx);
  expect(await policy()).toEqual([]);
});
