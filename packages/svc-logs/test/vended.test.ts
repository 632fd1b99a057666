import type { ListAggregateLogGroupSummariesCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, groupArn, type LogsTest, REGION, startLogs } from './support.ts';

// Messages are from AWS recordings where available.

const DISTRIBUTION = `arn:aws:cloudfront::${ACCOUNT}:distribution/E1Q5F5862X9VJ5`;
const arn = (resource: string) => `arn:aws:logs:${REGION}:${ACCOUNT}:${resource}`;

let test: LogsTest;
beforeAll(async () => {
  test = await startLogs();
});
afterAll(() => test[Symbol.asyncDispose]());

describe('deliveries', () => {
  it('connect a source to a destination', async () => {
    const { logs } = test;
    const source = { name: 'source', resourceArn: DISTRIBUTION, logType: 'ACCESS_LOGS', tags: { key1: 'value1' } };
    const { deliverySource } = await logs.putDeliverySource(source);
    expect(deliverySource).toEqual({
      name: 'source',
      arn: arn('delivery-source:source'),
      resourceArns: [DISTRIBUTION],
      service: 'cloudfront',
      logType: 'ACCESS_LOGS',
      tags: { key1: 'value1' },
    });
    const deliveryDestinationConfiguration = { destinationResourceArn: 'arn:aws:s3:::bucket' };
    const { deliveryDestination } = await logs.putDeliveryDestination({
      name: 'destination',
      outputFormat: 'json',
      deliveryDestinationConfiguration,
    });
    expect(deliveryDestination).toEqual({
      name: 'destination',
      arn: arn('delivery-destination:destination'),
      deliveryDestinationType: 'S3',
      outputFormat: 'json',
      deliveryDestinationConfiguration,
    });
    const deliveryDestinationArn = deliveryDestination!.arn!;
    const join = { deliverySourceName: 'source', deliveryDestinationArn, recordFields: ['date'], fieldDelimiter: ',' };
    const { delivery } = await logs.createDelivery({ ...join, s3DeliveryConfiguration: { suffixPath: 'logs/' } });
    expect(delivery).toEqual({
      ...join,
      id: expect.stringMatching(/^[0-9A-Za-z]+$/),
      arn: arn(`delivery:${delivery!.id}`),
      deliveryDestinationType: 'S3',
      s3DeliveryConfiguration: { suffixPath: 'logs/' },
    });
    const { id } = delivery!;
    await logs.updateDeliveryConfiguration({ id, recordFields: ['date', 'time'] });
    expect((await logs.getDelivery({ id })).delivery!.recordFields).toEqual(['date', 'time']);
    expect((await test.emulator.control('GET', '/_emulator/logs/delivery-config')).json).toEqual({
      deliveries: [
        {
          accountId: ACCOUNT,
          region: REGION,
          deliveryId: id,
          deliveryArn: delivery!.arn,
          deliverySourceName: 'source',
          deliveryDestinationArn,
          logType: 'ACCESS_LOGS',
          recordFields: ['date', 'time'],
          fieldDelimiter: ',',
          s3DeliveryConfiguration: { suffixPath: 'logs/' },
          createdAt: new Date(test.now).toISOString(),
        },
      ],
    });
    expect(await failureOf(logs.createDelivery(join))).toMatch(/^ConflictException/);
    expect(await failureOf(logs.deleteDeliverySource({ name: 'source' }))).toMatch(/^ConflictException/);
    expect(await failureOf(logs.deleteDeliveryDestination({ name: 'destination' }))).toMatch(/^ConflictException/);
    expect((await logs.describeDeliveries({})).deliveries).toHaveLength(1);
    await logs.deleteDelivery({ id });
    expect(await failureOf(logs.getDelivery({ id }))).toBe(
      'ResourceNotFoundException: Requested Delivery does not exist in this account.',
    );
    const deliveryDestinationPolicy = JSON.stringify({
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Principal: { AWS: ACCOUNT }, Action: 'logs:CreateDelivery', Resource: '*' },
    });
    const named = { deliveryDestinationName: 'destination' };
    await logs.putDeliveryDestinationPolicy({ ...named, deliveryDestinationPolicy });
    expect((await logs.getDeliveryDestinationPolicy(named)).policy).toEqual({ deliveryDestinationPolicy });
    await logs.deleteDeliveryDestinationPolicy(named);
    expect((await logs.getDeliveryDestinationPolicy(named)).policy).toEqual({});
    const changed = await logs.putDeliveryDestination({ name: 'destination', deliveryDestinationConfiguration });
    expect(changed.deliveryDestination!.outputFormat).toBeUndefined();
    expect((await logs.getDeliveryDestination({ name: 'destination' })).deliveryDestination).toEqual(
      changed.deliveryDestination,
    );
    expect((await logs.describeDeliveryDestinations({})).deliveryDestinations).toHaveLength(1);
    expect((await logs.describeDeliverySources({})).deliverySources).toEqual([deliverySource]);
    expect((await logs.getDeliverySource({ name: 'source' })).deliverySource).toEqual(deliverySource);
    expect((await logs.listTagsForResource({ resourceArn: deliverySource!.arn! })).tags).toEqual({ key1: 'value1' });
    await logs.deleteDeliverySource({ name: 'source' });
    await logs.deleteDeliveryDestination({ name: 'destination' });
  });

  it("rejects them with AWS's messages", async () => {
    const { logs } = test;
    const resourceArn = 'arn:aws:s3:::bucket';
    const failures: [Promise<unknown>, string][] = [
      [
        logs.putDeliverySource({ name: 'x', resourceArn, logType: 'ACCESS_LOGS' }),
        'ResourceNotFoundException: Cannot access provided service.',
      ],
      // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDeliverySource.html
      [
        logs.putDeliverySource({ name: 'x', resourceArn: DISTRIBUTION, logType: 'EVENT_LOGS' }),
        `ValidationException: The log type EVENT_LOGS is not supported by the resource ${DISTRIBUTION}.`,
      ],
      [
        logs.getDeliverySource({ name: 'x' }),
        'ResourceNotFoundException: Requested Delivery Source does not exist in this account.',
      ],
      [
        logs.deleteDeliverySource({ name: 'x' }),
        'ResourceNotFoundException: Requested Delivery Source does not exist in this account..',
      ],
      [
        logs.deleteDeliveryDestination({ name: 'x' }),
        'ResourceNotFoundException: Requested Delivery Destination does not exist in this account.',
      ],
      [
        logs.putDeliveryDestination({ name: 'x', outputFormat: 'foobar' as 'json' }),
        "ValidationException: 1 validation error detected: Value 'foobar' at 'outputFormat' failed to satisfy constraint: " +
          'Member must satisfy enum value set: [w3c, raw, json, plain, parquet]',
      ],
    ];
    for (const [request, failure] of failures) expect(await failureOf(request)).toBe(failure);
  });
});

describe('deliveries of services of emu', () => {
  const resourceArn = `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/orders`;

  it('have templates', async () => {
    const { logs } = test;
    const { configurationTemplates, nextToken } = await logs.describeConfigurationTemplates({
      service: 'events',
      logTypes: ['INFO_LOGS'],
      deliveryDestinationTypes: ['S3', 'CWL'],
      limit: 1,
    });
    expect(configurationTemplates).toMatchObject([
      {
        service: 'events',
        logType: 'INFO_LOGS',
        resourceType: 'event-bus',
        deliveryDestinationType: 'CWL',
        allowedOutputFormats: ['json', 'plain'],
        allowedFields: expect.arrayContaining([
          { name: 'resource_arn', mandatory: true },
          { name: 'details', mandatory: false },
        ]),
      },
    ]);
    const next = await logs.describeConfigurationTemplates({
      service: 'events',
      logTypes: ['INFO_LOGS'],
      deliveryDestinationTypes: ['S3', 'CWL'],
      nextToken,
    });
    expect(next.configurationTemplates).toMatchObject([
      { deliveryDestinationType: 'S3', allowedSuffixPathFields: expect.arrayContaining(['yyyy']) },
    ]);
    expect((await logs.describeConfigurationTemplates({ resourceTypes: ['table'] })).configurationTemplates).toEqual(
      [],
    );
    expect(await failureOf(logs.describeConfigurationTemplates({ service: 's3' }))).toBe(
      'ResourceNotFoundException: Cannot access provided service.',
    );
    expect(await failureOf(logs.describeConfigurationTemplates({ service: 'cloudfront' }))).toMatch(/^NotImplemented/);
  });

  it('are validated by them', async () => {
    const { logs } = test;
    const source = (input: object) =>
      logs.putDeliverySource({ name: 's', resourceArn, logType: 'INFO_LOGS', ...input });
    const destination = (name: string, outputFormat?: 'json' | 'w3c' | 'parquet') =>
      logs.putDeliveryDestination({
        name,
        outputFormat,
        deliveryDestinationConfiguration: {
          destinationResourceArn: name === 'group' ? groupArn('vended') : 'arn:aws:s3:::vended',
        },
      });
    const deliver = (name: string, input = {}) =>
      logs.createDelivery({
        deliverySourceName: 's',
        deliveryDestinationArn: arn(`delivery-destination:${name}`),
        ...input,
      });
    expect(await failureOf(source({ logType: 'ACCESS_LOGS' }))).toMatch(/^ValidationException: The log type/);
    const rule = { resourceArn: `arn:aws:events:${REGION}:${ACCOUNT}:rule/r` };
    expect(await failureOf(source(rule))).toMatch(/^ValidationException: The resource/);
    await source({});
    await destination('bucket');
    await destination('group', 'w3c');
    await destination('files', 'parquet');
    const mandatory = ['resource_arn', 'message_timestamp_ms', 'event_bus_name', 'message_type', 'log_level'];
    const failures: [Promise<unknown>, RegExp][] = [
      [deliver('group'), /^ValidationException: The output format w3c/],
      [deliver('bucket', { recordFields: [...mandatory, 'date'] }), /^ValidationException: The record field date is/],
      [deliver('bucket', { recordFields: ['details'] }), /^ValidationException: .* resource_arn is mandatory\.$/],
      [deliver('bucket', { fieldDelimiter: '|' }), /^ValidationException: The field delimiter/],
      [deliver('bucket', { s3DeliveryConfiguration: { suffixPath: '{id}' } }), /^ValidationException: The suffix path/],
    ];
    for (const [request, failure] of failures) expect(await failureOf(request)).toMatch(failure);
    await destination('group', 'json');
    const onlyS3 = { s3DeliveryConfiguration: { suffixPath: 'x' } };
    expect(await failureOf(deliver('group', onlyS3))).toMatch(/^ValidationException: s3DeliveryConfiguration/);
    const files = await deliver('files');
    await logs.deleteDelivery({ id: files.delivery!.id! });
    const { delivery } = await deliver('group', { recordFields: mandatory });
    expect(await failureOf(destination('group', 'w3c'))).toMatch(/^ValidationException: The output format w3c/);
    const change = logs.updateDeliveryConfiguration({ id: delivery!.id!, recordFields: ['x'] });
    expect(await failureOf(change)).toMatch(/^ValidationException: The record field x/);
    await logs.deleteDelivery({ id: delivery!.id! });
    await logs.deleteDeliverySource({ name: 's' });
    for (const name of ['bucket', 'group', 'files']) await logs.deleteDeliveryDestination({ name });
  });
});

describe('anomaly detectors', () => {
  it('lists anomalies of the control route until they are suppressed or expire', async () => {
    const { logs } = test;
    const group = await test.group('watched');
    const detector = { logGroupArnList: [groupArn(group)], detectorName: 'd', evaluationFrequency: 'TEN_MIN' } as const;
    const { anomalyDetectorArn } = await logs.createLogAnomalyDetector({
      ...detector,
      logGroupArnList: [...detector.logGroupArnList],
      anomalyVisibilityTime: 7,
    });
    const described = await logs.getLogAnomalyDetector({ anomalyDetectorArn });
    expect(described).toMatchObject({ ...detector, anomalyDetectorStatus: 'INITIALIZING', anomalyVisibilityTime: 7 });
    const anomalies = [{ description: 'new', patternString: 'failed <*> times', priority: 'LOW' }];
    const inject = (body: unknown) => test.emulator.control('POST', '/_emulator/logs/anomalies/inject', body);
    const injected = await inject({ logGroupName: group, anomalies });
    const [anomalyId] = (injected.json as { anomalyIds: string[] }).anomalyIds as [string];
    const list = async (suppressionState?: 'SUPPRESSED' | 'UNSUPPRESSED') =>
      (await logs.listAnomalies({ anomalyDetectorArn, suppressionState })).anomalies!;
    expect(await list('UNSUPPRESSED')).toEqual([
      {
        anomalyId,
        patternId: expect.stringMatching(/^[0-9a-f]{32}$/),
        anomalyDetectorArn,
        patternString: 'failed <*> times',
        priority: 'LOW',
        firstSeen: test.now,
        lastSeen: test.now,
        description: 'new',
        active: true,
        state: 'Active',
        histogram: {},
        logSamples: [],
        patternTokens: [
          { dynamicTokenPosition: 0, isDynamic: false, tokenString: 'failed ' },
          { dynamicTokenPosition: 1, isDynamic: true, tokenString: '<*>' },
          { dynamicTokenPosition: 0, isDynamic: false, tokenString: ' times' },
        ],
        logGroupArnList: detector.logGroupArnList,
        suppressed: false,
      },
    ]);
    const suppressionPeriod = { value: 1, suppressionUnit: 'HOURS' } as const;
    await logs.updateAnomaly({ anomalyId, anomalyDetectorArn, suppressionType: 'LIMITED', suppressionPeriod });
    expect(await list('SUPPRESSED')).toMatchObject([{ state: 'Suppressed', suppressedUntil: test.now + 3_600_000 }]);
    await test.advance(3600);
    expect(await list('SUPPRESSED')).toEqual([]);
    await test.advance(7 * 86_400);
    expect(await list()).toEqual([]);
    await logs.updateLogAnomalyDetector({ anomalyDetectorArn, enabled: false });
    const listed = await logs.listLogAnomalyDetectors({ filterLogGroupArn: groupArn(group) });
    expect(listed.anomalyDetectors).toMatchObject([{ anomalyDetectorArn, anomalyDetectorStatus: 'PAUSED' }]);
    await logs.deleteLogAnomalyDetector({ anomalyDetectorArn });
    expect(await failureOf(logs.getLogAnomalyDetector({ anomalyDetectorArn }))).toBe(
      'ResourceNotFoundException: The specified anomaly detector does not exist.',
    );
    expect((await inject({ logGroupName: group, anomalies })).status).toBe(404);
    expect((await inject({ logGroupName: group, anomalies: [] })).status).toBe(400);
  });
});

describe('index policies', () => {
  it('exist per group and account', async () => {
    const { logs } = test;
    const group = await test.group('indexed');
    const policyDocument = '{"Fields":["RequestId","user"]}';
    await logs.putIndexPolicy({ logGroupIdentifier: group, policyDocument });
    await logs.putAccountPolicy({
      policyName: 'all',
      policyType: 'FIELD_INDEX_POLICY',
      policyDocument: '{"Fields":["trace"]}',
      selectionCriteria: 'LogGroupNamePrefix IN ["ind"]',
    });
    const { indexPolicies } = await logs.describeIndexPolicies({ logGroupIdentifiers: [group] });
    expect(indexPolicies).toMatchObject([
      { source: 'LOG_GROUP', policyDocument },
      { source: 'ACCOUNT', policyName: 'all' },
    ]);
    const { fieldIndexes } = await logs.describeFieldIndexes({ logGroupIdentifiers: [group] });
    expect(fieldIndexes!.map(({ fieldIndexName }) => fieldIndexName)).toEqual(['RequestId', 'trace', 'user']);
    const route = (name: string) => test.emulator.control('GET', `/_emulator/logs/field-indexes/${name}`);
    expect((await route(group)).json).toMatchObject({
      fieldIndexes: [{ fields: ['RequestId', 'user'] }, { fields: ['trace'] }],
    });
    expect((await route('none')).status).toBe(404);
    await logs.deleteIndexPolicy({ logGroupIdentifier: group });
    expect((await logs.describeIndexPolicies({ logGroupIdentifiers: [group] })).indexPolicies).toHaveLength(1);
    expect(
      await failureOf(logs.putIndexPolicy({ logGroupIdentifier: group, policyDocument: '{"Fields":[]}' })),
    ).toMatch(/^InvalidParameterException/);
  });
});

describe('integrations and imports', () => {
  it('are stored and never completed', async () => {
    const { logs } = test;
    const integrationName = 'search';
    await logs.putIntegration({
      integrationName,
      integrationType: 'OPENSEARCH',
      resourceConfig: {
        openSearchResourceConfig: {
          dataSourceRoleArn: `arn:aws:iam::${ACCOUNT}:role/r`,
          dashboardViewerPrincipals: [`arn:aws:iam::${ACCOUNT}:user/u`],
          retentionDays: 7,
        },
      },
    });
    expect(await logs.getIntegration({ integrationName })).toMatchObject({ integrationStatus: 'PROVISIONING' });
    expect((await logs.listIntegrations({ integrationStatus: 'ACTIVE' })).integrationSummaries).toEqual([]);
    expect((await logs.listIntegrations({})).integrationSummaries).toHaveLength(1);
    await logs.deleteIntegration({ integrationName });
    expect(await failureOf(logs.getIntegration({ integrationName }))).toBe(
      'ResourceNotFoundException: The specified integration does not exist.',
    );
    const importSourceArn = `arn:aws:cloudtrail:${REGION}:${ACCOUNT}:eventdatastore/abc`;
    const start = () => logs.createImportTask({ importSourceArn, importRoleArn: `arn:aws:iam::${ACCOUNT}:role/r` });
    const { importId } = await start();
    expect(await failureOf(start())).toMatch(/^ConflictException/);
    const { imports } = await logs.describeImportTasks({ importId });
    expect(imports).toMatchObject([{ importStatus: 'IN_PROGRESS', importStatistics: { bytesImported: 0 } }]);
    expect((await logs.describeImportTaskBatches({ importId })).importBatches).toEqual([]);
    expect(await logs.cancelImportTask({ importId })).toMatchObject({ importStatus: 'CANCELLED' });
    expect(await failureOf(logs.cancelImportTask({ importId }))).toMatch(/^InvalidOperationException/);
  });
});

describe('data sources', () => {
  const from = (name: string, type: string) => ({ 'cw:datasource:name': name, 'cw:datasource:type': type });
  const summaries = async (input: Partial<ListAggregateLogGroupSummariesCommandInput> = {}) => {
    const answer = await test.logs.listAggregateLogGroupSummaries({ groupBy: 'DATA_SOURCE_NAME_AND_TYPE', ...input });
    return answer.aggregateLogGroupSummaries!.map(({ logGroupCount, groupingIdentifiers }) => [
      ...groupingIdentifiers!.map(({ value }) => value),
      logGroupCount,
    ]);
  };

  it('counts groups by their tags', async () => {
    const { logs } = test;
    await logs.createLogGroup({ logGroupName: 'shop-1', tags: from('shop', 'orders') });
    await logs.createLogGroup({ logGroupName: 'shop-2', tags: from('shop', 'orders') });
    await logs.createLogGroup({
      logGroupName: 'shop-3',
      tags: from('shop', 'users'),
      logGroupClass: 'INFREQUENT_ACCESS',
    });
    await logs.createLogGroup({ logGroupName: 'reserved', tags: from('aws_shop', 'orders') });
    expect(await summaries()).toEqual([
      ['shop', 'orders', 2],
      ['shop', 'users', 1],
    ]);
    expect(await summaries({ logGroupClass: 'STANDARD', logGroupNamePattern: '^shop-1' })).toEqual([
      ['shop', 'orders', 1],
    ]);
    expect(await summaries({ dataSources: [{ name: 'shop', type: 'users' }] })).toEqual([['shop', 'users', 1]]);
    const { nextToken } = await logs.listAggregateLogGroupSummaries({ groupBy: 'DATA_SOURCE_NAME_AND_TYPE', limit: 1 });
    expect(await summaries({ nextToken })).toEqual([['shop', 'users', 1]]);
    const listed = await logs.listLogGroups({ dataSources: [{ name: 'shop' }], logGroupClass: 'STANDARD' });
    expect(listed.logGroups!.map(({ logGroupName }) => logGroupName)).toEqual(['shop-1', 'shop-2']);
  });

  it('returns the fields of events', async () => {
    const { logs } = test;
    await logs.createLogStream({ logGroupName: 'shop-2', logStreamName: 'one' });
    await test.put('shop-2', 'one', 'plain', '{"n":1,"price":1.5,"user":{"ok":true},"tags":["a"],"none":null}');
    const { logFields } = await logs.getLogFields({ dataSourceName: 'shop', dataSourceType: 'orders' });
    expect(logFields).toEqual([
      { logFieldName: 'n', logFieldType: { type: 'bigint' } },
      { logFieldName: 'price', logFieldType: { type: 'double' } },
      { logFieldName: 'tags', logFieldType: { type: 'array', element: { type: 'string' } } },
      {
        logFieldName: 'user',
        logFieldType: { type: 'struct', fields: [{ logFieldName: 'ok', logFieldType: { type: 'boolean' } }] },
      },
    ]);
    expect(await failureOf(logs.getLogFields({ dataSourceName: 'shop', dataSourceType: 'other' }))).toBe(
      'ResourceNotFoundException: The specified data source does not exist.',
    );
  });

  it('finds groups by their field indexes', async () => {
    const { logs } = test;
    await logs.putIndexPolicy({ logGroupIdentifier: 'shop-1', policyDocument: '{"Fields":["user","order"]}' });
    const names = async (fieldIndexNames: string[]) =>
      (await logs.listLogGroups({ fieldIndexNames })).logGroups!.map(({ logGroupName }) => logGroupName);
    expect(await names(['user', 'order'])).toEqual(['shop-1']);
    expect(await names(['user', 'other'])).toEqual([]);
  });
});

describe('S3 table integrations', () => {
  const integrationArn = `arn:aws:observabilityadmin:${REGION}:${ACCOUNT}:s3tableintegration/known`;

  it('store data sources and never report filled tables', async () => {
    const { logs } = test;
    const dataSource = { name: 'shop', type: 'orders' };
    const { identifier } = await logs.associateSourceToS3TableIntegration({ integrationArn, dataSource });
    const { sources } = await logs.listSourcesForS3TableIntegration({ integrationArn });
    expect(sources).toEqual([
      { identifier, dataSource, status: 'UNHEALTHY', statusReason: expect.any(String), createdTimeStamp: test.now },
    ]);
    expect(await failureOf(logs.associateSourceToS3TableIntegration({ integrationArn, dataSource }))).toMatch(
      /^ValidationException: /,
    );
    expect(await logs.disassociateSourceFromS3TableIntegration({ identifier })).toMatchObject({ identifier });
    expect((await logs.listSourcesForS3TableIntegration({ integrationArn })).sources).toEqual([]);
    expect(await failureOf(logs.disassociateSourceFromS3TableIntegration({ identifier }))).toBe(
      'ResourceNotFoundException: The specified association does not exist.',
    );
  });

  it.each([groupArn('x'), integrationArn.replace(ACCOUNT, '111111111111'), 'nonsense'])('are not %s', async (other) => {
    const request = test.logs.listSourcesForS3TableIntegration({ integrationArn: other });
    expect(await failureOf(request)).toMatch(/^ValidationException: /);
  });
});
