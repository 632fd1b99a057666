import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { describeTypes, type Env, typeCase } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];

const groupsOf = async (env: Env) => [await env.make('AWS::Logs::LogGroup'), await env.make('AWS::Logs::LogGroup')];
const namesOf = async (env: Env) => (await groupsOf(env)).map(({ id }) => id);

const streamOf = async (env: Env) => (await env.make('AWS::Kinesis::Stream', { ShardCount: 1 })).attributes.Arn!;

const roleOf = async (env: Env) =>
  (
    await env.make('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: 'logs.amazonaws.com' }, Action: 'sts:AssumeRole' }],
      },
      Policies: [
        {
          PolicyName: 'all',
          PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] },
        },
      ],
    })
  ).attributes.Arn!;

const poolOf = async (env: Env) => (await env.make('AWS::Cognito::UserPool', { UserPoolName: 'pool' })).attributes.Arn!;

const policy = (action: string, resource = '*') => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: '111122223333' }, Action: action, Resource: resource }],
});

let names = 0;
const destinationOf = async (env: Env) => {
  const bucket = await env.make('AWS::S3::Bucket');
  return (
    await env.make('AWS::Logs::DeliveryDestination', {
      Name: `destination${++names}`,
      DestinationResourceArn: bucket.attributes.Arn,
    })
  ).attributes.Arn!;
};
const sourceOf = async (env: Env) =>
  (
    await env.make('AWS::Logs::DeliverySource', {
      Name: `source${++names}`,
      LogType: 'USER_NOTIFICATION',
      ResourceArn: await poolOf(env),
    })
  ).id;

describeTypes(
  [cognito, iam, kinesis, logs, s3, sts],
  [
    typeCase({
      type: 'AWS::Logs::SubscriptionFilter',
      needs: async (env) => ({
        groups: await namesOf(env),
        role: await roleOf(env),
        one: await streamOf(env),
        two: await streamOf(env),
      }),
      least: ({ groups: [one], role, one: stream }) => ({
        LogGroupName: one,
        DestinationArn: stream,
        FilterPattern: 'one',
        RoleArn: role,
      }),
      most: ({ two }) => ({ DestinationArn: two, Distribution: 'Random', FilterPattern: 'two' }),
      other: ({ groups: [, two] }) => ({ LogGroupName: two, FilterName: 'named' }),
      untried: {
        ApplyOnTransformedLogs: 'needs a transformer',
        EmitSystemFields: 'only of groups of accounts',
        FieldSelectionCriteria: 'only of groups of accounts',
      },
    }),
    typeCase({
      type: 'AWS::Logs::AccountPolicy',
      least: () => ({
        PolicyName: 'one',
        PolicyType: 'FIELD_INDEX_POLICY',
        PolicyDocument: JSON.stringify({ Fields: ['a'] }),
        SelectionCriteria: 'LogGroupNamePrefix IN ["one"]',
      }),
      most: () => ({ PolicyDocument: JSON.stringify({ Fields: ['b'] }) }),
      other: () => ({ PolicyName: 'two', Scope: 'ALL', SelectionCriteria: 'LogGroupNamePrefix IN ["two"]' }),
    }),
    typeCase({
      type: 'AWS::Logs::Destination',
      needs: async (env) => ({
        role: await roleOf(env),
        other: await roleOf(env),
        one: await streamOf(env),
        two: await streamOf(env),
        arn: (name: string) => `arn:aws:logs:us-east-1:${env.emulator.kernel.settings.accountId}:destination:${name}`,
      }),
      least: ({ role, one, arn }) => ({
        DestinationName: 'one',
        DestinationPolicy: JSON.stringify(policy('logs:PutSubscriptionFilter', arn('one'))),
        RoleArn: role,
        TargetArn: one,
      }),
      most: ({ other, two, arn }) => ({
        DestinationPolicy: JSON.stringify(policy('logs:*', arn('one'))),
        RoleArn: other,
        Tags: TAGS,
        TargetArn: two,
      }),
      other: () => ({ DestinationName: 'two' }),
    }),
    typeCase({
      type: 'AWS::Logs::DeliverySource',
      needs: async (env) => [await poolOf(env), await poolOf(env)] as const,
      least: ([one]) => ({ Name: 'one', LogType: 'USER_NOTIFICATION', ResourceArn: one }),
      most: () => ({ LogType: 'USER_AUTH_EVENTS', Tags: TAGS }),
      other: ([, two]) => ({ Name: 'two', ResourceArn: two }),
      untried: { DeliverySourceConfiguration: 'is of services that have one' },
    }),
    typeCase({
      type: 'AWS::Logs::DeliveryDestination',
      needs: async (env) => [await env.make('AWS::S3::Bucket'), await env.make('AWS::S3::Bucket')] as const,
      least: ([one]) => ({ Name: 'one', DestinationResourceArn: one.attributes.Arn }),
      most: () => ({
        DeliveryDestinationPolicy: { DeliveryDestinationPolicy: policy('logs:CreateDelivery') },
        Tags: TAGS,
      }),
      other: ([, two]) => ({
        Name: 'two',
        DeliveryDestinationType: 'S3',
        DestinationResourceArn: two.attributes.Arn,
        OutputFormat: 'json',
      }),
    }),
    typeCase({
      type: 'AWS::Logs::Delivery',
      needs: async (env) => ({
        sources: [await sourceOf(env), await sourceOf(env)] as const,
        destination: await destinationOf(env),
      }),
      least: ({ sources: [one], destination }) => ({ DeliverySourceName: one, DeliveryDestinationArn: destination }),
      most: () => ({ S3EnableHiveCompatiblePath: true, S3SuffixPath: '{yyyy}', Tags: TAGS }),
      other: ({ sources: [, two] }) => ({
        DeliverySourceName: two,
        FieldDelimiter: ',',
        RecordFields: ['event_timestamp'],
      }),
      kept: { S3EnableHiveCompatiblePath: 'is returned from then on', S3SuffixPath: 'cannot be taken away' },
    }),
    typeCase({
      type: 'AWS::Logs::Transformer',
      needs: namesOf,
      least: ([one]) => ({ LogGroupIdentifier: one, TransformerConfig: [{ ParseJSON: {} }] }),
      most: () => ({
        TransformerConfig: [
          { ParseJSON: { Source: '@message' } },
          { AddKeys: { Entries: [{ Key: 'a', Value: '1', OverwriteIfExists: true }] } },
        ],
      }),
      other: ([, two]) => ({ LogGroupIdentifier: two }),
      unread: { TransformerConfig: 'with the defaults of its processors' },
    }),
    typeCase({
      type: 'AWS::Logs::Integration',
      needs: roleOf,
      least: (role) => ({
        IntegrationName: 'one',
        IntegrationType: 'OPENSEARCH',
        ResourceConfig: {
          OpenSearchResourceConfig: {
            DashboardViewerPrincipals: ['arn:aws:iam::123456789012:role/viewer'],
            DataSourceRoleArn: role,
            RetentionDays: 5,
          },
        },
      }),
      single: true,
    }),
    typeCase({
      type: 'AWS::Logs::ScheduledQuery',
      needs: async (env) => ({ role: await roleOf(env), other: await roleOf(env), groups: await namesOf(env) }),
      least: ({ role, groups: [one] }) => ({
        Name: 'one',
        ExecutionRoleArn: role,
        LogGroupIdentifiers: [one],
        QueryLanguage: 'CWLI',
        QueryString: 'fields @message',
        ScheduleExpression: 'cron(0 * * * ? *)',
      }),
      most: ({ other, groups: [, two] }) => ({
        Description: 'described',
        DestinationConfiguration: {
          S3Configuration: { DestinationIdentifier: 's3://bucket/prefix', RoleArn: other },
        },
        ExecutionRoleArn: other,
        LogGroupIdentifiers: [two],
        QueryString: 'fields @timestamp',
        ScheduleEndTime: 4_100_000_000,
        ScheduleExpression: 'cron(30 * * * ? *)',
        ScheduleStartTime: 4_000_000_000,
        StartTimeOffset: 600,
        State: 'DISABLED',
        Tags: TAGS,
        Timezone: 'Europe/Berlin',
      }),
      other: () => ({ Name: 'two' }),
    }),
    typeCase({
      type: 'AWS::Logs::LogAnomalyDetector',
      needs: async (env) => (await groupsOf(env)).map(({ attributes }) => attributes.Arn!.replace(/:\*$/, '')),
      least: ([one]) => ({ LogGroupArnList: [one], EvaluationFrequency: 'ONE_HOUR' }),
      most: () => ({ AnomalyVisibilityTime: 30, EvaluationFrequency: 'FIVE_MIN', FilterPattern: 'error' }),
      untried: {
        DetectorName: 'is given once',
        KmsKeyId: 'needs a key that logs may use',
      },
    }),
  ],
);
