import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { describeTypes, type Env, typeCase, typeVariant } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];
const ROOT = 'arn:aws:iam::123456789012:root';
const policy = (Action: string, Sid = 's') => ({
  Version: '2012-10-17',
  Statement: [{ Sid, Effect: 'Allow', Principal: { AWS: ROOT }, Action, Resource: '*' }],
});

const groups = async (env: Env) => ({
  one: (await env.make('AWS::Logs::LogGroup')).id,
  two: (await env.make('AWS::Logs::LogGroup')).id,
});

/** Content of a document that runs a line. */
const command = (line: string) => ({
  schemaVersion: '2.2',
  mainSteps: [{ action: 'aws:runShellScript', name: 'run', inputs: { runCommand: [line] } }],
});

describeTypes(
  [kms, secretsmanager, ssm, logs, iam, lambda, kinesis],
  [
    typeCase({
      type: 'AWS::KMS::Key',
      deployed: { refuses: 'The MultiRegion of a KMS key cannot be changed.' },
      least: () => ({}),
      most: () => ({
        Description: 'described',
        EnableKeyRotation: true,
        KeyPolicy: policy('kms:*', 'other'),
        RotationPeriodInDays: 100,
        Tags: TAGS,
      }),
      other: () => ({
        KeySpec: 'SYMMETRIC_DEFAULT',
        KeyUsage: 'ENCRYPT_DECRYPT',
        MultiRegion: true,
        Origin: 'AWS_KMS',
      }),
      unread: { RotationPeriodInDays: 'returned while the key rotates' },
      untried: {
        BypassPolicyLockoutSafetyCheck: 'only says what is checked',
        Enabled: 'a disabled key does not rotate',
        PendingWindowInDays: 'only says how it is deleted',
      },
    }),
    typeCase({
      type: 'AWS::KMS::Alias',
      needs: async (env) => [(await env.make('AWS::KMS::Key')).id, (await env.make('AWS::KMS::Key')).id] as const,
      least: ([one]) => ({ AliasName: 'alias/one', TargetKeyId: one }),
      most: ([, two]) => ({ TargetKeyId: two }),
      other: () => ({ AliasName: 'alias/two' }),
    }),
    typeCase({
      type: 'AWS::KMS::ReplicaKey',
      deployed: { uncontrolled: 'another replica can be made when the first one is gone, days later' },
      needs: async (env) => {
        const primary = async () => {
          const made = (await env.emulator.kernel.callJson(
            'kms',
            'CreateKey',
            { MultiRegion: true },
            { accountId: env.emulator.kernel.settings.accountId, region: 'eu-west-1' },
          )) as { KeyMetadata: { Arn: string } };
          return made.KeyMetadata.Arn;
        };
        return [await primary(), await primary()] as const;
      },
      least: ([one]) => ({ PrimaryKeyArn: one, KeyPolicy: policy('kms:*') }),
      most: () => ({ Description: 'described', KeyPolicy: policy('kms:*', 'other'), Enabled: false, Tags: TAGS }),
      other: ([, two]) => ({ PrimaryKeyArn: two }),
      untried: { PendingWindowInDays: 'only says how it is deleted' },
    }),
    typeCase({
      type: 'AWS::SecretsManager::Secret',
      needs: async (env) => (await env.make('AWS::KMS::Key')).id,
      least: () => ({}),
      most: (key) => ({
        Description: 'described',
        GenerateSecretString: { GenerateStringKey: 'password', SecretStringTemplate: '{"user":"a"}' },
        KmsKeyId: key,
        Tags: TAGS,
      }),
      other: () => ({ Name: 'named' }),
      unread: { GenerateSecretString: 'never returned' },
      kept: { KmsKeyId: 'names the key of the service itself' },
      variants: {
        'with a value of its own, in other regions': typeVariant({
          least: () => ({ SecretString: 'one' }),
          most: () => ({ SecretString: 'two', ReplicaRegions: [{ Region: 'eu-west-1' }] }),
          other: () => ({ Name: 'replicated' }),
          unread: { SecretString: 'never returned' },
        }),
      },
    }),
    typeCase({
      type: 'AWS::SecretsManager::ResourcePolicy',
      needs: async (env) =>
        [
          (await env.make('AWS::SecretsManager::Secret')).id,
          (await env.make('AWS::SecretsManager::Secret')).id,
        ] as const,
      least: ([one]) => ({ SecretId: one, ResourcePolicy: policy('secretsmanager:GetSecretValue') }),
      most: () => ({ ResourcePolicy: policy('secretsmanager:DescribeSecret'), BlockPublicPolicy: true }),
      other: ([, two]) => ({ SecretId: two }),
      unread: { BlockPublicPolicy: 'only says what is checked' },
    }),
    typeCase({
      type: 'AWS::SSM::Document',
      least: () => ({ DocumentType: 'Command', Content: command('one'), UpdateMethod: 'NewVersion' }),
      most: () => ({
        Content: command('two'),
        TargetType: '/AWS::EC2::Instance',
        VersionName: 'second',
        Tags: TAGS,
      }),
      other: () => ({ Name: 'named', DocumentType: 'Policy' }),
      unread: { UpdateMethod: 'only says how a change is made' },
      kept: { TargetType: 'an update without it keeps the one of the version before' },
      untried: {
        Attachments: 'needs a bucket with files',
        DocumentFormat: 'of content that is an object it is JSON',
        Requires: 'names documents of AppConfig',
      },
    }),
    typeCase({
      type: 'AWS::SSM::Parameter',
      least: () => ({ Type: 'String', Value: 'one' }),
      most: () => ({ Description: 'described', AllowedPattern: '[a-z]+', Value: 'two', Tags: { a: '1' } }),
      other: () => ({ Name: '/named', DataType: 'text' }),
      variants: {
        advanced: typeVariant({
          least: () => ({ Type: 'String', Value: 'one', Tier: 'Advanced' }),
          most: () => ({
            Policies: JSON.stringify([
              { Type: 'Expiration', Version: '1.0', Attributes: { Timestamp: '2040-01-01T00:00:00.000Z' } },
            ]),
          }),
          other: () => ({ Name: '/advanced' }),
        }),
      },
    }),
    typeCase({
      type: 'AWS::Logs::LogGroup',
      least: () => ({}),
      most: () => ({
        DeletionProtectionEnabled: false,
        FieldIndexPolicies: [{ Fields: ['requestId'] }],
        RetentionInDays: 7,
        Tags: TAGS,
      }),
      other: () => ({ LogGroupName: '/named', LogGroupClass: 'STANDARD' }),
      untried: { DataProtectionPolicy: 'few identifiers are there', KmsKeyId: 'needs a key that logs may use' },
    }),
    typeCase({
      type: 'AWS::Logs::LogStream',
      needs: groups,
      least: ({ one }) => ({ LogGroupName: one }),
      other: ({ two }) => ({ LogGroupName: two, LogStreamName: 'named' }),
    }),
    typeCase({
      type: 'AWS::Logs::MetricFilter',
      needs: groups,
      least: ({ one }) => ({
        LogGroupName: one,
        FilterPattern: '{ $.a = 1 }',
        MetricTransformations: [{ MetricName: 'm', MetricNamespace: 'n', MetricValue: '1' }],
      }),
      most: () => ({
        FilterPattern: '{ $.a = 2 }',
        MetricTransformations: [
          {
            MetricName: 'm2',
            MetricNamespace: 'n',
            MetricValue: '1',
            Unit: 'Count',
            Dimensions: [{ Key: 'd', Value: '$.a' }],
          },
        ],
      }),
      other: ({ two }) => ({ LogGroupName: two, FilterName: 'named' }),
      untried: {
        ApplyOnTransformedLogs: 'needs a transformer',
        EmitSystemFieldDimensions: 'only of groups of accounts',
        FieldSelectionCriteria: 'only of groups of accounts',
      },
    }),
    typeCase({
      type: 'AWS::Logs::ResourcePolicy',
      least: () => ({ PolicyName: 'one', PolicyDocument: policy('logs:PutLogEvents') }),
      most: () => ({ PolicyDocument: policy('logs:CreateLogStream') }),
      other: () => ({ PolicyName: 'two' }),
    }),
    typeCase({
      type: 'AWS::Logs::QueryDefinition',
      needs: groups,
      least: () => ({ Name: 'one', QueryString: 'fields @message' }),
      most: ({ one }) => ({ Name: 'renamed', QueryString: 'fields @timestamp', LogGroupNames: [one] }),
      kept: { QueryLanguage: 'returned unchanged' },
      untried: { Parameters: 'not with every language', QueryLanguage: 'one language only' },
    }),
  ],
);
