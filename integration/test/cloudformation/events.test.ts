import { createTestEmulator, testProvider } from '@emu/gateway/testing';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { expect, test } from 'vitest';
import { describeTypes, type Env, typeCase, typeVariant } from './support.ts';

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
/** A bus with its own name. */
const busOf = (env: Env) => env.make('AWS::Events::EventBus', { Name: `bus${++buses}` });

/** Creates a key. @returns its ARN */
const keyOf = async (env: Env) => (await env.make('AWS::KMS::Key', { KeyPolicy: KEY_POLICY })).attributes.Arn!;

const KEY_POLICY = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::123456789012:root' }, Action: 'kms:*', Resource: '*' },
  ],
};

/** A statement that allows another account to put events onto a bus. */
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

/** A metric with an anomaly detection band. */
const band = (deviations: number) => [
  {
    Id: 'm',
    MetricStat: { Metric: { Namespace: 'n', MetricName: 'm' }, Period: 60, Stat: 'Average' },
    ReturnData: true,
  },
  { Id: 'band', Expression: `ANOMALY_DETECTION_BAND(m, ${deviations})`, ReturnData: true },
];

let count = 0;

describeTypes(
  [events, sqs, iam, logs, s3, scheduler, secretsmanager, kms, stepfunctions, cloudwatch, sts],
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
      variants: {
        'by time': typeVariant({
          least: () => ({ ScheduleExpression: 'rate(1 hour)' }),
          most: () => ({ ScheduleExpression: 'rate(2 hours)', State: 'DISABLED' }),
          other: () => ({ Name: 'by-time' }),
        }),
      },
    }),
    typeCase({
      type: 'AWS::Events::EventBusPolicy',
      needs: async (env) => ({ one: await busOf(env), two: await busOf(env) }),
      least: ({ one }) => ({ EventBusName: one.id, StatementId: 's', Statement: shared('s', one, '111122223333') }),
      most: ({ one }) => ({ Statement: shared('s', one, '444455556666') }),
      other: ({ two }) => ({ EventBusName: two.id, StatementId: 't', Statement: shared('t', two, '111122223333') }),
      variants: {
        'by a principal and an action': typeVariant({
          needs: async (env) => [(await busOf(env)).id, (await busOf(env)).id] as const,
          least: ([one]) => ({
            EventBusName: one,
            StatementId: 'p',
            Action: 'events:PutEvents',
            Principal: '111122223333',
          }),
          most: () => ({
            Condition: { Type: 'StringEquals', Key: 'aws:PrincipalOrgID', Value: 'o-1234567890' },
            Principal: '*',
          }),
          other: ([, two]) => ({ EventBusName: two }),
        }),
      },
    }),
    typeCase({
      type: 'AWS::Events::EventBus',
      needs: async (env) => ({ ...(await targets(env)), key: await keyOf(env) }),
      least: () => ({ Name: 'one' }),
      most: ({ queue, key }) => ({
        DeadLetterConfig: { Arn: queue },
        Description: 'described',
        KmsKeyIdentifier: key,
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
      needs: async (env) => ({ bus: (await busOf(env)).attributes.Arn, key: await keyOf(env) }),
      least: ({ bus }) => ({ SourceArn: bus, EventPattern: { source: ['app'] } }),
      most: ({ key }) => ({
        Description: 'described',
        EventPattern: { source: ['other'] },
        KmsKeyIdentifier: key,
        RetentionDays: 3,
      }),
      other: () => ({ ArchiveName: 'named' }),
    }),
    typeCase({
      type: 'AWS::Events::Connection',
      needs: keyOf,
      least: () => ({
        AuthorizationType: 'API_KEY',
        AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'k', ApiKeyValue: 'v' } },
      }),
      most: (key) => ({ Description: 'described', KmsKeyIdentifier: key }),
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
      variants: {
        'of a group, with a key': typeVariant({
          needs: async (env) => ({
            ...(await targets(env)),
            group: (await env.make('AWS::Scheduler::ScheduleGroup', { Name: `group${++count}` })).id,
            key: (await env.make('AWS::KMS::Key')).attributes.Arn!,
          }),
          least: ({ queue, role }) => ({
            FlexibleTimeWindow: { Mode: 'OFF' },
            ScheduleExpression: 'rate(1 hour)',
            Target: { Arn: queue, RoleArn: role },
          }),
          most: ({ key }) => ({ KmsKeyArn: key }),
          other: ({ group }) => ({ Name: 'of-a-group', GroupName: group }),
        }),
      },
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
      variants: {
        'by an object, with a key and logs': typeVariant({
          needs: async (env) => ({
            role: (await env.make('AWS::IAM::Role', ROLE)).attributes.Arn,
            key: (await env.make('AWS::KMS::Key')).attributes.Arn!,
            group: (await env.make('AWS::Logs::LogGroup')).attributes.Arn!,
          }),
          least: ({ role }) => ({ RoleArn: role, Definition: JSON.parse(pass()) as object as never }),
          most: ({ key, group }) => ({
            Definition: JSON.parse(pass(`\${comment}`)) as never,
            DefinitionSubstitutions: { comment: 'substituted' },
            EncryptionConfiguration: {
              Type: 'CUSTOMER_MANAGED_KMS_KEY',
              KmsKeyId: key,
              KmsDataKeyReusePeriodSeconds: 300,
            },
            LoggingConfiguration: {
              Level: 'ALL',
              IncludeExecutionData: true,
              Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: group } }],
            },
          }),
          other: () => ({ StateMachineName: 'by-an-object' }),
          unread: { Definition: 'returned as text', DefinitionSubstitutions: 'are in the text' },
        }),
        'by an object of S3': typeVariant({
          needs: async (env) => {
            await env.call('s3', 'CreateBucket', { Bucket: 'machines' }).catch(() => undefined);
            for (const Key of ['one', 'two'])
              await env.call('s3', 'PutObject', { Bucket: 'machines', Key, Body: btoa(pass(Key)) });
            return (await env.make('AWS::IAM::Role', ROLE)).attributes.Arn;
          },
          least: (role) => ({ RoleArn: role, DefinitionS3Location: { Bucket: 'machines', Key: 'one' } }),
          most: () => ({ DefinitionS3Location: { Bucket: 'machines', Key: 'two' } }),
          other: () => ({ StateMachineName: 'of-s3' }),
          unread: { DefinitionS3Location: 'returned as text' },
        }),
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
      variants: {
        'of percentiles': typeVariant({
          least: () => ({
            ComparisonOperator: 'GreaterThanThreshold',
            EvaluationPeriods: 1,
            ExtendedStatistic: 'p90',
            MetricName: 'm',
            Namespace: 'n',
            Period: 60,
            Threshold: 1,
          }),
          most: () => ({ EvaluateLowSampleCountPercentile: 'ignore', ExtendedStatistic: 'p99' }),
          other: () => ({ AlarmName: 'percentiles' }),
        }),
        'of a band': typeVariant({
          least: () => ({
            ComparisonOperator: 'GreaterThanUpperThreshold',
            EvaluationPeriods: 1,
            Metrics: band(2),
            ThresholdMetricId: 'band',
          }),
          most: () => ({ Metrics: band(3) }),
          other: () => ({ AlarmName: 'banded' }),
        }),
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
      variants: {
        'with a suppressor': typeVariant({
          needs: async (env) =>
            (await env.make('AWS::CloudWatch::CompositeAlarm', { AlarmRule: 'TRUE' })).attributes.Arn!,
          least: () => ({ AlarmRule: 'TRUE' }),
          most: (arn) => ({
            ActionsSuppressor: arn,
            ActionsSuppressorExtensionPeriod: 60,
            ActionsSuppressorWaitPeriod: 30,
          }),
          other: () => ({ AlarmName: 'suppressed' }),
        }),
      },
    }),
  ],
);

test('a permission of an event bus can also be given as a principal with an action', async () => {
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
