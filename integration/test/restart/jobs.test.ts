import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { KMS } from '@aws-sdk/client-kms';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { fakeService, zipOf } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { expect, test } from 'vitest';
import { ACCOUNT, Lives, REGION } from './support.ts';

const DAY = 86_400_000;

async function makeTable(db: DynamoDB): Promise<string> {
  const { TableDescription } = await db.createTable({
    TableName: 'items',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  });
  return TableDescription!.TableArn!;
}

test('an export of a table has the items of its time', async () => {
  await using lives = await Lives.begin([dynamodb, s3]);
  const db = new DynamoDB(lives.emulator.clientConfig());
  await new S3(lives.emulator.clientConfig()).createBucket({ Bucket: 'exports' });
  const TableArn = await makeTable(db);
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await db.updateContinuousBackups({ TableName: 'items', PointInTimeRecoverySpecification });
  await db.putItem({ TableName: 'items', Item: { id: { S: 'a' } } });
  lives.hold('s3');
  const { ExportDescription } = await db.exportTableToPointInTime({ TableArn, S3Bucket: 'exports' });
  const { ExportArn } = ExportDescription!;
  await lives.emulator.kernel.clock.advance(1000);
  await db.putItem({ TableName: 'items', Item: { id: { S: 'later' } } });
  const after = new DynamoDB((await lives.die()).clientConfig());
  const state = async () => (await after.describeExport({ ExportArn })).ExportDescription;
  await expect.poll(state, { timeout: 15_000 }).toMatchObject({ ExportStatus: 'COMPLETED', ItemCount: 1 });
});

test('changes of items reach their Kinesis stream', async () => {
  const sent: string[] = [];
  let open = false;
  const kinesis = fakeService('kinesis', {
    DescribeStreamSummary: () => ({ StreamDescriptionSummary: {} }),
    PutRecord: async ({ Data }) => {
      // The stream accepts nothing before the crash.
      if (!open) await new Promise(() => undefined);
      sent.push(Buffer.from(Data as Uint8Array).toString());
      return {};
    },
  });
  await using lives = await Lives.begin([dynamodb, kinesis]);
  const db = new DynamoDB(lives.emulator.clientConfig());
  await makeTable(db);
  const StreamArn = `arn:aws:kinesis:${REGION}:${ACCOUNT}:stream/s`;
  await db.enableKinesisStreamingDestination({ TableName: 'items', StreamArn });
  for (const id of ['a', 'b']) await db.putItem({ TableName: 'items', Item: { id: { S: id } } });
  open = true;
  await lives.die();
  await expect.poll(() => sent.length, { timeout: 15_000 }).toBe(2);
  expect(sent).toEqual([expect.stringContaining('{"S":"a"}'), expect.stringContaining('{"S":"b"}')]);
});

test('a rotation of a secret ends', async () => {
  await using lives = await Lives.begin([secretsmanager, lambda, sqs]);
  const { emulator } = lives;
  const code = `exports.handler = ({ Step, SecretId, ClientRequestToken }) => Step === 'finishSecret' && fetch(
    process.env.AWS_ENDPOINT_URL,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'secretsmanager.PutSecretValue',
      },
      body: JSON.stringify({ SecretId, ClientRequestToken, SecretString: 'new', VersionStages: ['AWSCURRENT'] }),
    },
  ).then(() => undefined);`;
  const { FunctionArn } = await new Lambda(emulator.clientConfig()).createFunction({
    FunctionName: 'rotate',
    Runtime: 'nodejs20.x',
    Role: `arn:aws:iam::${ACCOUNT}:role/rotate`,
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': code }) },
  });
  const secrets = new SecretsManager(emulator.clientConfig());
  await secrets.createSecret({ Name: 's', SecretString: 'old' });
  const RotationRules = { AutomaticallyAfterDays: 30 };
  await secrets.rotateSecret({ SecretId: 's', RotationLambdaARN: FunctionArn, RotationRules });
  const after = new SecretsManager((await lives.die()).clientConfig());
  const value = async () => (await after.getSecretValue({ SecretId: 's' })).SecretString;
  expect(await value()).toBe('old');
  await expect.poll(value, { timeout: 30_000 }).toBe('new');
  await expect
    .poll(async () => (await after.describeSecret({ SecretId: 's' })).LastRotatedDate, { timeout: 15_000 })
    .toBeDefined();
});

test('a connection gets its first token', async () => {
  let open = false;
  const server = createServer((_request, response) => {
    // No response before the crash.
    if (!open) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: 't', token_type: 'Bearer', expires_in: 60 }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    await using lives = await Lives.begin([events]);
    await new EventBridge(lives.emulator.clientConfig()).createConnection({
      Name: 'c',
      AuthorizationType: 'OAUTH_CLIENT_CREDENTIALS',
      AuthParameters: {
        OAuthParameters: {
          ClientParameters: { ClientID: 'i', ClientSecret: 's' },
          AuthorizationEndpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
          HttpMethod: 'POST',
        },
      },
    });
    open = true;
    const after = new EventBridge((await lives.die()).clientConfig());
    const state = async () => (await after.describeConnection({ Name: 'c' })).ConnectionState;
    await expect.poll(state, { timeout: 15_000 }).toBe('AUTHORIZED');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('keys and secrets are deleted at their time, and messages are moved', async () => {
  await using lives = await Lives.begin([kms, secretsmanager, sqs]);
  const config = lives.emulator.clientConfig();
  const { KeyMetadata } = await new KMS(config).createKey({});
  const { KeyId } = KeyMetadata!;
  await new KMS(config).scheduleKeyDeletion({ KeyId, PendingWindowInDays: 7 });
  await new SecretsManager(config).createSecret({ Name: 's', SecretString: 'x' });
  await new SecretsManager(config).deleteSecret({ SecretId: 's', RecoveryWindowInDays: 7 });
  const queues = new SQS(config);
  const { QueueUrl: source } = await queues.createQueue({ QueueName: 'dead' });
  const SourceArn = `arn:aws:sqs:${REGION}:${ACCOUNT}:dead`;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: SourceArn, maxReceiveCount: 1 });
  await queues.createQueue({ QueueName: 'live', Attributes: { RedrivePolicy } });
  const { QueueUrl: other } = await queues.createQueue({ QueueName: 'other' });
  await queues.sendMessage({ QueueUrl: source, MessageBody: 'm' });
  lives.emulator.kernel.clock.freeze();
  await queues.startMessageMoveTask({ SourceArn, DestinationArn: `arn:aws:sqs:${REGION}:${ACCOUNT}:other` });
  const after = await lives.die();
  await after.kernel.clock.advance(1000);
  const latest = after.clientConfig();
  const moved = async () =>
    (await new SQS(latest).receiveMessage({ QueueUrl: other })).Messages?.map(({ Body }) => Body);
  await expect.poll(moved).toEqual(['m']);
  await after.kernel.clock.advance(8 * DAY);
  await expect(new KMS(latest).describeKey({ KeyId })).rejects.toThrow(/does not exist/);
  expect((await new SecretsManager(latest).listSecrets({ IncludePlannedDeletion: true })).SecretList).toEqual([]);
});

test('a wait condition of a stack ends at its first timeout', async () => {
  await using lives = await Lives.begin([cloudformation]);
  const Handle = { Type: 'AWS::CloudFormation::WaitConditionHandle' };
  const Properties = { Handle: { Ref: 'Handle' }, Timeout: '60' };
  const Condition = { Type: 'AWS::CloudFormation::WaitCondition', Properties };
  await new CloudFormation(lives.emulator.clientConfig()).createStack({
    StackName: 's',
    TemplateBody: JSON.stringify({ Resources: { Handle, Condition } }),
    OnFailure: 'DO_NOTHING',
  });
  const timeouts = () =>
    [...lives.emulator.kernel.loadedService('cloudformation')!.store.picture()].flatMap(({ value }) =>
      Object.values((value as { deadlines?: Record<string, number> }).deadlines ?? {}),
    );
  await expect.poll(timeouts).toHaveLength(1);
  const [timeout] = timeouts();
  const after = await lives.die();
  after.kernel.clock.freeze();
  await after.kernel.resume();
  await after.kernel.clock.set(timeout!);
  const status = async () =>
    (await new CloudFormation(after.clientConfig()).describeStacks({ StackName: 's' })).Stacks![0]!.StackStatus;
  await expect.poll(status, { timeout: 15_000 }).toBe('CREATE_FAILED');
});
