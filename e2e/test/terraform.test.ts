import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentity } from '@aws-sdk/client-cognito-identity';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { IAM } from '@aws-sdk/client-iam';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { Lambda } from '@aws-sdk/client-lambda';
import { Pipes } from '@aws-sdk/client-pipes';
import { S3 } from '@aws-sdk/client-s3';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { ServiceQuotas } from '@aws-sdk/client-service-quotas';
import { SES } from '@aws-sdk/client-ses';
import { SESv2 } from '@aws-sdk/client-sesv2';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeCertificate } from '../../packages/svc-iam/test/certificates.ts';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { noTerraform, type Terraform, terraformAt } from '../src/terraform.ts';

/** Output of `terraform providers schema -json`, as far as used here. */
interface ProviderSchemas {
  readonly provider_schemas: Readonly<Record<string, { readonly resource_schemas: Readonly<Record<string, unknown>> }>>;
}

/** Returns the path of a file, from its path relative to this package. */
const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Returns the start page of a host that resolves to the emulator. */
const page = (port: number, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, headers: { host } }, (response) => resolve(text(response))).on('error', reject);
  });

// One configuration with a module for each service, applied to one emulator. The tests check the created resources.
describe.skipIf(noTerraform !== undefined)(`Terraform${noTerraform ? ` (skipped: ${noTerraform})` : ''}`, () => {
  const folder = temporaryDirectory();
  let emu: Emu;
  let terraform: Terraform;
  let cloudformation: CloudFormation;
  let cloudwatch: CloudWatch;
  let cognito: CognitoIdentityProvider;
  let identities: CognitoIdentity;
  let dynamodb: DynamoDB;
  let events: EventBridge;
  let iam: IAM;
  let kinesis: Kinesis;
  let lambda: Lambda;
  let logs: CloudWatchLogs;
  let pipes: Pipes;
  let s3: S3;
  let apiGateway: ApiGatewayV2;
  let scheduler: Scheduler;
  let secrets: SecretsManager;
  let serviceQuotas: ServiceQuotas;
  let sfn: SFN;
  let ses: SES;
  let sesv2: SESv2;
  let sns: SNS;
  let sqs: SQS;
  let ssm: SSM;

  const clients: { destroy(): void }[] = [];
  const made = <Client extends { destroy(): void }>(client: Client): Client => {
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    emu = await startEmu();
    const config = {
      endpoint: emu.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    };
    apiGateway = made(new ApiGatewayV2(config));
    cloudformation = made(new CloudFormation(config));
    cloudwatch = made(new CloudWatch(config));
    cognito = made(new CognitoIdentityProvider(config));
    identities = made(new CognitoIdentity(config));
    dynamodb = made(new DynamoDB(config));
    events = made(new EventBridge(config));
    iam = made(new IAM(config));
    kinesis = made(new Kinesis(config));
    lambda = made(new Lambda(config));
    logs = made(new CloudWatchLogs(config));
    pipes = made(new Pipes(config));
    s3 = made(new S3(config));
    scheduler = made(new Scheduler(config));
    secrets = made(new SecretsManager(config));
    serviceQuotas = made(new ServiceQuotas(config));
    sfn = made(new SFN(config));
    ses = made(new SES(config));
    sesv2 = made(new SESv2(config));
    sns = made(new SNS(config));
    sqs = made(new SQS(config));
    ssm = made(new SSM(config));
    const zip = join(folder.path, 'package.zip');
    const handlers = { 'index.js': 'exports.handler = async () => {};', 'index.py': 'handler = print' };
    writeFileSync(zip, zipOf(handlers));
    const { cert: certificate, private: private_key } = await makeCertificate('site.example.com');
    terraform = terraformAt('terraform', emu.url, { package: zip, certificate, private_key });
    await terraform.apply();
  }, 600_000);
  afterAll(async () => {
    for (const client of clients) client.destroy();
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

  test('API Gateway: an HTTP API with a function, and a WebSocket API', async () => {
    const get = (path: string, init: RequestInit = {}) => fetch(`${emu.url}/_aws/execute-api/tf-http${path}`, init);
    expect((await get('/orders')).status).toBe(200);
    expect((await get('/orders', { method: 'POST' })).status).toBe(401);
    expect((await get('/none')).status).toBe(404);
    const { Items = [] } = await apiGateway.getApis({});
    const chat = Items.find(({ Name }) => Name === 'chat')!;
    const url = `${emu.url.replace('http', 'ws')}/_emulator/apigatewayv2/ws/${chat.ApiId}`;
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.send('ping');
    const [pong] = await once(socket, 'message');
    expect(JSON.parse(String(pong))).toEqual({ pong: expect.any(String) });
    socket.close();
    await once(socket, 'close');
  });

  test('CloudFormation: a stack with its outputs, a resource of Cloud Control, a group, tagged resources', async () => {
    const { Stacks } = await cloudformation.describeStacks({ StackName: 'tf-orders' });
    expect(Stacks).toMatchObject([{ StackStatus: 'CREATE_COMPLETE', Tags: [{ Key: 'Team', Value: 'orders' }] }]);
    expect(terraform.output('stack_queue')).toBe(await queueUrl('tf-stack-orders'));
    expect(await attributesOf('tf-stack-orders')).toMatchObject({ MessageRetentionPeriod: '120' });
    expect((await kinesis.listStreams({})).StreamNames).toContainEqual(expect.stringMatching(/^tf-orders-Stream-/));
    const { logGroups } = await logs.describeLogGroups({ logGroupNamePrefix: '/tf/cloudcontrol' });
    expect(logGroups).toMatchObject([{ retentionInDays: 7 }]);
    expect(terraform.output('tagged')).toContainEqual(expect.stringMatching(/:tf-stack-orders$/));
  });

  test('CloudWatch: an alarm notifies its topic, a composite alarm follows, a dashboard', async () => {
    await cloudwatch.putMetricData({
      Namespace: 'Shop',
      MetricData: [{ MetricName: 'Latency', Value: 120, Dimensions: [{ Name: 'Service', Value: 'orders' }] }],
    });
    const bodies: string[] = [];
    const arrived = async () => bodies.push(...(await bodiesOf('cloudwatch-alarms')));
    await expect.poll(arrived, { timeout: 20_000 }).toBe(1);
    expect(JSON.parse(bodies[0]!)).toMatchObject({ AlarmName: 'latency', NewStateValue: 'ALARM' });
    const shop = { AlarmNames: ['shop'], AlarmTypes: ['CompositeAlarm' as const] };
    const { CompositeAlarms } = await cloudwatch.describeAlarms(shop);
    expect(CompositeAlarms).toMatchObject([{ AlarmName: 'shop', StateValue: 'ALARM' }]);
    const { DashboardBody } = await cloudwatch.getDashboard({ DashboardName: 'shop' });
    expect(JSON.parse(DashboardBody!).widgets).toHaveLength(1);
  });

  test('CloudWatch Logs: a group with a metric filter, a subscription and a policy', async () => {
    const logGroupName = '/app/orders';
    const { logGroups } = await logs.describeLogGroups({ logGroupNamePrefix: logGroupName });
    expect(logGroups).toMatchObject([{ logGroupName, retentionInDays: 14, metricFilterCount: 1 }]);
    const { metricFilters } = await logs.describeMetricFilters({ logGroupName });
    expect(metricFilters).toMatchObject([
      {
        filterName: 'errors',
        filterPattern: '{ $.level = "ERROR" }',
        metricTransformations: [{ metricName: 'Errors', metricNamespace: 'Orders', metricValue: '1', defaultValue: 0 }],
      },
    ]);
    const { subscriptionFilters } = await logs.describeSubscriptionFilters({ logGroupName });
    expect(subscriptionFilters).toMatchObject([{ filterName: 'to-function', filterPattern: 'ERROR' }]);
    const { logStreams } = await logs.describeLogStreams({ logGroupName });
    expect(logStreams).toMatchObject([{ logStreamName: 'first' }]);
    expect((await logs.describeResourcePolicies({})).resourcePolicies).toMatchObject([{ policyName: 'route53' }]);
    const { deliveries } = await logs.describeDeliveries({});
    expect(deliveries).toContainEqual(
      expect.objectContaining({ deliverySourceName: 'bus-errors', deliveryDestinationType: 'CWL' }),
    );
  });

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

  test('EventBridge: a rule delivers events to a queue and a function', async () => {
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

  test('Kinesis: an encrypted stream with a consumer and a policy', async () => {
    const { StreamDescriptionSummary } = await kinesis.describeStreamSummary({ StreamName: 'orders' });
    expect(StreamDescriptionSummary).toMatchObject({
      StreamStatus: 'ACTIVE',
      OpenShardCount: 2,
      ConsumerCount: 1,
      RetentionPeriodHours: 48,
      EncryptionType: 'KMS',
      EnhancedMonitoring: [{ ShardLevelMetrics: ['IncomingBytes', 'OutgoingRecords'] }],
    });
    const ResourceARN = StreamDescriptionSummary!.StreamARN;
    expect((await kinesis.listTagsForResource({ ResourceARN })).Tags).toEqual([{ Key: 'Team', Value: 'orders' }]);
    expect((await kinesis.getResourcePolicy({ ResourceARN })).Policy).toContain('kinesis:PutRecord');
  });

  test('Lambda: a function with layer, alias, URL and event source', async () => {
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

  test('S3: bucket notifications and a website', async () => {
    const records = (await bodiesOf('bucket-events')).flatMap((body) => JSON.parse(body).Records ?? []);
    expect(records.map(({ s3 }: { s3: { object: { key: string } } }) => s3.object.key)).toEqual(['in/hello.txt']);
    const host = 'terraform-site.s3-website.eu-central-1.amazonaws.com';
    expect(await page(emu.port, host)).toBe('<h1>hello</h1>');
  });

  test('S3 Control: access points, grants', async () => {
    expect(terraform.output('mrap_alias')).toMatch(/^m[a-z0-9]{12}\.mrap$/);
    expect(terraform.output('grant_scope')).toBe('s3://terraform-points/data/in*');
    const { TagSet } = await s3.getBucketTagging({ Bucket: 'terraform-points' });
    expect(TagSet).toEqual([{ Key: 'Team', Value: 'orders' }]);
  });

  test('Cognito: a pool with a client, a domain and a user in a group', async () => {
    const [UserPoolId, ClientId] = (terraform.output('cognito_client') as string).split(' ');
    expect((await cognito.describeUserPoolClient({ UserPoolId, ClientId })).UserPoolClient).toMatchObject({
      AllowedOAuthScopes: ['https://api.example.com/read', 'openid'],
      AccessTokenValidity: 30,
    });
    expect((await cognito.listUsersInGroup({ UserPoolId, GroupName: 'admins' })).Users).toMatchObject([
      { Username: 'jane', UserStatus: 'FORCE_CHANGE_PASSWORD' },
    ]);
    expect((await cognito.getUICustomization({ UserPoolId })).UICustomization?.CSS).toContain('.label-customizable');
  });

  test('Cognito: guests of an identity pool receive credentials of their role', async () => {
    const IdentityPoolId = terraform.output('cognito_identity_pool') as string;
    const { IdentityId } = await identities.getId({ IdentityPoolId });
    const { Credentials } = await identities.getCredentialsForIdentity({ IdentityId });
    expect(Credentials).toMatchObject({ AccessKeyId: expect.stringMatching(/^ASIA/) });
  });

  test('EventBridge Scheduler: a schedule sends to its queue', async () => {
    const of = { GroupName: 'orders', Name: 'report' };
    expect(await scheduler.getSchedule(of)).toMatchObject({
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 15 },
      ScheduleExpressionTimezone: 'Europe/Berlin',
      Target: { RetryPolicy: { MaximumEventAgeInSeconds: 3600, MaximumRetryAttempts: 3 } },
    });
    const query = 'accountId=123456789012&region=eu-central-1';
    const fired = await fetch(`${emu.url}/_emulator/scheduler/fire/orders/report?${query}`, { method: 'POST' });
    expect(await fired.json()).toMatchObject({ status: 'delivered' });
    expect(await bodiesOf('scheduler-work')).toEqual(['{"report":"daily"}']);
  });

  test('SES: identities of both versions send, and rules receive mail', async () => {
    const { DkimAttributes } = await sesv2.getEmailIdentity({ EmailIdentity: 'store.example.com' });
    expect(DkimAttributes).toMatchObject({ Status: 'SUCCESS' });
    const { MessageId } = await ses.sendTemplatedEmail({
      Source: 'ann@shop.example.com',
      Destination: { ToAddresses: ['bounce@simulator.amazonses.com'] },
      Template: 'welcome',
      TemplateData: '{"name":"Ann"}',
    });
    const { Insights } = await sesv2.getMessageInsights({ MessageId });
    expect(Insights?.[0]?.Events?.map(({ Type }) => Type)).toEqual(['SEND', 'BOUNCE']);
    expect((await ses.describeActiveReceiptRuleSet({})).Rules).toMatchObject([{ Name: 'tag' }, { Name: 'store' }]);
  });

  test('Secrets Manager and KMS: a rotating secret', async () => {
    expect(terraform.output('password')).toBe('hidden');
    expect(await secrets.describeSecret({ SecretId: 'app/database' })).toMatchObject({
      RotationEnabled: true,
      RotationRules: { AutomaticallyAfterDays: 30 },
    });
  });

  test('Service Quotas: an approved increase', async () => {
    const { Quota } = await serviceQuotas.getServiceQuota({ ServiceCode: 'sns', QuotaCode: 'L-61103206' });
    expect(Quota).toMatchObject({ QuotaName: 'Topics per Account', Value: 150_000 });
    const { RequestedQuotas } = await serviceQuotas.listRequestedServiceQuotaChangeHistory({});
    expect(RequestedQuotas).toMatchObject([{ DesiredValue: 150_000, Status: 'APPROVED' }]);
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

  test('Systems Manager: parameters of every type, and a public one', async () => {
    const { Parameter } = await ssm.getParameter({ Name: '/app/password', WithDecryption: true });
    expect(Parameter).toMatchObject({ Type: 'SecureString', Value: 'hidden' });
    const { TagList } = await ssm.listTagsForResource({ ResourceType: 'Parameter', ResourceId: '/app/url' });
    expect(TagList).toEqual([{ Key: 'Team', Value: 'orders' }]);
    const { WindowIdentities } = await ssm.describeMaintenanceWindows({
      Filters: [{ Key: 'Name', Values: ['nightly'] }],
    });
    expect(WindowIdentities).toMatchObject([{ Name: 'nightly', ScheduleTimezone: 'Europe/Berlin' }]);
    const { Tasks } = await ssm.describeMaintenanceWindowTasks({ WindowId: WindowIdentities![0]!.WindowId! });
    expect(Tasks!.map(({ Type }) => Type).sort()).toEqual(['LAMBDA', 'RUN_COMMAND']);
    expect((await ssm.describePatchGroups({})).Mappings).toMatchObject([
      { PatchGroup: 'web', BaselineIdentity: { BaselineName: 'linux', DefaultBaseline: true } },
    ]);
    const hello = { AssociationFilterList: [{ key: 'AssociationName' as const, value: 'hello' }] };
    expect((await ssm.listAssociations(hello)).Associations).toMatchObject([{ AssociationName: 'hello' }]);
    expect(terraform.output('image')).toMatch(/^ami-0e0/);
  });

  test('Systems Manager: documents and an activation', async () => {
    const { Document } = await ssm.describeDocument({ Name: 'greet' });
    expect(Document).toMatchObject({ DocumentFormat: 'YAML', TargetType: '/AWS::EC2::Instance', SchemaVersion: '2.2' });
    const shared = await ssm.describeDocumentPermission({ Name: 'greet', PermissionType: 'Share' });
    expect(shared.AccountIds).toEqual(['111111111111']);
    expect((await ssm.describeActivations({})).ActivationList).toMatchObject([
      { DefaultInstanceName: 'machines', RegistrationLimit: 5 },
    ]);
    expect(terraform.output('shell')).toBe('Command');
  });

  test('Step Functions: a pipe enriches messages of a queue and starts a logged execution', async () => {
    for (const status of ['open', 'paid'])
      await sqs.sendMessage({ QueueUrl: await queueUrl('workflow-orders'), MessageBody: JSON.stringify({ status }) });
    const { stateMachines } = await sfn.listStateMachines({});
    const { stateMachineArn } = stateMachines!.find(({ name }) => name === 'orders')!;
    const executionsOf = async () => (await sfn.listExecutions({ stateMachineArn })).executions!;
    await expect.poll(async () => (await executionsOf()).length, { timeout: 20_000 }).toBe(1);
    const [{ executionArn } = {}] = await executionsOf();
    const { input } = await sfn.describeExecution({ executionArn });
    expect(JSON.parse(input!)).toEqual([{ order: { status: 'paid' }, enriched: true }]);
    const lines = async () =>
      (await logs.filterLogEvents({ logGroupName: '/aws/vendedlogs/states/orders' })).events!.length;
    await expect.poll(lines, { timeout: 20_000 }).toBe(4);
    const { stateMachineAliases } = await sfn.listStateMachineAliases({ stateMachineArn });
    expect(stateMachineAliases).toHaveLength(1);
  });

  test('has every resource type of the services, except those that are left out with a reason', async () => {
    const schemas = JSON.parse(await terraform.succeed('providers', 'schema', '-json')) as ProviderSchemas;
    const { services } = JSON.parse(readFileSync(file('terraform/resources.json'), 'utf8')) as {
      services: Record<string, string[]>;
    };
    const prefixes = Object.values(services).flat();
    const types = Object.values(schemas.provider_schemas)
      .flatMap(({ resource_schemas }) => Object.keys(resource_schemas))
      .filter((type) => prefixes.some((prefix) => type.startsWith(prefix)));
    const [table = ''] = readFileSync(file('../docs/coverage/terraform.md'), 'utf8').split('## Arguments left out');
    expect([...table.matchAll(/`(aws_\w+)`/g)].map(([, type]) => type).sort()).toEqual(types.sort());
  });

  test('plans no changes, and destroys everything', { timeout: 900_000 }, async () => {
    await terraform.planNothing();
    // Applying the second state takes about as long as all other commands together.
    if (process.env.EMU_TERRAFORM === 'all') {
      terraform.assign('changed', 'true');
      await terraform.apply();
      await terraform.planNothing();
    }
    await terraform.destroy();
    expect((await cloudwatch.describeAlarms({ AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] })).MetricAlarms).toEqual(
      [],
    );
    expect((await cloudwatch.listDashboards({})).DashboardEntries).toEqual([]);
    const { StackSummaries } = await cloudformation.listStacks({ StackStatusFilter: ['CREATE_COMPLETE'] });
    expect(StackSummaries).toEqual([]);
    expect((await apiGateway.getApis({})).Items).toEqual([]);
    expect((await apiGateway.getDomainNames({})).Items).toEqual([]);
    expect((await cognito.listUserPools({ MaxResults: 10 })).UserPools).toEqual([]);
    expect((await identities.listIdentityPools({ MaxResults: 10 })).IdentityPools).toEqual([]);
    expect((await dynamodb.listTables({})).TableNames).toEqual([]);
    expect((await events.listEventBuses({})).EventBuses).toHaveLength(1);
    expect((await events.listConnections({})).Connections).toEqual([]);
    const { SummaryMap } = await iam.getAccountSummary({});
    expect(SummaryMap).toMatchObject({ Users: 0, Groups: 0, Roles: 0, Policies: 0, InstanceProfiles: 0, Providers: 0 });
    expect((await iam.listAccountAliases({})).AccountAliases).toEqual([]);
    expect((await kinesis.listStreams({})).StreamNames).toEqual([]);
    expect((await lambda.listFunctions({})).Functions).toEqual([]);
    expect((await lambda.listLayers({})).Layers).toEqual([]);
    expect((await lambda.listEventSourceMappings({})).EventSourceMappings).toEqual([]);
    expect((await pipes.listPipes({})).Pipes).toEqual([]);
    expect((await s3.listBuckets({})).Buckets ?? []).toEqual([]);
    expect((await scheduler.listSchedules({})).Schedules).toEqual([]);
    expect((await scheduler.listScheduleGroups({})).ScheduleGroups).toHaveLength(1);
    expect((await secrets.listSecrets({ IncludePlannedDeletion: true })).SecretList).toEqual([]);
    expect((await sfn.listStateMachines({})).stateMachines).toEqual([]);
    expect((await sfn.listActivities({})).activities).toEqual([]);
    expect((await ses.listIdentities({})).Identities).toEqual([]);
    expect((await ses.listReceiptRuleSets({})).RuleSets).toEqual([]);
    expect((await sesv2.listConfigurationSets({})).ConfigurationSets).toEqual([]);
    expect((await sesv2.listContactLists({})).ContactLists).toEqual([]);
    expect((await sns.listTopics({})).Topics).toEqual([]);
    expect((await sns.listSubscriptions({})).Subscriptions).toEqual([]);
    expect((await sns.listPlatformApplications({})).PlatformApplications).toEqual([]);
    expect((await sqs.listQueues({})).QueueUrls ?? []).toEqual([]);
    expect((await ssm.describeParameters({})).Parameters).toEqual([]);
    expect((await ssm.describeMaintenanceWindows({})).WindowIdentities).toEqual([]);
    expect((await ssm.listAssociations({})).Associations).toEqual([]);
    const own = [{ Key: 'Owner', Values: ['Self'] }];
    expect((await ssm.listDocuments({ Filters: own })).DocumentIdentifiers).toEqual([]);
    expect((await ssm.describeActivations({})).ActivationList).toEqual([]);
  });
});
