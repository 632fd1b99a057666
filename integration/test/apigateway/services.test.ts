import { APIGateway } from '@aws-sdk/client-api-gateway';
import { Firehose } from '@aws-sdk/client-firehose';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cloudcontrol } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as cognitoIdentity } from '@emu/svc-cognito-identity/manifest';
import { manifest as cognitoIdp } from '@emu/svc-cognito-idp/manifest';
import { manifest as dynamodb, streamsManifest as dynamodbstreams } from '@emu/svc-dynamodb/manifest';
import { manifest as ecr } from '@emu/svc-ecr/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as firehose } from '@emu/svc-firehose/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as pipes } from '@emu/svc-pipes/manifest';
import { manifest as resourcegroups } from '@emu/svc-resourcegroups/manifest';
import { manifest as tagging } from '@emu/svc-resourcegroupstaggingapi/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as servicequotas } from '@emu/svc-servicequotas/manifest';
import { manifest as ses, v2Manifest as sesv2 } from '@emu/svc-ses/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROLE = 'arn:aws:iam::123456789012:role/any';
const manifests = [
  ...[apigateway, cloudcontrol, cloudformation, cloudwatch, cognitoIdentity, cognitoIdp, dynamodb, dynamodbstreams],
  ...[ecr, events, firehose, iam, kinesis, kms, lambda, logs, pipes, resourcegroups, tagging, s3, scheduler],
  ...[secretsmanager, servicequotas, ses, sesv2, sns, sqs, ssm, stepfunctions, sts],
];

let emulator: TestEmulator;
let api: APIGateway;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests });
  api = new APIGateway(emulator.clientConfig());
});
afterAll(() => emulator.close());

/** Returns the response of a service integration to a test invocation. */
async function invoke(uri: string, integrationHttpMethod: string, body = '') {
  const { id: restApiId, rootResourceId: resourceId } = await api.createRestApi({ name: 'services' });
  const place = { restApiId, resourceId, httpMethod: 'POST' };
  await api.putMethod({ ...place, authorizationType: 'NONE' });
  await api.putIntegration({
    ...place,
    type: 'AWS',
    integrationHttpMethod,
    credentials: ROLE,
    uri: `arn:aws:apigateway:us-east-1:${uri}`,
    passthroughBehavior: 'WHEN_NO_TEMPLATES',
  });
  await api.putMethodResponse({ ...place, statusCode: '200' });
  await api.putIntegrationResponse({ ...place, statusCode: '200' });
  await api.putMethodResponse({ ...place, statusCode: '400' });
  await api.putIntegrationResponse({ ...place, statusCode: '400', selectionPattern: '[45]\\d\\d' });
  const { status, body: text } = await api.testInvokeMethod({ ...place, body });
  return { status, text };
}

describe('an integration of type AWS reaches', () => {
  it.each([
    ['cloudcontrolapi:action/ListResourceRequests', '{}', 'ResourceRequestStatusSummaries'],
    ['cloudformation:action/ListStacks', '', 'ListStacksResponse'],
    ['cognito-identity:action/ListIdentityPools', '{"MaxResults":1}', 'IdentityPools'],
    ['cognito-idp:action/ListUserPools', '{"MaxResults":1}', 'UserPools'],
    ['dynamodb:action/ListTables', '{}', 'TableNames'],
    ['streams.dynamodb:action/ListStreams', '{}', 'Streams'],
    ['ecr:action/DescribeRepositories', '{}', 'repositories'],
    ['api.ecr:action/DescribeRepositories', '{}', 'repositories'],
    ['email:action/ListIdentities', '', 'ListIdentitiesResponse'],
    ['events:action/ListRules', '{}', 'Rules'],
    ['firehose:action/ListDeliveryStreams', '{}', 'DeliveryStreamNames'],
    ['iam:action/ListUsers', '', 'ListUsersResponse'],
    ['kinesis:action/ListStreams', '{}', 'StreamNames'],
    ['kms:action/ListKeys', '{}', 'Keys'],
    ['logs:action/DescribeLogGroups', '{}', 'logGroups'],
    ['monitoring:action/DescribeAlarms', '', 'DescribeAlarmsResponse'],
    ['secretsmanager:action/ListSecrets', '{}', 'SecretList'],
    ['servicequotas:action/ListServices', '{}', 'Services'],
    ['sns:action/ListTopics', '', 'ListTopicsResponse'],
    ['sqs:action/ListQueues', '', 'ListQueuesResponse'],
    ['ssm:action/DescribeParameters', '{}', 'Parameters'],
    ['states:action/ListStateMachines', '{}', 'stateMachines'],
    ['sts:action/GetCallerIdentity', '', 'GetCallerIdentityResponse'],
    ['tagging:action/GetResources', '{}', 'ResourceTagMappingList'],
  ])('%s', async (uri, body, part) => {
    const { status, text } = await invoke(uri, 'POST', body);
    expect(text).toContain(part);
    expect(status).toBe(200);
  });

  it.each([
    ['apigateway:path/restapis', '"item"'],
    ['email:path/v2/email/identities', 'EmailIdentities'],
    ['lambda:path/2015-03-31/functions', 'Functions'],
    ['pipes:path/v1/pipes', 'Pipes'],
    ['resource-groups:path/groups-list', 'GroupIdentifiers'],
    ['s3:path/', 'ListAllMyBucketsResult'],
    ['scheduler:path/schedules', 'Schedules'],
  ])('%s', async (uri, part) => {
    const { status, text } = await invoke(uri, uri.includes('groups-list') ? 'POST' : 'GET');
    expect(text).toContain(part);
    expect(status).toBe(200);
  });

  it('Systems Manager through the query protocol, as recorded', async () => {
    const ssm = new SSM(emulator.clientConfig());
    await ssm.putParameter({ Name: 'param', Type: 'String', Value: '123' });
    const got = await invoke('ssm:action/GetParameter&Name=param&WithDecryption=true', 'POST');
    // Recorded: test_get_parameter_query_protocol, test_ssm_aws_integration.
    const result = {
      Parameter: {
        ARN: 'arn:aws:ssm:us-east-1:123456789012:parameter/param',
        DataType: 'text',
        LastModifiedDate: expect.any(Number) as number,
        Name: 'param',
        Selector: null,
        SourceResult: null,
        Type: 'String',
        Value: '123',
        Version: 1,
      },
    };
    const ResponseMetadata = { RequestId: expect.any(String) as string };
    expect([got.status, JSON.parse(got.text!)]).toEqual([
      200,
      { GetParameterResponse: { GetParameterResult: result, ResponseMetadata } },
    ]);
    const missing = await invoke('ssm:action/GetParameter&Name=none', 'POST');
    expect([missing.status, JSON.parse(missing.text!)]).toMatchObject([
      400,
      { Error: { Code: 'ParameterNotFound', Type: 'Sender' } },
    ]);
    const { text } = await sendRaw(emulator, {
      method: 'GET',
      target: '/?Action=GetParameter&Name=param',
      headers: { host: 'ssm.us-east-1.amazonaws.com' },
    });
    expect(text).toMatch(
      /^<GetParameterResponse xmlns="http:\/\/ssm.amazonaws.com\/doc\/2014-11-06\/"><GetParameterResult><Parameter>.*<Version>1<\/Version>/,
    );
    expect(text).not.toContain('Selector');
  });

  it('a queue, whose response is JSON', async () => {
    const queues = new SQS(emulator.clientConfig());
    const { QueueUrl } = await queues.createQueue({ QueueName: 'json' });
    const uri = 'sqs:path/123456789012/json?Action=';
    const empty = await invoke(`${uri}ReceiveMessage`, 'GET');
    const ResponseMetadata = { RequestId: expect.any(String) as string };
    expect(JSON.parse(empty.text!)).toEqual({
      ReceiveMessageResponse: { ReceiveMessageResult: { messages: null }, ResponseMetadata },
    });
    const sent = await invoke(`${uri}SendMessage&MessageBody=text`, 'GET');
    expect(JSON.parse(sent.text!)).toMatchObject({
      SendMessageResponse: { SendMessageResult: { MD5OfMessageAttributes: null, SequenceNumber: null } },
    });
    const { Messages } = await queues.receiveMessage({ QueueUrl });
    expect(Messages!.map(({ Body }) => Body)).toEqual(['text']);
  });

  it('a Firehose stream, whose records reach its bucket', async () => {
    const buckets = new S3(emulator.clientConfig());
    await buckets.createBucket({ Bucket: 'records' });
    await new Firehose(emulator.clientConfig()).createDeliveryStream({
      DeliveryStreamName: 'stream',
      S3DestinationConfiguration: {
        BucketARN: 'arn:aws:s3:::records',
        RoleARN: ROLE,
        BufferingHints: { IntervalInSeconds: 60, SizeInMBs: 1 },
      },
    });
    await emulator.kernel.clock.advance(60_000);
    const record = { DeliveryStreamName: 'stream', Record: { Data: Buffer.from('one').toString('base64') } };
    const put = await invoke('firehose:action/PutRecord', 'POST', JSON.stringify(record));
    expect(put).toEqual({ status: 200, text: expect.stringContaining('RecordId') as string });
    const missing = await invoke(
      'firehose:action/PutRecord',
      'POST',
      JSON.stringify({ ...record, DeliveryStreamName: 'no' }),
    );
    expect(missing).toEqual({ status: 400, text: expect.stringContaining('ResourceNotFoundException') as string });
    await emulator.kernel.clock.advance(61_000);
    const { Contents = [] } = await buckets.listObjectsV2({ Bucket: 'records' });
    expect(Contents).toHaveLength(1);
    const { Body } = await buckets.getObject({ Bucket: 'records', Key: Contents[0]!.Key });
    expect(await Body!.transformToString()).toBe('one');
  });
});
