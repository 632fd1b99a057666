import * as cloudcontrol from '@aws-sdk/client-cloudcontrol';
import * as cloudformation from '@aws-sdk/client-cloudformation';
import * as cloudwatch from '@aws-sdk/client-cloudwatch';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as iam from '@aws-sdk/client-iam';
import * as kinesis from '@aws-sdk/client-kinesis';
import * as lambda from '@aws-sdk/client-lambda';
import * as s3 from '@aws-sdk/client-s3';
import * as ses from '@aws-sdk/client-ses';
import * as ssm from '@aws-sdk/client-ssm';
import { createTestEmulator, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as cloudcontrolManifest } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformationManifest } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatchManifest } from '@emu/svc-cloudwatch/manifest';
import { manifest as dynamodbManifest } from '@emu/svc-dynamodb/manifest';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as kinesisManifest } from '@emu/svc-kinesis/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sesManifest } from '@emu/svc-ses/manifest';
import { manifest as ssmManifest } from '@emu/svc-ssm/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [
      cloudcontrolManifest,
      cloudformationManifest,
      cloudwatchManifest,
      dynamodbManifest,
      iamManifest,
      kinesisManifest,
      lambdaManifest,
      s3Manifest,
      sesManifest,
      ssmManifest,
      stsManifest,
    ],
  });
  // Stacks and requests create users: a service is loaded when it is first used.
  await new iam.IAM(emulator.clientConfig()).listUsers({});
});
afterAll(() => emulator.close());

const ROLE = 'arn:aws:iam::000000000000:role/r';
const TemplateBody = JSON.stringify({ Resources: { Queue: { Type: 'AWS::IAM::User' } } });
const changed = JSON.stringify({ Resources: { Queue: { Type: 'AWS::IAM::User' }, Two: { Type: 'AWS::IAM::Group' } } });
const Capabilities: cloudformation.Capability[] = ['CAPABILITY_IAM'];

/** Starts what a waiter waits for; returns the input of the waiter. */
type Start<C> = (client: C) => Promise<object>;

const table = async (client: dynamodb.DynamoDB, TableName: string) => {
  await client.createTable({
    TableName,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  return { TableName };
};
const fn = async (client: lambda.Lambda, FunctionName: string) => {
  const Code = { ZipFile: zipOf({ 'index.js': 'exports.handler = async () => 1;' }) };
  await client.createFunction({ FunctionName, Role: ROLE, Runtime: 'nodejs20.x', Handler: 'index.handler', Code });
  return { FunctionName };
};
const updatedFn = async (client: lambda.Lambda, name: string) => {
  const { FunctionName } = await fn(client, name);
  await client.updateFunctionConfiguration({ FunctionName, Timeout: 5 });
  return { FunctionName };
};
const stack = async (client: cloudformation.CloudFormation, StackName: string) => {
  await client.createStack({ StackName, TemplateBody, Capabilities });
  return { StackName };
};
const alarm = async (client: cloudwatch.CloudWatch, AlarmName: string) => {
  const threshold = { Threshold: 1, EvaluationPeriods: 1, Period: 60, Statistic: 'Sum' } as const;
  const ComparisonOperator = 'GreaterThanThreshold';
  await client.putMetricAlarm({ AlarmName, Namespace: 'A', MetricName: 'm', ComparisonOperator, ...threshold });
  return { AlarmNames: [AlarmName] };
};
const stream = async (client: kinesis.Kinesis, StreamName: string) => {
  await client.createStream({ StreamName, ShardCount: 1 });
  return { StreamName };
};
const bucket = async (client: s3.S3, Bucket: string) => {
  await client.createBucket({ Bucket });
  return { Bucket };
};
const stackDone = async (client: cloudformation.CloudFormation, StackName: string) => {
  await stack(client, StackName);
  await cloudformation.waitUntilStackCreateComplete({ client, maxWaitTime: 60 }, { StackName });
  return { StackName };
};

/** Plans to move a resource between two stacks. */
const refactor = async (client: cloudformation.CloudFormation, name: string) => {
  const [Group, User] = [{ Type: 'AWS::IAM::Group' }, { Type: 'AWS::IAM::User' }];
  const [from, to] = [`${name}-from`, `${name}-to`];
  const definition = (StackName: string, Resources: object) => ({
    StackName,
    TemplateBody: JSON.stringify({ Resources }),
  });
  for (const input of [definition(from, { Group, User }), definition(to, { Group })]) {
    await client.createStack({ ...input, Capabilities });
    await cloudformation.waitUntilStackCreateComplete({ client, maxWaitTime: 60 }, { StackName: input.StackName });
  }
  const StackDefinitions = [definition(from, { Group }), definition(to, { Group, User })];
  const { StackRefactorId } = await client.createStackRefactor({ StackDefinitions });
  return { StackRefactorId };
};

const CASES = {
  cloudformation: {
    module: cloudformation,
    make: () => new cloudformation.CloudFormation(emulator.clientConfig()),
    starts: {
      ChangeSetCreateComplete: async (client: cloudformation.CloudFormation) => {
        const input = { StackName: 'sets', ChangeSetName: 'one', TemplateBody, Capabilities };
        await client.createChangeSet({ ...input, ChangeSetType: 'CREATE' });
        return { StackName: 'sets', ChangeSetName: 'one' };
      },
      StackImportComplete: async (client: cloudformation.CloudFormation) => {
        const UserName = 'imported';
        await new iam.IAM(emulator.clientConfig()).createUser({ UserName });
        const User = { Type: 'AWS::IAM::User', DeletionPolicy: 'Retain', Properties: { UserName } };
        const input = { StackName: 'imported', ChangeSetName: 'import' };
        await client.createChangeSet({
          ...input,
          ChangeSetType: 'IMPORT',
          Capabilities: ['CAPABILITY_NAMED_IAM'],
          TemplateBody: JSON.stringify({ Resources: { User } }),
          ResourcesToImport: [{ ResourceType: User.Type, LogicalResourceId: 'User', ResourceIdentifier: { UserName } }],
        });
        await cloudformation.waitUntilChangeSetCreateComplete({ client, maxWaitTime: 60 }, input);
        await client.executeChangeSet(input);
        return { StackName: input.StackName };
      },
      StackRefactorCreateComplete: (client: cloudformation.CloudFormation) => refactor(client, 'planned'),
      StackRefactorExecuteComplete: async (client: cloudformation.CloudFormation) => {
        const input = await refactor(client, 'moved');
        await cloudformation.waitUntilStackRefactorCreateComplete({ client, maxWaitTime: 60 }, input);
        await client.executeStackRefactor(input);
        return input;
      },
      StackRollbackComplete: async (client: cloudformation.CloudFormation) => {
        const input = await stackDone(client, 'rolled-back');
        const Key = { Type: 'AWS::IAM::AccessKey', Properties: { UserName: 'missing' } };
        const failing = JSON.stringify({ Resources: { Queue: { Type: 'AWS::IAM::User' }, Key } });
        await client.updateStack({ ...input, TemplateBody: failing, Capabilities, DisableRollback: true });
        const status = async () => (await client.describeStacks(input)).Stacks![0]!.StackStatus;
        await expect.poll(status).toBe('UPDATE_FAILED');
        await client.rollbackStack(input);
        return input;
      },
      TypeRegistrationComplete: async (client: cloudformation.CloudFormation) => {
        const objects = new s3.S3({ ...emulator.clientConfig(), forcePathStyle: true });
        const place = { ...(await bucket(objects, 'extensions')), Key: 'module.zip' };
        await objects.putObject({ ...place, Body: zipOf({ 'fragments/fragment.json': TemplateBody }) });
        const { RegistrationToken } = await client.registerType({
          Type: 'MODULE',
          TypeName: 'My::Own::User::MODULE',
          SchemaHandlerPackage: `s3://${place.Bucket}/${place.Key}`,
        });
        return { RegistrationToken };
      },
      StackCreateComplete: (client: cloudformation.CloudFormation) => stack(client, 'created'),
      StackExists: (client: cloudformation.CloudFormation) => stack(client, 'existing'),
      StackDeleteComplete: async (client: cloudformation.CloudFormation) => {
        const input = await stackDone(client, 'deleted');
        await client.deleteStack(input);
        return input;
      },
      StackUpdateComplete: async (client: cloudformation.CloudFormation) => {
        const input = await stackDone(client, 'updated');
        await client.updateStack({ ...input, TemplateBody: changed, Capabilities });
        return input;
      },
    },
  },
  dynamodb: {
    module: dynamodb,
    make: () => new dynamodb.DynamoDB(emulator.clientConfig()),
    starts: {
      TableExists: (client: dynamodb.DynamoDB) => table(client, 'exists'),
      KinesisStreamingDestinationActive: async (client: dynamodb.DynamoDB) => {
        const input = await table(client, 'streaming');
        const streams = new kinesis.Kinesis(emulator.clientConfig());
        const changes = await streams.describeStream(await stream(streams, 'changes'));
        const StreamArn = changes.StreamDescription!.StreamARN;
        await client.enableKinesisStreamingDestination({ ...input, StreamArn });
        return input;
      },
      ExportCompleted: async (client: dynamodb.DynamoDB) => {
        const input = await table(client, 'exported');
        const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
        await client.updateContinuousBackups({ ...input, PointInTimeRecoverySpecification });
        await bucket(new s3.S3({ ...emulator.clientConfig(), forcePathStyle: true }), 'exports');
        const TableArn = (await client.describeTable(input)).Table!.TableArn;
        const { ExportDescription } = await client.exportTableToPointInTime({ TableArn, S3Bucket: 'exports' });
        return { ExportArn: ExportDescription!.ExportArn };
      },
      ImportCompleted: async (client: dynamodb.DynamoDB) => {
        const objects = new s3.S3({ ...emulator.clientConfig(), forcePathStyle: true });
        await bucket(objects, 'imports');
        await objects.putObject({ Bucket: 'imports', Key: 'items.json', Body: '{"Item":{"id":{"S":"a"}}}' });
        const { ImportTableDescription } = await client.importTable({
          S3BucketSource: { S3Bucket: 'imports' },
          InputFormat: 'DYNAMODB_JSON',
          TableCreationParameters: {
            TableName: 'imported',
            KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
            AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
            BillingMode: 'PAY_PER_REQUEST',
          },
        });
        return { ImportArn: ImportTableDescription!.ImportArn };
      },
      TableNotExists: async (client: dynamodb.DynamoDB) => {
        const input = await table(client, 'gone');
        await client.deleteTable(input);
        return input;
      },
    },
  },
  lambda: {
    module: lambda,
    make: () => new lambda.Lambda(emulator.clientConfig()),
    starts: {
      FunctionActive: (client: lambda.Lambda) => fn(client, 'active'),
      FunctionActiveV2: (client: lambda.Lambda) => fn(client, 'active2'),
      FunctionExists: (client: lambda.Lambda) => fn(client, 'existing'),
      FunctionUpdated: (client: lambda.Lambda) => updatedFn(client, 'updated'),
      PublishedVersionActive: async (client: lambda.Lambda) => {
        const { FunctionName } = await fn(client, 'published');
        const { Version } = await client.publishVersion({ FunctionName });
        return { FunctionName, Qualifier: Version };
      },
      FunctionUpdatedV2: (client: lambda.Lambda) => updatedFn(client, 'updated2'),
    },
  },
  cloudcontrol: {
    module: cloudcontrol,
    make: () => new cloudcontrol.CloudControl(emulator.clientConfig()),
    starts: {
      ResourceRequestSuccess: async (client: cloudcontrol.CloudControl) => {
        const { ProgressEvent } = await client.createResource({ TypeName: 'AWS::IAM::User', DesiredState: '{}' });
        return { RequestToken: ProgressEvent!.RequestToken };
      },
    },
  },
  cloudwatch: {
    module: cloudwatch,
    make: () => new cloudwatch.CloudWatch(emulator.clientConfig()),
    starts: {
      AlarmExists: (client: cloudwatch.CloudWatch) => alarm(client, 'one'),
      AlarmMuteRuleExists: async (client: cloudwatch.CloudWatch) => {
        const Rule = { Schedule: { Expression: 'cron(0 2 * * *)', Duration: 'PT1H' } };
        await client.putAlarmMuteRule({ Name: 'mute', Rule });
        return { AlarmMuteRuleName: 'mute' };
      },
      CompositeAlarmExists: async (client: cloudwatch.CloudWatch) => {
        const { AlarmNames } = await alarm(client, 'part');
        await client.putCompositeAlarm({ AlarmName: 'whole', AlarmRule: `ALARM(${AlarmNames[0]})` });
        return { AlarmNames: ['whole'], AlarmTypes: ['CompositeAlarm'] };
      },
    },
  },
  iam: {
    module: iam,
    make: () => new iam.IAM(emulator.clientConfig()),
    starts: {
      InstanceProfileExists: async (client: iam.IAM) => {
        await client.createInstanceProfile({ InstanceProfileName: 'profile' });
        return { InstanceProfileName: 'profile' };
      },
      PolicyExists: async (client: iam.IAM) => {
        const Statement = [{ Effect: 'Allow', Action: '*', Resource: '*' }];
        const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
        const { Policy } = await client.createPolicy({ PolicyName: 'policy', PolicyDocument });
        return { PolicyArn: Policy!.Arn };
      },
      RoleExists: async (client: iam.IAM) => {
        const Statement = [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: '*' } }];
        const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
        await client.createRole({ RoleName: 'role', AssumeRolePolicyDocument });
        return { RoleName: 'role' };
      },
      UserExists: async (client: iam.IAM) => {
        await client.createUser({ UserName: 'user' });
        return { UserName: 'user' };
      },
    },
  },
  kinesis: {
    module: kinesis,
    make: () => new kinesis.Kinesis(emulator.clientConfig()),
    starts: {
      StreamExists: (client: kinesis.Kinesis) => stream(client, 'made'),
      StreamNotExists: async (client: kinesis.Kinesis) => {
        const input = await stream(client, 'deleted');
        await client.deleteStream(input);
        return input;
      },
    },
  },
  s3: {
    module: s3,
    make: () => new s3.S3({ ...emulator.clientConfig(), forcePathStyle: true }),
    starts: {
      BucketExists: (client: s3.S3) => bucket(client, 'made'),
      BucketNotExists: async (client: s3.S3) => {
        const input = await bucket(client, 'deleted');
        await client.deleteBucket(input);
        return input;
      },
      ObjectExists: async (client: s3.S3) => {
        const input = { ...(await bucket(client, 'with-object')), Key: 'key' };
        await client.putObject(input);
        return input;
      },
      ObjectNotExists: async (client: s3.S3) => ({ ...(await bucket(client, 'without-object')), Key: 'key' }),
    },
  },
  ses: {
    module: ses,
    make: () => new ses.SES(emulator.clientConfig()),
    starts: {
      IdentityExists: async (client: ses.SES) => {
        await client.verifyEmailIdentity({ EmailAddress: 'a@example.com' });
        return { Identities: ['a@example.com'] };
      },
    },
  },
};

/** Waiters without a case, each with its reason. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  'the operation answers 501 or is unknown': [
    'BulkOperationCompleted',
    'ChannelActive',
    'ContributorInsightsEnabled',
    'LogAlarmExists',
  ],
  'needs a managed node, which no service of emu starts': ['CommandExecuted'],
};

test('each waiter of the SDK has a case or a reason', () => {
  const modules = [...Object.values(CASES).map(({ module }) => module), ssm];
  const waiters = modules.flatMap((module) => Object.keys(module).filter((name) => name.startsWith('waitUntil')));
  const known = [...Object.values(CASES).flatMap(({ starts }) => Object.keys(starts)), ...Object.values(ABSENT).flat()];
  expect(waiters.sort()).toEqual(known.map((name) => `waitUntil${name}`).sort());
});

describe.each(Object.entries(CASES))('%s', (_name, { module, make, starts }) => {
  test.each(Object.entries(starts))('waitUntil%s polls once', async (name, start) => {
    const client = make() as never as kinesis.Kinesis;
    const input = await (start as Start<unknown>)(client);
    let polls = 0;
    const count: Parameters<typeof client.middlewareStack.add>[0] = (next) => (args) => {
      polls++;
      return next(args);
    };
    client.middlewareStack.add(count as never, { step: 'initialize', name: 'count' });
    const waiters = module as never as Record<string, (settings: object, input: object) => Promise<unknown>>;
    await waiters[`waitUntil${name}`]!({ client, maxWaitTime: 60 }, input);
    expect(polls).toBe(1);
  });
});
