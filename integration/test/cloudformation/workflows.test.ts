import { createTestEmulator, fakeService, testProvider } from '@emu/gateway/testing';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as resourcegroups } from '@emu/svc-resourcegroups/manifest';
import { manifest as tagging } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { describe, expect, test } from 'vitest';
import { describeTypes, type Env, typeCase } from './support.ts';

const TAGS = [{ Key: 'a', Value: '1' }];

const roleOf = async (env: Env, Service: string) =>
  (
    await env.make('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }],
      },
    })
  ).attributes.Arn!;

const definition = (Comment: string) => JSON.stringify({ Comment, StartAt: 'A', States: { A: { Type: 'Succeed' } } });

/** Creates a state machine with two versions. */
async function versionsOf(env: Env) {
  const RoleArn = await roleOf(env, 'states.amazonaws.com');
  const { id } = await env.make('AWS::StepFunctions::StateMachine', { RoleArn, DefinitionString: definition('one') });
  const one = (await env.make('AWS::StepFunctions::StateMachineVersion', { StateMachineArn: id })).id;
  await env.call('stepfunctions', 'UpdateStateMachine', { stateMachineArn: id, definition: definition('two') });
  const two = (await env.make('AWS::StepFunctions::StateMachineVersion', { StateMachineArn: id })).id;
  return { machine: id, one, two };
}

let apps = 0;
const TAGGING = 'arn:aws:iam::123456789012:role/tagging';

describeTypes(
  [iam, kms, lambda, resourcegroups, secretsmanager, sqs, stepfunctions, sts, tagging],
  [
    typeCase({
      type: 'AWS::StepFunctions::Activity',
      least: () => ({ Name: 'one' }),
      most: () => ({ Tags: TAGS }),
      other: () => ({ Name: 'two', EncryptionConfiguration: { Type: 'AWS_OWNED_KEY' } }),
      unread: { EncryptionConfiguration: 'returned for customer managed keys only' },
    }),
    typeCase({
      type: 'AWS::StepFunctions::StateMachineVersion',
      needs: async (env) => {
        const machine = async () => {
          const RoleArn = await roleOf(env, 'states.amazonaws.com');
          return (await env.make('AWS::StepFunctions::StateMachine', { RoleArn, DefinitionString: definition('one') }))
            .id;
        };
        return [await machine(), await machine()] as const;
      },
      least: ([one]) => ({ StateMachineArn: one }),
      other: ([, two]) => ({ StateMachineArn: two, Description: 'described', StateMachineRevisionId: 'INITIAL' }),
    }),
    typeCase({
      type: 'AWS::StepFunctions::StateMachineAlias',
      needs: versionsOf,
      least: ({ machine, one }) => ({
        StateMachineArn: machine,
        RoutingConfiguration: [{ StateMachineVersionArn: one, Weight: 100 }],
      }),
      most: ({ one, two }) => ({
        Description: 'described',
        RoutingConfiguration: [
          { StateMachineVersionArn: one, Weight: 40 },
          { StateMachineVersionArn: two, Weight: 60 },
        ],
      }),
      other: () => ({ Name: 'named' }),
      untried: { DeploymentPreference: 'instead of routes; see below' },
    }),
    typeCase({
      type: 'AWS::SecretsManager::RotationSchedule',
      deployed: { uncontrolled: 'the first rotation is not over when it is changed' },
      needs: async (env) => {
        const secret = async () => (await env.make('AWS::SecretsManager::Secret')).id;
        const RotationLambdaARN = async () => {
          const made = await env.make('AWS::Lambda::Function', {
            Role: await roleOf(env, 'lambda.amazonaws.com'),
            Code: { ZipFile: 'exports.handler = async () => {}' },
            Handler: 'index.handler',
            Runtime: 'nodejs22.x',
          });
          await env.make('AWS::Lambda::Permission', {
            Action: 'lambda:InvokeFunction',
            FunctionName: made.id,
            Principal: 'secretsmanager.amazonaws.com',
          });
          return made.attributes.Arn!;
        };
        return {
          one: await secret(),
          two: await secret(),
          first: await RotationLambdaARN(),
          second: await RotationLambdaARN(),
        };
      },
      least: ({ one, first }) => ({
        SecretId: one,
        RotationLambdaARN: first,
        RotationRules: { AutomaticallyAfterDays: 10 },
        RotateImmediatelyOnUpdate: false,
      }),
      most: ({ second }) => ({
        RotationLambdaARN: second,
        RotationRules: { Duration: '2h', ScheduleExpression: 'rate(20 days)' },
      }),
      other: ({ two }) => ({ SecretId: two }),
      unread: { RotateImmediatelyOnUpdate: 'only says when' },
      untried: {
        ExternalSecretRotationMetadata: 'of secrets of partners',
        ExternalSecretRotationRoleArn: 'of secrets of partners',
      },
    }),
    typeCase({
      type: 'AWS::ResourceGroups::Group',
      least: () => ({
        Name: 'one',
        ResourceQuery: { Type: 'TAG_FILTERS_1_0', Query: { TagFilters: [{ Key: 'a', Values: ['1'] }] } },
      }),
      most: () => ({
        Description: 'described',
        ResourceQuery: {
          Type: 'TAG_FILTERS_1_0',
          Query: { ResourceTypeFilters: ['AWS::SQS::Queue'], TagFilters: [{ Key: 'b', Values: ['2'] }] },
        },
        Tags: TAGS,
      }),
      other: () => ({ Name: 'two' }),
      untried: {
        Configuration: 'not together with a query; see below',
        Resources: 'not together with a query; see below',
      },
    }),
    typeCase({
      type: 'AWS::ResourceGroups::TagSyncTask',
      needs: async (env) => {
        const Configuration = [{ Type: 'AWS::ResourceGroups::ApplicationGroup' }];
        const made = async (Name: string) => (await env.make('AWS::ResourceGroups::Group', { Name, Configuration })).id;
        return { one: await made(`app${++apps}`), two: await made(`app${++apps}`) };
      },
      least: ({ one }) => ({ Group: one, RoleArn: TAGGING, TagKey: 'team', TagValue: 'a' }),
      other: ({ two }) => ({ Group: two, RoleArn: `${TAGGING}2`, TagKey: 'group', TagValue: 'b' }),
    }),
  ],
);

describe('groups with a configuration', () => {
  test('are updated in place, and fail with invalid resources', async () => {
    await using emulator = await createTestEmulator({ manifests: [resourcegroups, sqs, tagging] });
    const { provider, ctx, created } = await testProvider(emulator, 'AWS::ResourceGroups::Group');
    const allowing = (...Values: string[]) => [
      { Type: 'AWS::ResourceGroups::Generic', Parameters: [{ Name: 'allowed-resource-types', Values }] },
    ];
    const first = { Name: 'group', Configuration: allowing('AWS::EC2::Host') };
    const second = { Name: 'group', Configuration: allowing('AWS::EC2::CapacityReservation') };
    const { identifier } = await provider.create(first, ctx);
    expect((await provider.read(identifier, ctx))?.properties).toMatchObject(first);
    await provider.update!(identifier, first, second, ctx);
    expect((await provider.read(identifier, ctx))?.properties).toMatchObject(second);
    const Resources = [`arn:aws:sqs:us-east-1:${emulator.kernel.settings.accountId}:none`];
    await expect(provider.create({ ...first, Name: 'other', Resources }, ctx)).rejects.toThrow(
      `The resource ${Resources[0]} does not exist.`,
    );
    expect(created).toContain('other');
  });
});

test('a definition in S3 is read up to the maximum length', async () => {
  const pieces = 40;
  let read = 0;
  async function* body(Key: unknown): AsyncGenerator<Uint8Array> {
    if (Key === 'small') yield Buffer.from(definition('from S3'));
    else if (Key === 'yaml') yield Buffer.from(`StartAt: \${First}\nStates: { S: { Type: Succeed } }\n`);
    else for (; read < pieces; read++) yield Buffer.alloc(100_000, ' ');
  }
  const s3 = fakeService('s3', { GetObject: ({ Key }) => ({ Body: body(Key) }) });
  await using emulator = await createTestEmulator({ manifests: [s3, stepfunctions] });
  const { provider, ctx } = await testProvider(emulator, 'AWS::StepFunctions::StateMachine');
  const machine = (StateMachineName: string, Key: string) => ({
    StateMachineName,
    RoleArn: 'arn:aws:iam::000000000000:role/r',
    DefinitionS3Location: { Bucket: 'b', Key },
    DefinitionSubstitutions: { First: 'S' },
  });
  const { identifier } = await provider.create(machine('small', 'small'), ctx);
  const described = await ctx.call('stepfunctions', 'DescribeStateMachine', { stateMachineArn: identifier });
  expect(described.definition).toBe(definition('from S3'));
  const { identifier: yaml } = await provider.create(machine('yaml', 'yaml'), ctx);
  const converted = await ctx.call('stepfunctions', 'DescribeStateMachine', { stateMachineArn: yaml });
  expect(converted.definition).toBe('{"StartAt":"S","States":{"S":{"Type":"Succeed"}}}');
  await expect(provider.create(machine('large', 'large'), ctx)).rejects.toThrow(
    "Invalid State Machine Definition: 'The definition is larger than 1048576 bytes'",
  );
  expect(read).toBeLessThan(pieces);
});

describe('aliases with a deployment preference', () => {
  const versions = async () => {
    const emulator = await createTestEmulator({ manifests: [cloudwatch, iam, stepfunctions, sts] });
    const env = {
      make: async (type: string, properties = {}) => {
        const { provider, ctx } = await testProvider(emulator, type);
        const { identifier: id } = await provider.create(properties, ctx);
        return { id, attributes: (await provider.read(id, ctx))!.attributes as Record<string, string> };
      },
      call: (service: string, operation: string, input: object) =>
        emulator.kernel.callJson(service, operation, input) as never,
    };
    const { one, two } = await versionsOf(env as unknown as Env);
    const { provider, ctx } = await testProvider(emulator, 'AWS::StepFunctions::StateMachineAlias');
    return { emulator, env, one, two, provider, ctx };
  };

  test.each(['CANARY', 'LINEAR'])('move with %s as the clock advances', async (Type) => {
    const { emulator, one, two, provider, ctx } = await versions();
    await using _ = emulator;
    const preference = { Type, Interval: 1, Percentage: 50 };
    const first = { DeploymentPreference: { ...preference, StateMachineVersionArn: one } };
    const second = { DeploymentPreference: { ...preference, StateMachineVersionArn: two } };
    const { identifier } = await provider.create(first, ctx);
    const routes = async () =>
      (await ctx.call('stepfunctions', 'DescribeStateMachineAlias', { stateMachineAliasArn: identifier }))
        .routingConfiguration;
    emulator.kernel.clock.freeze();
    const moving = provider.update!(identifier, first, second, ctx);
    await expect.poll(routes).toEqual([
      { stateMachineVersionArn: one, weight: 50 },
      { stateMachineVersionArn: two, weight: 50 },
    ]);
    await emulator.kernel.clock.advance(61_000);
    await moving;
    expect(await routes()).toEqual([{ stateMachineVersionArn: two, weight: 100 }]);
  });

  test('move back after an alarm', async () => {
    const { emulator, env, one, two, provider, ctx } = await versions();
    await using _ = emulator;
    const alarm = {
      AlarmName: 'failures',
      Namespace: 'n',
      MetricName: 'm',
      ComparisonOperator: 'GreaterThanThreshold',
      EvaluationPeriods: 1,
      Period: 60,
      Statistic: 'Sum',
      Threshold: 1,
    };
    await env.make('AWS::CloudWatch::Alarm', alarm);
    const preference = { Type: 'CANARY', Interval: 5, Percentage: 10, Alarms: ['failures'] };
    const first = { DeploymentPreference: { ...preference, StateMachineVersionArn: one } };
    const second = { DeploymentPreference: { ...preference, StateMachineVersionArn: two } };
    const { identifier } = await provider.create(first, ctx);
    await ctx.call('cloudwatch', 'SetAlarmState', {
      AlarmName: 'failures',
      StateValue: 'ALARM',
      StateReason: 'too many',
    });
    await expect(provider.update!(identifier, first, second, ctx)).rejects.toThrow('alarm failures is in ALARM state');
    const { routingConfiguration } = await ctx.call('stepfunctions', 'DescribeStateMachineAlias', {
      stateMachineAliasArn: identifier,
    });
    expect(routingConfiguration).toEqual([{ stateMachineVersionArn: one, weight: 100 }]);
  });
});
