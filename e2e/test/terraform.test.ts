import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { IAM } from '@aws-sdk/client-iam';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { noTerraform, type Terraform, terraformAt } from '../src/terraform.ts';

/** The page at the root of a host that resolves to the emulator. */
const page = (port: number, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, headers: { host } }, (response) => resolve(text(response))).on('error', reject);
  });

// One configuration with a module for each service, applied to one emulator: the tests look at what it has made.
describe.skipIf(noTerraform !== undefined)(`Terraform${noTerraform ? ` (skipped: ${noTerraform})` : ''}`, () => {
  const folder = temporaryDirectory();
  let emu: Emu;
  let terraform: Terraform;
  let dynamodb: DynamoDB;
  let events: EventBridge;
  let iam: IAM;
  let lambda: Lambda;
  let s3: S3;
  let secrets: SecretsManager;
  let sns: SNS;
  let sqs: SQS;

  beforeAll(async () => {
    emu = await startEmu();
    const config = {
      endpoint: emu.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    };
    dynamodb = new DynamoDB(config);
    events = new EventBridge(config);
    iam = new IAM(config);
    lambda = new Lambda(config);
    s3 = new S3(config);
    secrets = new SecretsManager(config);
    sns = new SNS(config);
    sqs = new SQS(config);
    const zip = join(folder.path, 'package.zip');
    writeFileSync(zip, zipOf({ 'index.js': 'exports.handler = async () => {};' }));
    terraform = terraformAt('terraform', emu.url, { package: zip });
    await terraform.apply();
  }, 600_000);
  afterAll(async () => {
    for (const client of [dynamodb, events, iam, lambda, s3, secrets, sns, sqs]) client?.destroy();
    terraform?.[Symbol.dispose]();
    folder[Symbol.dispose]();
    await emu?.kill();
  });

  const queueUrl = async (QueueName: string) => (await sqs.getQueueUrl({ QueueName })).QueueUrl!;
  const attributesOf = async (queue: string) =>
    (await sqs.getQueueAttributes({ QueueUrl: await queueUrl(queue), AttributeNames: ['All'] })).Attributes!;
  const bodiesOf = async (queue: string) => {
    const { Messages } = await sqs.receiveMessage({ QueueUrl: await queueUrl(queue), MaxNumberOfMessages: 10 });
    return (Messages ?? []).map(({ Body }) => Body!);
  };

  test('DynamoDB: tables, a stream, indexes, items', async () => {
    const { Table: orders } = await dynamodb.describeTable({ TableName: 'orders' });
    expect(orders).toMatchObject({
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      LocalSecondaryIndexes: [{ IndexName: 'by-date' }],
      GlobalSecondaryIndexes: [{ IndexName: 'by-state', Projection: { ProjectionType: 'KEYS_ONLY' } }],
    });
    expect((await dynamodb.describeTimeToLive({ TableName: 'orders' })).TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'expires',
    });
    const { Item } = await dynamodb.getItem({ TableName: 'sessions', Key: { id: { S: 'first' } } });
    expect(Item?.count).toEqual({ N: '1' });
  });

  test('EventBridge: a rule brings events to a queue and a function', async () => {
    await events.putEvents({
      Entries: [
        { EventBusName: 'orders', Source: 'shop', DetailType: 'Order', Detail: '{"id":7,"total":120}' },
        { EventBusName: 'orders', Source: 'shop', DetailType: 'Order', Detail: '{"id":8,"total":20}' },
      ],
    });
    const bodies: string[] = [];
    const arrived = async () => bodies.push(...(await bodiesOf('events-orders')));
    await expect.poll(arrived, { timeout: 20_000 }).toBe(1);
    expect(bodies.map((body) => JSON.parse(body))).toEqual([{ order: 7, text: 'Order 7 of shop' }]);
    const invocations = async () => {
      const answer = await fetch(`${emu.url}/_emulator/lambda/invocations`);
      const { invocations } = (await answer.json()) as { invocations: { functionName: string }[] };
      return invocations.filter(({ functionName }) => functionName === 'events-orders');
    };
    await expect.poll(invocations, { timeout: 20_000 }).toMatchObject([{ response: 'null' }]);
  });

  test('IAM: roles, users, groups, profiles', async () => {
    const { Role } = await iam.getRole({ RoleName: 'app' });
    expect(Role).toMatchObject({ Arn: 'arn:aws:iam::123456789012:role/team/app', MaxSessionDuration: 7200 });
    expect((await iam.listAttachedRolePolicies({ RoleName: 'app' })).AttachedPolicies).toHaveLength(2);
    const { Users } = await iam.getGroup({ GroupName: 'orders' });
    expect(Users!.map(({ UserName }) => UserName)).toEqual(['jane']);
    const { InstanceProfile } = await iam.getInstanceProfile({ InstanceProfileName: 'app' });
    expect(InstanceProfile!.Roles![0]!.RoleId).toBe(Role!.RoleId);
    expect((await iam.listAccessKeys({ UserName: 'jane' })).AccessKeyMetadata).toHaveLength(1);
  });

  test('Lambda: a function, its layer, alias, URL and source', async () => {
    const FunctionName = 'orders';
    const of = { FunctionName, Qualifier: 'live' };
    const { Configuration, Tags, Concurrency } = await lambda.getFunction(of);
    expect(Configuration).toMatchObject({
      Version: '1',
      Timeout: 10,
      MemorySize: 256,
      Environment: { Variables: { TABLE: 'orders' } },
      EphemeralStorage: { Size: 1024 },
      TracingConfig: { Mode: 'Active' },
      Layers: [{ Arn: 'arn:aws:lambda:eu-central-1:123456789012:layer:shared:1' }],
    });
    expect(Tags).toEqual({ Team: 'orders' });
    expect(Concurrency).toEqual({ ReservedConcurrentExecutions: 5 });
    // Terraform adds the second one for URLs without authorization.
    const { Statement } = JSON.parse((await lambda.getPolicy(of)).Policy!) as { Statement: { Sid: string }[] };
    expect(Statement.map(({ Sid }) => Sid).sort()).toEqual(['FunctionURLAllowPublicAccess', 'bucket']);
    expect(await lambda.getFunctionUrlConfig(of)).toMatchObject({
      AuthType: 'NONE',
      Cors: { AllowOrigins: ['https://example.com'], AllowMethods: ['GET'], MaxAge: 60 },
    });
    expect(await lambda.getFunctionEventInvokeConfig({ FunctionName })).toMatchObject({ MaximumRetryAttempts: 0 });
    const { EventSourceMappings } = await lambda.listEventSourceMappings({ FunctionName });
    expect(EventSourceMappings).toMatchObject([{ State: 'Enabled', BatchSize: 5 }]);
  });

  test('S3: notifications of a bucket, and a website', async () => {
    const records = (await bodiesOf('bucket-events')).flatMap((body) => JSON.parse(body).Records ?? []);
    expect(records.map(({ s3 }: { s3: { object: { key: string } } }) => s3.object.key)).toEqual(['in/hello.txt']);
    const host = 'terraform-site.s3-website.eu-central-1.amazonaws.com';
    expect(await page(emu.port, host)).toBe('<h1>hello</h1>');
  });

  test('S3 Control: access points, grants', async () => {
    expect(await terraform.output('mrap_alias')).toMatch(/^m[a-z0-9]{12}\.mrap$/);
    expect(await terraform.output('grant_scope')).toBe('s3://terraform-points/data/in*');
    const { TagSet } = await s3.getBucketTagging({ Bucket: 'terraform-points' });
    expect(TagSet).toEqual([{ Key: 'Team', Value: 'orders' }]);
  });

  test('Secrets Manager and KMS: a secret that rotates', async () => {
    expect(await terraform.output('password')).toBe('hidden');
    expect(await secrets.describeSecret({ SecretId: 'app/database' })).toMatchObject({
      RotationEnabled: true,
      RotationRules: { AutomaticallyAfterDays: 30 },
    });
  });

  test('SNS: a topic with a filtered subscription', async () => {
    const TopicArn = 'arn:aws:sns:eu-central-1:123456789012:orders';
    const { Attributes } = await sns.getTopicAttributes({ TopicArn });
    expect(Attributes).toMatchObject({
      DisplayName: 'Orders',
      SignatureVersion: '2',
      SQSSuccessFeedbackSampleRate: '50',
      SubscriptionsConfirmed: '2',
    });
    expect(JSON.parse(Attributes!.Policy!).Statement).toMatchObject([{ Sid: 'publish' }]);
    for (const Message of ['{"kind":"order-1","total":9}', '{"kind":"order-2","total":11}'])
      await sns.publish({ TopicArn, Message });
    expect(await bodiesOf('sns-orders')).toEqual(['{"kind":"order-2","total":11}']);
  });

  test('SQS: queues with redrive, a policy and tags', async () => {
    const orders = await attributesOf('orders');
    expect(orders).toMatchObject({
      QueueArn: 'arn:aws:sqs:eu-central-1:123456789012:orders',
      DelaySeconds: '5',
      MaximumMessageSize: '2048',
      ReceiveMessageWaitTimeSeconds: '10',
      VisibilityTimeout: '60',
      SqsManagedSseEnabled: 'true',
    });
    expect(JSON.parse(orders.RedrivePolicy!)).toEqual({
      deadLetterTargetArn: 'arn:aws:sqs:eu-central-1:123456789012:dead',
      maxReceiveCount: 4,
    });
    expect(JSON.parse(orders.Policy!).Statement[0].Sid).toBe('send');
    expect(JSON.parse((await attributesOf('dead')).RedriveAllowPolicy!)).toEqual({
      redrivePermission: 'byQueue',
      sourceQueueArns: [orders.QueueArn],
    });
    expect(await attributesOf('orders.fifo')).toMatchObject({
      FifoQueue: 'true',
      ContentBasedDeduplication: 'true',
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    expect((await sqs.listQueueTags({ QueueUrl: await queueUrl('orders') })).Tags).toEqual({
      Environment: 'test',
      Team: 'orders + invoices',
    });
  });

  test('plans no changes, and destroys everything', { timeout: 600_000 }, async () => {
    await terraform.planNothing();
    await terraform.destroy();
    expect((await dynamodb.listTables({})).TableNames).toEqual([]);
    expect((await events.listEventBuses({})).EventBuses).toHaveLength(1);
    expect((await events.listConnections({})).Connections).toEqual([]);
    const { SummaryMap } = await iam.getAccountSummary({});
    expect(SummaryMap).toMatchObject({ Users: 0, Groups: 0, Roles: 0, Policies: 0, InstanceProfiles: 0, Providers: 0 });
    expect((await iam.listAccountAliases({})).AccountAliases).toEqual([]);
    expect((await lambda.listFunctions({})).Functions).toEqual([]);
    expect((await lambda.listLayers({})).Layers).toEqual([]);
    expect((await lambda.listEventSourceMappings({})).EventSourceMappings).toEqual([]);
    expect((await s3.listBuckets({})).Buckets ?? []).toEqual([]);
    expect((await secrets.listSecrets({ IncludePlannedDeletion: true })).SecretList).toEqual([]);
    expect((await sns.listTopics({})).Topics).toEqual([]);
    expect((await sns.listSubscriptions({})).Subscriptions).toEqual([]);
    expect((await sns.listPlatformApplications({})).PlatformApplications).toEqual([]);
    expect((await sqs.listQueues({})).QueueUrls ?? []).toEqual([]);
  });
});
