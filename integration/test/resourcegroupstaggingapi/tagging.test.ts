import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { IAM } from '@aws-sdk/client-iam';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { KMS } from '@aws-sdk/client-kms';
import { paginateGetResources, ResourceGroupsTaggingAPI } from '@aws-sdk/client-resource-groups-tagging-api';
import { S3 } from '@aws-sdk/client-s3';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ACCOUNT = '123456789012';
const REGION = 'us-east-1';
const arn = (service: string, resource: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

const QUEUE = arn('sqs', 'orders');
const TOPIC = arn('sns', 'orders');
const BUCKET = 'arn:aws:s3:::orders';
const TABLE = arn('dynamodb', 'table/orders');
const PARAMETER = arn('ssm', 'parameter/shop/orders');
const GROUP = arn('logs', 'log-group:orders');
const STREAM = arn('kinesis', 'stream/orders');
const RULE = arn('events', 'rule/orders');
const POLICY = `arn:aws:iam::${ACCOUNT}:policy/shop/orders`;

let emulator: TestEmulator;
let tagging: ResourceGroupsTaggingAPI;
let sqs: SQS;
let s3: S3;
const keys: { key: string; secret: string } = { key: '', secret: '' };
beforeAll(async () => {
  const manifests = [dynamodb, events, iamManifest, kinesis, kms, logs, manifest, s3Manifest, secretsmanager];
  emulator = await createTestEmulator({
    manifests: [...manifests, snsManifest, sqsManifest, ssm],
    settings: { accountId: ACCOUNT, region: REGION },
  });
  const config = emulator.clientConfig();
  tagging = new ResourceGroupsTaggingAPI(config);
  sqs = new SQS(config);
  s3 = new S3(config);
  await sqs.createQueue({ QueueName: 'orders', tags: { team: 'shop', stage: 'test' } });
  await new SNS(config).createTopic({ Name: 'orders', Tags: [{ Key: 'team', Value: 'shop' }] });
  await s3.createBucket({ Bucket: 'orders' });
  const TagSet = [{ Key: 'team', Value: 'shop' }];
  await s3.putBucketTagging({ Bucket: 'orders', Tagging: { TagSet } });
  await new DynamoDB(config).createTable({
    TableName: 'orders',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    Tags: [{ Key: 'team', Value: 'billing' }],
  });
  const Tags = [{ Key: 'team', Value: 'billing' }];
  await new SSM(config).putParameter({ Name: '/shop/orders', Value: '1', Type: 'String', Tags });
  await new CloudWatchLogs(config).createLogGroup({ logGroupName: 'orders' });
  await new Kinesis(config).createStream({ StreamName: 'orders', ShardCount: 1 });
  await new EventBridge(config).putRule({ Name: 'orders', ScheduleExpression: 'rate(1 day)' });
  const PolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'sqs:*', Resource: '*' }],
  });
  await new IAM(config).createPolicy({ Path: '/shop/', PolicyName: 'orders', PolicyDocument });
  const { KeyMetadata } = await new KMS(config).createKey({});
  keys.key = KeyMetadata!.Arn!;
  keys.secret = (await new SecretsManager(config).createSecret({ Name: 'orders', SecretString: 'x' })).ARN!;
});
afterAll(() => emulator.close());

/** Returns the ARNs found by GetResources. */
async function found(input: object, client = tagging): Promise<string[]> {
  const { ResourceTagMappingList } = await client.getResources(input);
  return ResourceTagMappingList!.map(({ ResourceARN }) => ResourceARN!);
}

describe('GetResources', () => {
  test('lists tagged resources of the region, ordered by ARN, without table streams', async () => {
    expect(await found({})).toEqual([BUCKET, TABLE, TOPIC, QUEUE, PARAMETER].sort());
    const elsewhere = new ResourceGroupsTaggingAPI(emulator.clientConfig({ region: 'eu-west-1' }));
    expect(await found({}, elsewhere)).toEqual([]);
    const stranger = new ResourceGroupsTaggingAPI(emulator.clientConfig({ accessKeyId: '999999999999' }));
    expect(await found({}, stranger)).toEqual([]);
  });

  test('filters by keys, values and types', async () => {
    expect(await found({ TagFilters: [{ Key: 'team', Values: ['billing', 'none'] }] })).toEqual([TABLE, PARAMETER]);
    expect(await found({ TagFilters: [{ Key: 'team' }, { Key: 'stage', Values: ['test'] }] })).toEqual([QUEUE]);
    expect(await found({ TagFilters: [{ Key: 'stage', Values: ['live'] }] })).toEqual([]);
    expect(await found({ ResourceTypeFilters: ['sqs', 'dynamodb:table'] })).toEqual([TABLE, QUEUE]);
    expect(await found({ ResourceTypeFilters: ['s3:bucket', 'ssm:parameter'] })).toEqual([BUCKET, PARAMETER]);
    expect(await found({ ResourceARNList: [TOPIC, GROUP, arn('sqs', 'none')] })).toEqual([TOPIC]);
  });

  test('returns tags and compliance, without tag policies', async () => {
    const { ResourceTagMappingList } = await tagging.getResources({
      ResourceARNList: [QUEUE],
      IncludeComplianceDetails: true,
    });
    expect(ResourceTagMappingList).toEqual([
      {
        ResourceARN: QUEUE,
        Tags: [
          { Key: 'team', Value: 'shop' },
          { Key: 'stage', Value: 'test' },
        ],
        ComplianceDetails: { ComplianceStatus: true, NoncompliantKeys: [], KeysWithNoncompliantValues: [] },
      },
    ]);
    expect(await found({ IncludeComplianceDetails: true, ExcludeCompliantResources: true })).toEqual([]);
  });

  test('returns pages; the last token is empty', async () => {
    const pages: number[] = [];
    for await (const { ResourceTagMappingList: list } of paginateGetResources(
      { client: tagging, pageSize: 2 },
      { TagFilters: [{ Key: 'team' }] },
    ))
      pages.push(list!.length);
    expect(pages).toEqual([2, 2, 1]);
    expect((await tagging.getResources({ TagsPerPage: 100 })).PaginationToken).toBe('');
  });

  test.each([
    ['InvalidParameterException', { ResourcesPerPage: 101 }],
    ['InvalidParameterException', { TagsPerPage: 150 }],
    ['InvalidParameterException', { ExcludeCompliantResources: true }],
    ['InvalidParameterException', { ResourceARNList: [QUEUE], TagFilters: [{ Key: 'team' }] }],
    ['InvalidParameterException', { ResourceARNList: ['orders'] }],
    ['InvalidParameterException', { ResourceTypeFilters: ['a b'] }],
    ['InvalidParameterException', { TagFilters: [{ Values: ['x'] }] }],
    ['InvalidParameterException', { PaginationToken: 'made up' }],
  ])('returns %s for %j', async (code, input) => {
    expect((await refusal(tagging.getResources(input))).name).toBe(code);
  });
});

test('returns keys and values in use', async () => {
  expect((await tagging.getTagKeys({})).TagKeys).toEqual(['stage', 'team']);
  const { TagValues, PaginationToken } = await tagging.getTagValues({ Key: 'team' });
  expect([TagValues, PaginationToken]).toEqual([['billing', 'shop'], '']);
  expect((await refusal(tagging.getTagValues({ Key: 'team', PaginationToken: 'x' }))).name).toBe(
    'InvalidParameterException',
  );
});

describe('TagResources and UntagResources', () => {
  const arns = () => [BUCKET, TABLE, TOPIC, QUEUE, PARAMETER, GROUP, STREAM, RULE, POLICY, keys.key, keys.secret];
  const TagFilters = [{ Key: 'owner', Values: ['me'] }];

  test('use the operations of each service', async () => {
    const tagged = await tagging.tagResources({ ResourceARNList: arns(), Tags: { owner: 'me' } });
    expect(tagged.FailedResourcesMap).toEqual({});
    expect(await found({ TagFilters })).toEqual(arns().sort());
    const { QueueUrl } = await sqs.getQueueUrl({ QueueName: 'orders' });
    expect((await sqs.listQueueTags({ QueueUrl })).Tags).toEqual({ team: 'shop', stage: 'test', owner: 'me' });
    expect((await s3.getBucketTagging({ Bucket: 'orders' })).TagSet).toEqual([
      { Key: 'team', Value: 'shop' },
      { Key: 'owner', Value: 'me' },
    ]);
    const untagged = await tagging.untagResources({ ResourceARNList: arns(), TagKeys: ['owner', 'none'] });
    expect(untagged.FailedResourcesMap).toEqual({});
    expect(await found({ TagFilters })).toEqual([]);
    expect((await sqs.listQueueTags({ QueueUrl })).Tags).toEqual({ team: 'shop', stage: 'test' });
  });

  test('return the error of each failed resource, with the message of its service', async () => {
    const missing = arn('sqs', 'missing');
    const role = `arn:aws:iam::${ACCOUNT}:role/none`;
    const away = `arn:aws:sqs:eu-west-1:${ACCOUNT}:orders`;
    const input = { ResourceARNList: [missing, role, away, QUEUE], Tags: { extra: 'x' } };
    const { FailedResourcesMap: failed } = await tagging.tagResources(input);
    expect(Object.keys(failed!)).toEqual([missing, role, away]);
    expect(failed![missing]).toMatchObject({ StatusCode: 400, ErrorMessage: 'The specified queue does not exist.' });
    expect(failed![role]).toMatchObject({ StatusCode: 400, ErrorCode: 'InvalidParameterException' });
    expect(await found({ TagFilters: [{ Key: 'extra' }] })).toEqual([QUEUE]);
    await tagging.untagResources({ ResourceARNList: [QUEUE], TagKeys: ['extra'] });
  });

  test('fail one by one in services that emu lacks, and in those that do not exist', async () => {
    const share = `arn:aws:ram:${REGION}:${ACCOUNT}:resource-share/ca59e91e-d123-4037-b581-5779840bef4a`;
    const unknown = `arn:aws:nosuch:${REGION}:${ACCOUNT}:thing/a`;
    const ResourceARNList = [share, unknown, QUEUE];
    // AWS's answers in the aws-answers for a type that the tagging API lacks: the message is the ARN.
    const failures = Object.fromEntries(
      [share, unknown].map((ErrorMessage) => [
        ErrorMessage,
        { StatusCode: 400, ErrorCode: 'InvalidParameterException', ErrorMessage },
      ]),
    );
    const tagged = await tagging.tagResources({ ResourceARNList, Tags: { extra: 'x' } });
    expect(tagged.FailedResourcesMap).toEqual(failures);
    expect(await found({ TagFilters: [{ Key: 'extra' }] })).toEqual([QUEUE]);
    const untagged = await tagging.untagResources({ ResourceARNList, TagKeys: ['extra'] });
    expect(untagged.FailedResourcesMap).toEqual(failures);
  });

  test('are rejected as a whole for invalid ARNs and reserved keys', async () => {
    const both = { ResourceARNList: [QUEUE, 'orders'], Tags: { a: 'b' } };
    const { name, message } = await refusal(tagging.tagResources(both));
    expect(`${name}: ${message}`).toBe('InvalidParameterException: orders not a valid AmazonResourceName (ARN)');
    const reserved = { ResourceARNList: [QUEUE], Tags: { 'aws:a': 'b' } };
    expect((await refusal(tagging.tagResources(reserved))).name).toBe('InvalidParameterException');
    expect((await refusal(tagging.untagResources({ ResourceARNList: ['x'], TagKeys: ['a'] }))).name).toBe(
      'InvalidParameterException',
    );
  });
});

describe('compliance', () => {
  test('is counted by groups of the tagged resources', async () => {
    const { SummaryList } = await tagging.getComplianceSummary({
      GroupBy: ['RESOURCE_TYPE', 'REGION'],
      ResourceTypeFilters: ['sqs', 'sns'],
    });
    expect(SummaryList).toEqual([
      expect.objectContaining({ ResourceType: 'sns:topic', Region: REGION, NonCompliantResources: 0 }),
      expect.objectContaining({ ResourceType: 'sqs:queue', Region: REGION, NonCompliantResources: 0 }),
    ]);
    for (const none of [{ TargetIdFilters: ['999999999999'] }, { RegionFilters: ['eu-west-1'] }])
      expect((await tagging.getComplianceSummary(none)).SummaryList).toEqual([]);
    const byKey = await tagging.getComplianceSummary({ TagKeyFilters: ['stage'], GroupBy: ['RESOURCE_TYPE'] });
    expect(byKey.SummaryList).toHaveLength(1);
    expect((await tagging.listRequiredTags({})).RequiredTags).toEqual([]);
  });

  test('belongs to us-east-1', async () => {
    const elsewhere = new ResourceGroupsTaggingAPI(emulator.clientConfig({ region: 'eu-west-1' }));
    for (const request of [
      () => elsewhere.getComplianceSummary({}),
      () => elsewhere.describeReportCreation({}),
      () => elsewhere.startReportCreation({ S3Bucket: 'orders' }),
    ])
      expect((await refusal(request())).name).toBe('ConstraintViolationException');
  });

  test('is reported to a bucket', async () => {
    expect(await tagging.describeReportCreation({})).toMatchObject({ Status: 'NO REPORT' });
    const finished = async (S3Bucket: string) => {
      await tagging.startReportCreation({ S3Bucket });
      await expect.poll(async () => (await tagging.describeReportCreation({})).Status).not.toBe('RUNNING');
      return tagging.describeReportCreation({});
    };
    expect(await finished('nowhere')).toMatchObject({ Status: 'FAILED', ErrorMessage: expect.any(String) });
    const { Status, S3Location } = await finished('orders');
    expect([Status, S3Location]).toEqual([
      'SUCCEEDED',
      expect.stringMatching(/^s3:\/\/orders\/AwsTagPolicies\/o-[a-z0-9]{10,}\/\d.*Z\/report\.csv$/),
    ]);
    const { Body } = await s3.getObject({ Bucket: 'orders', Key: S3Location!.slice('s3://orders/'.length) });
    const lines = (await Body!.transformToString()).split('\r\n');
    expect(lines[0]).toContain('ResourceArn');
    expect(lines.filter((line) => line.includes(QUEUE))).toEqual([
      `${ACCOUNT},${REGION},sqs:queue,${QUEUE},true,,,"{""team"":""shop"",""stage"":""test""}"`,
    ]);
  });
});
