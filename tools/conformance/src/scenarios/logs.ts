import * as sdk from '@aws-sdk/client-cloudwatch-logs';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-logs/model/logs.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import { insights } from './logs-insights.ts';

const REGION = 'us-east-1';
const ACCOUNT = '123456789012';
const arn = (resource: string): string => `arn:aws:logs:${REGION}:${ACCOUNT}:${resource}`;
const GROUP = arn('log-group:known');
const FUNCTION = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:sink`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/app`;
const STREAM = `arn:aws:kinesis:${REGION}:${ACCOUNT}:stream/sink`;
const STORE = `arn:aws:cloudtrail:${REGION}:${ACCOUNT}:eventdatastore/store`;

/** A package of one empty function. */
const ZIP = Buffer.from(
  'UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAIAAAAaW5kZXguanNQSwECFAMUAAAAAAAAACEAAAAAAAAAAAAAAAAACAAAAAAAAAAAAAAApIEAAAAAaW5kZXguanNQSwUGAAAAAAEAAQA2AAAAJgAAAAAA',
  'base64',
);

const policy = (Action: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'route53.amazonaws.com' }, Action, Resource: '*' }],
  });

const protection = (name: string): string => {
  const DataIdentifier = ['arn:aws:dataprotection::aws:data-identifier/EmailAddress'];
  return JSON.stringify({
    Name: name,
    Version: '2021-06-01',
    Statement: [
      { Sid: 'audit', DataIdentifier, Operation: { Audit: { FindingsDestination: {} } } },
      { Sid: 'mask', DataIdentifier, Operation: { Deidentify: { MaskConfig: {} } } },
    ],
  });
};

const transformation = { metricName: 'Errors', metricNamespace: 'App', metricValue: '1' };
const ofGroup = () => ({ logGroupName: 'known' });
const identified = () => ({ logGroupIdentifier: GROUP });
const inStream = () => ({ logGroupName: 'known', logStreamName: 'stream' });

const put = (send: Send, message: string, logStreamName = 'stream', timestamp = Date.now()) =>
  send('PutLogEvents', { logGroupName: 'known', logStreamName, logEvents: [{ timestamp, message }] });

/** Creates a group with two streams and an event, another group, a filter, a policy, a detector and a delivery. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateLogGroup', {
    logGroupName: 'known',
    tags: { team: 'a', 'cw:datasource:name': 'shop', 'cw:datasource:type': 'orders' },
  });
  await send('CreateLogGroup', {
    logGroupName: 'other',
    logGroupClass: 'INFREQUENT_ACCESS',
    tags: { 'cw:datasource:name': 'stock', 'cw:datasource:type': 'levels' },
  });
  await send('CreateLogStream', inStream());
  await send('CreateLogStream', { ...inStream(), logStreamName: 'second' });
  await put(send, 'ERROR from a@example.com');
  // Later than the other event, so that the streams have another order by time than by name.
  await put(send, 'ERROR too', 'second', Date.now() + 1000);
  await send('PutMetricFilter', {
    ...ofGroup(),
    filterName: 'filter',
    filterPattern: 'ERROR',
    metricTransformations: [transformation],
  });
  await send('PutResourcePolicy', { policyName: 'known', policyDocument: policy('logs:PutLogEvents') });
  const { anomalyDetectorArn } = await send('CreateLogAnomalyDetector', { logGroupArnList: [GROUP] });
  await send('PutDeliverySource', {
    name: 'source',
    resourceArn: `arn:aws:cloudfront::${ACCOUNT}:distribution/E1Q5F5862X9VJ5`,
    logType: 'ACCESS_LOGS',
  });
  const { deliveryDestination } = await send('PutDeliveryDestination', {
    name: 'destination',
    deliveryDestinationConfiguration: { destinationResourceArn: 'arn:aws:s3:::bucket' },
  });
  const { events } = await send('FilterLogEvents', ofGroup());
  return {
    detector: anomalyDetectorArn as string,
    destination: (deliveryDestination as { arn: string }).arn,
    event: (events as { eventId: string }[])[0]!.eventId,
  };
}

/** Returns all lists, and the events and policies of each group. */
async function observe(send: Send): Promise<unknown> {
  const { logGroups } = await send('DescribeLogGroups', {});
  const names = (logGroups as { logGroupName: string; logGroupArn: string; logGroupClass: string }[]).map(
    (group) => group,
  );
  const answer = async (operation: string, input: Record<string, unknown> = {}): Promise<unknown> => {
    const { $metadata: _, ...members } = await send(operation, input);
    return members;
  };
  const groups = names.map(async ({ logGroupName, logGroupArn, logGroupClass }) => [
    await answer('DescribeLogStreams', { logGroupName }),
    await answer('DescribeSubscriptionFilters', { logGroupName }),
    await answer('ListTagsForResource', { resourceArn: logGroupArn }),
    await answer('GetDataProtectionPolicy', { logGroupIdentifier: logGroupArn }),
    await answer('DescribeIndexPolicies', { logGroupIdentifiers: [logGroupArn] }),
    logGroupClass === 'STANDARD' ? await answer('FilterLogEvents', { logGroupName, unmask: true }) : undefined,
  ]);
  const { deliveryDestinations } = await send('DescribeDeliveryDestinations', {});
  const destinations = deliveryDestinations as { name: string }[];
  return [
    logGroups,
    await Promise.all(groups),
    await answer('DescribeMetricFilters'),
    await answer('DescribeDestinations'),
    await answer('DescribeResourcePolicies'),
    await answer('DescribeResourcePolicies', { policyScope: 'RESOURCE' }),
    await answer('DescribeExportTasks'),
    await answer('DescribeDeliveries'),
    await answer('DescribeDeliveryDestinations'),
    await answer('DescribeDeliverySources'),
    await Promise.all(
      destinations.map(({ name }) => answer('GetDeliveryDestinationPolicy', { deliveryDestinationName: name })),
    ),
    await answer('ListLogAnomalyDetectors'),
    await answer('ListAnomalies'),
    await answer('ListIntegrations'),
    await answer('ListSourcesForS3TableIntegration', { integrationArn: TABLES }),
    await answer('ListAggregateLogGroupSummaries', { groupBy: 'DATA_SOURCE_NAME_AND_TYPE' }),
    await answer('DescribeImportTasks'),
    await answer('DescribeAccountPolicies', { policyType: 'DATA_PROTECTION_POLICY' }),
    await answer('DescribeAccountPolicies', { policyType: 'FIELD_INDEX_POLICY' }),
    await answer('DescribeAccountPolicies', { policyType: 'SUBSCRIPTION_FILTER_POLICY' }),
    await insights.observe(send),
  ];
}

const withFunction = async (send: Send): Promise<Facts> => {
  await send('Lambda.CreateFunction', {
    FunctionName: 'sink',
    Role: ROLE,
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Code: { ZipFile: ZIP },
  });
  return {};
};
const withBucket = async (send: Send): Promise<Facts> => {
  await send('S3.CreateBucket', { Bucket: 'exports' });
  return {};
};
const delivery = (facts: Facts) => ({
  deliverySourceName: 'source',
  deliveryDestinationArn: facts.destination,
  fieldDelimiter: ',',
});
const withDelivery = async (send: Send, facts: Facts): Promise<Facts> => {
  const { delivery: made } = await send('CreateDelivery', { ...delivery(facts), recordFields: ['date'] });
  return { delivery: (made as { id: string }).id };
};
const subscription = () => ({ ...ofGroup(), filterName: 'sub', filterPattern: 'x', destinationArn: FUNCTION });
const withSubscription = async (send: Send): Promise<Facts> => {
  await withFunction(send);
  await send('PutSubscriptionFilter', subscription());
  return {};
};
const exportTask = () => ({ ...ofGroup(), from: 0, to: Date.now() + 1, destination: 'exports' });
const withExport = async (send: Send): Promise<Facts> => {
  await withBucket(send);
  const { taskId } = await send('CreateExportTask', exportTask());
  return { task: taskId as string };
};
const importTask = () => ({ importSourceArn: STORE, importRoleArn: ROLE });
const withImport = async (send: Send): Promise<Facts> => {
  const { importId } = await send('CreateImportTask', importTask());
  return { import: importId as string };
};
const integration = () => ({
  integrationName: 'search',
  integrationType: 'OPENSEARCH',
  resourceConfig: {
    openSearchResourceConfig: {
      dataSourceRoleArn: ROLE,
      dashboardViewerPrincipals: [ROLE],
      retentionDays: 7,
    },
  },
});
const withIntegration = async (send: Send): Promise<Facts> => {
  await send('PutIntegration', integration());
  return {};
};
const destination = () => ({ destinationName: 'shared', targetArn: STREAM, roleArn: ROLE });
const withStream = async (send: Send): Promise<Facts> => {
  await send('Kinesis.CreateStream', { StreamName: 'sink', ShardCount: 1 });
  return {};
};
const withDestination = async (send: Send): Promise<Facts> => {
  await withStream(send);
  await send('PutDestination', destination());
  return {};
};
const accountPolicy = () => ({
  policyName: 'all',
  policyType: 'DATA_PROTECTION_POLICY',
  policyDocument: protection('account'),
});
const withAccountPolicy = async (send: Send): Promise<Facts> => {
  await send('PutAccountPolicy', accountPolicy());
  return {};
};
const withProtection = async (send: Send): Promise<Facts> => {
  await send('PutDataProtectionPolicy', { ...identified(), policyDocument: protection('group') });
  await put(send, 'b@example.com');
  const { events } = await send('FilterLogEvents', ofGroup());
  return { event: (events as { eventId: string }[]).at(-1)!.eventId };
};
const withIndex = async (send: Send): Promise<Facts> => {
  await send('PutIndexPolicy', { ...identified(), policyDocument: '{"Fields":["user"]}' });
  return {};
};
const withDestinationPolicy = async (send: Send): Promise<Facts> => {
  await send('PutDeliveryDestinationPolicy', {
    deliveryDestinationName: 'destination',
    deliveryDestinationPolicy: policy('logs:CreateDelivery'),
  });
  return {};
};
const withAnomaly = async (send: Send, { detector }: Facts): Promise<Facts> => {
  const anomalies = [{ description: 'new', patternString: 'failed <*> times' }];
  const { anomalyIds } = await send('Emu.InjectAnomalies', { anomalyDetectorArn: detector, anomalies });
  return { anomaly: (anomalyIds as string[])[0]! };
};
const withKey = async (send: Send): Promise<Facts> => {
  const { KeyMetadata } = await send('KMS.CreateKey', {});
  return { key: (KeyMetadata as { Arn: string }).Arn };
};
const associate = (facts: Facts) => ({ ...ofGroup(), kmsKeyId: facts.key });
const withKeyedGroup = async (send: Send): Promise<Facts> => {
  const facts = await withKey(send);
  await send('AssociateKmsKey', associate(facts));
  return facts;
};
const TABLES = `arn:aws:observabilityadmin:${REGION}:${ACCOUNT}:s3tableintegration/known`;
const tableSource = () => ({ integrationArn: TABLES, dataSource: { name: 'shop', type: 'orders' } });
const withTableSource = async (send: Send): Promise<Facts> => {
  const { identifier } = await send('AssociateSourceToS3TableIntegration', tableSource());
  return { source: identifier as string };
};
const withRetention = async (send: Send): Promise<Facts> => {
  await send('PutRetentionPolicy', { ...ofGroup(), retentionInDays: 7 });
  return {};
};

const byDetector = (facts: Facts) => ({ anomalyDetectorArn: facts.detector });
const newGroup = (send: Send) => send('CreateLogGroup', { logGroupName: 'new' });

/** Amazon CloudWatch Logs. */
export const logs: Scenario = {
  service: 'logs',
  others: ['kinesis', 'kms', 'lambda', 's3'],
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const own = sender(new sdk.CloudWatchLogsClient(config) as never, sdk);
    return async (operation, input) => {
      if (operation === 'Lambda.CreateFunction') {
        const { LambdaClient, CreateFunctionCommand } = await import('@aws-sdk/client-lambda');
        return { ...(await new LambdaClient(config).send(new CreateFunctionCommand(input as never))) };
      }
      if (operation === 'S3.CreateBucket') {
        const { S3Client, CreateBucketCommand } = await import('@aws-sdk/client-s3');
        const client = new S3Client(config);
        return { ...(await client.send(new CreateBucketCommand(input as never))) };
      }
      if (operation === 'Emu.InjectAnomalies')
        return { ...(await emulator.control.logs.injectAnomalies(input as never)) };
      if (operation === 'Emu.Advance') {
        await emulator.clock.advance(input.milliseconds as number);
        return {};
      }
      if (operation === 'KMS.CreateKey') {
        const { KMSClient, CreateKeyCommand } = await import('@aws-sdk/client-kms');
        return { ...(await new KMSClient(config).send(new CreateKeyCommand(input as never))) };
      }
      if (operation === 'Kinesis.CreateStream') {
        const { KinesisClient, CreateStreamCommand } = await import('@aws-sdk/client-kinesis');
        return { ...(await new KinesisClient(config).send(new CreateStreamCommand(input as never))) };
      }
      return own(operation, input);
    };
  },
  live: ['StartLiveTail', ...insights.live],
  setUp,
  observe,
  before: {
    ...insights.before,
    GetLogRecord: async (send) => ({ ...(await withProtection(send)), ...(await insights.withPointer(send)) }),
    AssociateKmsKey: withKey,
    CancelExportTask: withExport,
    CancelImportTask: withImport,
    CreateExportTask: withBucket,
    DeleteAccountPolicy: withAccountPolicy,
    DeleteDataProtectionPolicy: withProtection,
    DeleteDelivery: withDelivery,
    DeleteDeliveryDestinationPolicy: withDestinationPolicy,
    DeleteDestination: withDestination,
    DeleteIndexPolicy: withIndex,
    DeleteIntegration: withIntegration,
    DeleteRetentionPolicy: withRetention,
    DeleteSubscriptionFilter: withSubscription,
    DisassociateKmsKey: withKeyedGroup,
    DisassociateSourceFromS3TableIntegration: withTableSource,
    DescribeAccountPolicies: withAccountPolicy,
    DescribeDeliveries: withDelivery,
    DescribeExportTasks: withExport,
    DescribeFieldIndexes: withIndex,
    DescribeImportTaskBatches: withImport,
    DescribeImportTasks: withImport,
    DescribeSubscriptionFilters: withSubscription,
    FilterLogEvents: withProtection,
    GetDelivery: withDelivery,
    GetDeliveryDestinationPolicy: withDestinationPolicy,
    GetIntegration: withIntegration,
    GetLogEvents: withProtection,
    GetLogObject: withProtection,
    ListIntegrations: withIntegration,
    ListSourcesForS3TableIntegration: withTableSource,
    PutDestination: withStream,
    PutDestinationPolicy: withDestination,
    PutSubscriptionFilter: withFunction,
    ListAnomalies: withAnomaly,
    UpdateAnomaly: withAnomaly,
    UpdateDeliveryConfiguration: withDelivery,
  },
  also: insights.also,
  after: insights.after,
  inputs: {
    ...insights.inputs,
    AssociateKmsKey: associate,
    AssociateSourceToS3TableIntegration: tableSource,
    CancelExportTask: (facts) => ({ taskId: facts.task }),
    CancelImportTask: (facts) => ({ importId: facts.import }),
    CreateDelivery: delivery,
    CreateExportTask: exportTask,
    CreateImportTask: importTask,
    CreateLogAnomalyDetector: () => ({ logGroupArnList: [GROUP] }),
    CreateLogGroup: () => ({ logGroupName: 'new' }),
    CreateLogStream: () => ({ ...ofGroup(), logStreamName: 'new' }),
    DeleteAccountPolicy: () => ({ policyName: 'all', policyType: 'DATA_PROTECTION_POLICY' }),
    DeleteDataProtectionPolicy: identified,
    DeleteDelivery: (facts) => ({ id: facts.delivery }),
    DeleteDeliveryDestination: () => ({ name: 'destination' }),
    DeleteDeliveryDestinationPolicy: () => ({ deliveryDestinationName: 'destination' }),
    DeleteDeliverySource: () => ({ name: 'source' }),
    DeleteDestination: () => ({ destinationName: 'shared' }),
    DeleteIndexPolicy: identified,
    DeleteIntegration: () => ({ integrationName: 'search' }),
    DeleteLogAnomalyDetector: byDetector,
    DeleteLogGroup: ofGroup,
    DeleteLogStream: inStream,
    DeleteMetricFilter: () => ({ ...ofGroup(), filterName: 'filter' }),
    DeleteResourcePolicy: () => ({ policyName: 'known' }),
    DeleteRetentionPolicy: ofGroup,
    DeleteSubscriptionFilter: () => ({ ...ofGroup(), filterName: 'sub' }),
    DescribeAccountPolicies: () => ({ policyType: 'DATA_PROTECTION_POLICY' }),
    DescribeFieldIndexes: () => ({ logGroupIdentifiers: [GROUP] }),
    DescribeImportTaskBatches: (facts) => ({ importId: facts.import }),
    DescribeIndexPolicies: () => ({ logGroupIdentifiers: [GROUP] }),
    DescribeLogStreams: ofGroup,
    DescribeSubscriptionFilters: ofGroup,
    DisassociateKmsKey: ofGroup,
    DisassociateSourceFromS3TableIntegration: (facts) => ({ identifier: facts.source }),
    FilterLogEvents: ofGroup,
    GetDataProtectionPolicy: identified,
    GetDelivery: (facts) => ({ id: facts.delivery }),
    GetDeliveryDestination: () => ({ name: 'destination' }),
    GetDeliveryDestinationPolicy: () => ({ deliveryDestinationName: 'destination' }),
    GetDeliverySource: () => ({ name: 'source' }),
    GetIntegration: () => ({ integrationName: 'search' }),
    GetLogAnomalyDetector: byDetector,
    GetLogEvents: inStream,
    GetLogFields: () => ({ dataSourceName: 'shop', dataSourceType: 'orders' }),
    GetLogObject: (facts) => ({ logObjectPointer: facts.event }),
    DescribeConfigurationTemplates: () => ({
      service: 'events',
      logTypes: ['INFO_LOGS'],
      resourceTypes: ['event-bus'],
      deliveryDestinationTypes: ['S3', 'CWL'],
    }),
    ListAggregateLogGroupSummaries: () => ({ groupBy: 'DATA_SOURCE_NAME_AND_TYPE' }),
    ListSourcesForS3TableIntegration: () => ({ integrationArn: TABLES }),
    ListTagsForResource: () => ({ resourceArn: GROUP }),
    ListTagsLogGroup: ofGroup,
    PutAccountPolicy: accountPolicy,
    PutBearerTokenAuthentication: () => ({ ...identified(), bearerTokenAuthenticationEnabled: true }),
    PutDataProtectionPolicy: () => ({ ...identified(), policyDocument: protection('group') }),
    PutDeliveryDestination: () => ({
      name: 'new',
      deliveryDestinationConfiguration: { destinationResourceArn: 'arn:aws:s3:::bucket' },
    }),
    PutDeliveryDestinationPolicy: () => ({
      deliveryDestinationName: 'destination',
      deliveryDestinationPolicy: policy('logs:CreateDelivery'),
    }),
    PutDeliverySource: () => ({
      name: 'new',
      resourceArn: `arn:aws:cloudfront::${ACCOUNT}:distribution/E1Q5F5862X9VJ5`,
      logType: 'ACCESS_LOGS',
    }),
    PutDestination: destination,
    PutDestinationPolicy: () => ({ destinationName: 'shared', accessPolicy: policy('logs:PutSubscriptionFilter') }),
    PutIndexPolicy: () => ({ ...identified(), policyDocument: '{"Fields":["user"]}' }),
    PutIntegration: integration,
    PutLogEvents: () => ({ ...inStream(), logEvents: [{ timestamp: Date.now(), message: 'new' }] }),
    PutLogGroupDeletionProtection: () => ({ ...identified(), deletionProtectionEnabled: true }),
    PutMetricFilter: () => ({
      ...ofGroup(),
      filterName: 'new',
      filterPattern: 'x',
      metricTransformations: [transformation],
    }),
    PutResourcePolicy: () => ({ policyName: 'new', policyDocument: policy('logs:PutLogEvents') }),
    PutRetentionPolicy: () => ({ ...ofGroup(), retentionInDays: 7 }),
    PutSubscriptionFilter: subscription,
    StartLiveTail: () => ({ logGroupIdentifiers: [GROUP] }),
    TagLogGroup: () => ({ ...ofGroup(), tags: { new: 'x' } }),
    TagResource: () => ({ resourceArn: GROUP, tags: { new: 'x' } }),
    TestMetricFilter: () => ({ filterPattern: '[a = 1]', logEventMessages: ['1', '2'] }),
    UntagLogGroup: () => ({ ...ofGroup(), tags: ['team'] }),
    UntagResource: () => ({ resourceArn: GROUP, tagKeys: ['team'] }),
    UpdateAnomaly: (facts) => ({ ...byDetector(facts), anomalyId: facts.anomaly, suppressionType: 'INFINITE' }),
    UpdateDeliveryConfiguration: (facts) => ({ id: facts.delivery, recordFields: ['time'], fieldDelimiter: ';' }),
    UpdateLogAnomalyDetector: (facts) => ({ ...byDetector(facts), enabled: false }),
  },
  reads: {
    ...insights.reads,
    DescribeAccountPolicies: (send) =>
      send('DeleteAccountPolicy', { policyName: 'all', policyType: 'DATA_PROTECTION_POLICY' }),
    DescribeConfigurationTemplates: undefined,
    DescribeDeliveries: (send, facts) => send('DeleteDelivery', { id: facts.delivery }),
    DescribeDeliveryDestinations: (send) => send('DeleteDeliveryDestination', { name: 'destination' }),
    DescribeDeliverySources: (send) => send('DeleteDeliverySource', { name: 'source' }),
    DescribeDestinations: withDestination,
    DescribeExportTasks: (send, facts) => send('CancelExportTask', { taskId: facts.task }),
    DescribeFieldIndexes: (send) => send('DeleteIndexPolicy', identified()),
    DescribeImportTaskBatches: undefined,
    DescribeImportTasks: (send, facts) => send('CancelImportTask', { importId: facts.import }),
    DescribeIndexPolicies: withIndex,
    DescribeLogGroups: newGroup,
    DescribeLogStreams: (send) => send('CreateLogStream', { ...ofGroup(), logStreamName: 'new' }),
    DescribeMetricFilters: (send) => send('DeleteMetricFilter', { ...ofGroup(), filterName: 'filter' }),
    DescribeResourcePolicies: (send) => send('DeleteResourcePolicy', { policyName: 'known' }),
    DescribeSubscriptionFilters: (send) => send('DeleteSubscriptionFilter', { ...ofGroup(), filterName: 'sub' }),
    FilterLogEvents: (send) => put(send, 'ERROR more'),
    GetDataProtectionPolicy: withProtection,
    GetDelivery: (send, facts) => send('UpdateDeliveryConfiguration', { id: facts.delivery, recordFields: ['time'] }),
    GetDeliveryDestination: (send) =>
      send('PutDeliveryDestination', {
        name: 'destination',
        outputFormat: 'json',
        deliveryDestinationConfiguration: { destinationResourceArn: 'arn:aws:s3:::other' },
      }),
    GetDeliveryDestinationPolicy: (send) =>
      send('DeleteDeliveryDestinationPolicy', { deliveryDestinationName: 'destination' }),
    GetDeliverySource: (send) =>
      send('PutDeliverySource', {
        name: 'source',
        resourceArn: `arn:aws:cloudfront::${ACCOUNT}:distribution/E1Q5F5862X9VJ5`,
        logType: 'ACCESS_LOGS',
        tags: { changed: 'true' },
      }),
    GetIntegration: undefined,
    GetLogAnomalyDetector: (send, facts) => send('UpdateLogAnomalyDetector', { ...byDetector(facts), enabled: false }),
    GetLogEvents: (send) => put(send, 'ERROR more'),
    GetLogFields: (send) => put(send, '{"n":1}'),
    GetLogObject: undefined,
    ListAggregateLogGroupSummaries: (send) =>
      send('UntagResource', { resourceArn: GROUP, tagKeys: ['cw:datasource:name'] }),
    ListSourcesForS3TableIntegration: (send, facts) =>
      send('DisassociateSourceFromS3TableIntegration', { identifier: facts.source }),
    ListAnomalies: (send, facts) =>
      send('UpdateAnomaly', { ...byDetector(facts), anomalyId: facts.anomaly, suppressionType: 'INFINITE' }),
    ListIntegrations: (send) => send('DeleteIntegration', { integrationName: 'search' }),
    ListLogAnomalyDetectors: (send, facts) => send('DeleteLogAnomalyDetector', byDetector(facts)),
    ListLogGroups: newGroup,
    ListTagsForResource: (send) => send('UntagResource', { resourceArn: GROUP, tagKeys: ['team'] }),
    ListTagsLogGroup: (send) => send('UntagResource', { resourceArn: GROUP, tagKeys: ['team'] }),
    StartLiveTail: undefined,
    TestMetricFilter: undefined,
  },
};
