import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, type CloudWatchTest, failureOf, REGION, startCloudWatch } from './support.ts';

const TOPIC = `arn:aws:sns:${REGION}:${ACCOUNT}:topic`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/r`;
const FIREHOSE = `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/s`;

let test: CloudWatchTest;
const published: string[] = [];
const sent: { DeliveryStreamName: string; Records: { Data: Uint8Array }[] }[] = [];
let logged: { timestamp: number; message: string }[] = [];
beforeAll(async () => {
  test = await startCloudWatch([
    fakeService('sns', {
      Publish: ({ Message }) => {
        published.push(Message as string);
        return {};
      },
    }),
    fakeService('firehose', {
      PutRecordBatch: (input) => {
        sent.push(input as (typeof sent)[number]);
        return { FailedPutCount: 0, RequestResponses: [] };
      },
    }),
    fakeService('logs', {
      DescribeLogGroups: () => ({ logGroups: [{ logGroupName: 'api-access' }, { logGroupName: 'other' }] }),
      FilterLogEvents: ({ logGroupName, startTime, endTime }) => ({
        events:
          logGroupName === 'api-access'
            ? logged.filter(({ timestamp }) => timestamp >= Number(startTime) && timestamp <= Number(endTime))
            : [],
      }),
    }),
  ]);
});
afterAll(() => test[Symbol.asyncDispose]());

describe('dashboards', () => {
  const widget = {
    type: 'metric',
    x: 0,
    y: 0,
    width: 6,
    height: 6,
    properties: { metrics: [['AWS/EC2', 'CPU']], region: REGION },
  };
  const put = (DashboardName: string, body: unknown) =>
    test.cloudwatch.putDashboard({
      DashboardName,
      DashboardBody: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('are put, listed, read and deleted, in all regions of the account', async () => {
    const DashboardArn = `arn:aws:cloudwatch::${ACCOUNT}:dashboard/board`;
    const body = JSON.stringify({ widgets: [widget] });
    expect((await put('board', body)).DashboardValidationMessages).toEqual([]);
    const elsewhere = test.client({ region: 'eu-west-1' });
    expect(await elsewhere.getDashboard({ DashboardName: 'board' })).toMatchObject({
      DashboardArn,
      DashboardBody: body,
      DashboardName: 'board',
    });
    const { DashboardEntries } = await test.cloudwatch.listDashboards({ DashboardNamePrefix: 'bo' });
    expect(DashboardEntries).toEqual([
      { DashboardName: 'board', DashboardArn, LastModified: test.at(0), Size: body.length },
    ]);
    expect((await test.cloudwatch.listDashboards({ DashboardNamePrefix: 'x' })).DashboardEntries).toEqual([]);
    await test.cloudwatch.tagResource({ ResourceARN: DashboardArn, Tags: [{ Key: 'a', Value: 'b' }] });
    expect((await test.cloudwatch.listTagsForResource({ ResourceARN: DashboardArn })).Tags).toHaveLength(1);
    const both = test.cloudwatch.deleteDashboards({ DashboardNames: ['board', 'none'] });
    expect(await failureOf(both)).toEqual({ code: 'ResourceNotFound', message: 'Dashboard none does not exist' });
    const none = test.cloudwatch.deleteDashboards({ DashboardNames: [] });
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DeleteDashboards.html
    expect((await failureOf(none)).code).toBe('InvalidParameterValueException');
    await test.cloudwatch.deleteDashboards({ DashboardNames: ['board'] });
    expect((await failureOf(test.cloudwatch.getDashboard({ DashboardName: 'board' }))).code).toBe('ResourceNotFound');
  });

  it('returns warnings about a body and rejects errors', async () => {
    const { properties, ...bare } = widget;
    const warned = await put('warned', { widgets: [{ ...bare, properties: { metrics: properties.metrics } }], x: 1 });
    expect(warned.DashboardValidationMessages).toEqual([
      { DataPath: '/x', Message: 'Unknown field x at root level' },
      { DataPath: '/widgets/0/properties', Message: "Should have required property 'region'" },
    ]);
    const refused = await put('refused', {
      widgets: [{ ...widget, x: 24 }, { type: 'nothing' }, { type: 'text', properties: {} }],
    }).then(
      () => undefined,
      (error: { dashboardValidationMessages: unknown }) => error.dashboardValidationMessages,
    );
    expect(refused).toEqual([
      { DataPath: '/widgets/0/x', Message: 'Should be <= 23' },
      { DataPath: '/widgets/1', Message: "Should have required property 'properties'" },
      { DataPath: '/widgets/2/properties', Message: "Should have required property 'markdown'" },
    ]);
    expect(await failureOf(put('refused', 'x'))).toEqual({
      code: 'DashboardInvalidInputError',
      message: 'The field DashboardBody must be a valid JSON object',
    });
    // https://github.com/aws-solutions-library-samples/guidance-for-automating-network-monitoring-and-alerting-on-aws/issues/7
    expect(await failureOf(put('refused', { widgets: [{ type: 'alarm', properties: { alarms: [] } }] }))).toEqual({
      code: 'DashboardInvalidInputError',
      message: `The dashboard body is invalid, there are 1 validation errors:
[
  {
    "dataPath": "/widgets/0/properties/alarms",
    "message": "Should NOT have less than 1 items"
  }
]`,
    });
    expect(await failureOf(put('a b', '{}'))).toEqual({
      code: 'InvalidParameterValueException',
      message:
        'The value for field DashboardName contains invalid characters. It can only contain alphanumerics, dash (-) and underscore (_).\n',
    });
  });
});

describe('widgets of dashboards', () => {
  const problemsOf = (widget: object) =>
    test.cloudwatch.putDashboard({ DashboardName: 'w', DashboardBody: JSON.stringify({ widgets: [widget] }) }).then(
      () => [],
      ({ dashboardValidationMessages: messages }: { dashboardValidationMessages: Record<string, string>[] }) =>
        messages.map(({ DataPath, Message }) => `${DataPath}: ${Message}`),
    );
  const metrics = (...list: unknown[]) =>
    problemsOf({ type: 'metric', properties: { metrics: list, region: REGION, annotations: {} } });

  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Dashboard-Body-Structure.html#CloudWatch-Dashboard-Properties-Chart-Widget-Object
  it('can have newer types', async () => {
    expect(await problemsOf({ type: 'chart', properties: { data: { queries: [] }, region: REGION } })).toEqual([]);
  });

  // https://github.com/aws-samples/aws-eda-slurm-cluster/issues/116
  it('with metrics need a source', async () => {
    expect(await problemsOf({ type: 'metric', properties: { view: 'timeSeries' } })).toEqual([
      "/widgets/0/properties: Should have required property 'metrics'",
      '/widgets/0/properties: The metric widget should have specified a region and a data source or an alarm annotation',
      "/widgets/0/properties: Should have required property 'annotations'",
    ]);
  });

  // https://github.com/aws/aws-cdk/issues/5026, https://github.com/aws/aws-cdk/issues/31066
  it.each<[unknown, string[]]>([
    [['N', 'm', 'D', 'v', { color: '#D62728', stat: 'p99' }], []],
    [['N', '...'], []],
    [[{ expression: 'm1 + 1', id: 'e1' }], []],
    [['N', 'm', { color: 'red' }], ['/0: Should NOT have more than 2 items']],
    [['N', 'm', { stat: 'Sum', dimensions: { D: 'v' } }], ['/0: Should NOT have more than 2 items']],
    [['N', 'm', 'D', { stat: 'Sum' }], ['/0: Should NOT have more than 3 items']],
    [['N', 'm', 'D', ''], ['/0/3: Invalid metric field type, only "String" type is allowed']],
    [
      ['N', 'm', { D: 'v' }, { stat: 'Sum' }],
      ['/0/2: Invalid metric field type, only "String" type is allowed', '/0: Should NOT have more than 3 items'],
    ],
    [
      'N',
      [
        '/0: Field "metrics" has to be an array of array of strings, with an optional metricRenderer object as last element',
      ],
    ],
    [
      Array<number>(2000).fill(0),
      Array.from({ length: 1000 }, (_, i) => `/0/${i}: Invalid metric field type, only "String" type is allowed`),
    ],
  ])('show the metric %j with the problems %j', async (metric, problems) => {
    expect(await metrics(metric)).toEqual(problems.map((problem) => `/widgets/0/properties/metrics${problem}`));
  });
});

describe('anomaly detectors', () => {
  it('are put, described and deleted', async () => {
    const named = { Namespace: 'Anomalies', MetricName: 'm', Dimensions: [{ Name: 'D', Value: 'V' }], Stat: 'Sum' };
    await test.cloudwatch.putAnomalyDetector(named);
    const { AnomalyDetectors } = await test.cloudwatch.describeAnomalyDetectors({ Namespace: 'Anomalies' });
    expect(AnomalyDetectors).toEqual([
      {
        ...named,
        Configuration: { ExcludedTimeRanges: [] },
        StateValue: 'PENDING_TRAINING',
        SingleMetricAnomalyDetector: { AccountId: ACCOUNT, ...named },
      },
    ]);
    expect((await test.cloudwatch.describeAnomalyDetectors({ MetricName: 'x' })).AnomalyDetectors).toEqual([]);
    await test.cloudwatch.deleteAnomalyDetector(named);
    expect((await failureOf(test.cloudwatch.deleteAnomalyDetector(named))).code).toBe('ResourceNotFoundException');
    const expression = {
      MetricMathAnomalyDetector: {
        MetricDataQueries: [
          { Id: 'e1', Expression: 'm1 + 1' },
          {
            Id: 'm1',
            MetricStat: { Metric: { Namespace: 'N', MetricName: 'm' }, Period: 60, Stat: 'Sum' },
            ReturnData: false,
          },
        ],
      },
    };
    await test.cloudwatch.putAnomalyDetector(expression);
    const math = await test.cloudwatch.describeAnomalyDetectors({ AnomalyDetectorTypes: ['METRIC_MATH'] });
    expect(math.AnomalyDetectors).toMatchObject([expression]);
    expect((await failureOf(test.cloudwatch.putAnomalyDetector({ ...named, ...expression }))).code).toBe(
      'InvalidParameterCombinationException',
    );
    expect((await failureOf(test.cloudwatch.putAnomalyDetector({ Namespace: 'N' }))).code).toBe(
      'MissingRequiredParameterException',
    );
  });
});

describe('insight rules', () => {
  const definition = {
    Schema: { Name: 'CloudWatchLogRule', Version: 1 },
    LogGroupNames: ['api*'],
    LogFormat: 'CLF',
    Fields: { 4: 'IpAddress', 7: 'StatusCode', 8: 'Bytes' },
    Contribution: { Keys: ['IpAddress'], Filters: [{ Match: 'StatusCode', EqualTo: 200 }] },
    AggregateOn: 'Count',
  };
  const range = () => ({ StartTime: test.at(0), EndTime: test.at(300), Period: 60 });
  const line = (second: number, ip: string, status: number, bytes: number) => ({
    timestamp: test.at(second).getTime(),
    message: `host - - ${ip} [05/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" ${status} ${bytes}`,
  });

  it('count the contributors of log events', async () => {
    logged = [
      line(10, '10.0.0.1', 200, 5),
      line(70, '10.0.0.1', 200, 6),
      line(75, '10.0.0.2', 200, 100),
      line(80, '10.0.0.3', 500, 1),
    ];
    await test.cloudwatch.putInsightRule({ RuleName: 'ips', RuleDefinition: JSON.stringify(definition) });
    expect((await test.cloudwatch.describeInsightRules({})).InsightRules).toEqual([
      {
        Name: 'ips',
        State: 'ENABLED',
        Schema: 'CloudWatchLogRule/1',
        Definition: JSON.stringify(definition),
        ManagedRule: false,
        ApplyOnTransformedLogs: false,
      },
    ]);
    const { $metadata: _metadata, ...report } = await test.cloudwatch.getInsightRuleReport({
      RuleName: 'ips',
      ...range(),
    });
    expect(report).toEqual({
      KeyLabels: ['IpAddress'],
      AggregationStatistic: 'SampleCount',
      AggregateValue: 3,
      ApproximateUniqueCount: 2,
      Contributors: [
        {
          Keys: ['10.0.0.1'],
          ApproximateAggregateValue: 2,
          Datapoints: [
            { Timestamp: test.at(0), ApproximateValue: 1 },
            { Timestamp: test.at(60), ApproximateValue: 1 },
          ],
        },
        {
          Keys: ['10.0.0.2'],
          ApproximateAggregateValue: 1,
          Datapoints: [{ Timestamp: test.at(60), ApproximateValue: 1 }],
        },
      ],
      MetricDatapoints: [0, 60, 120, 180, 240].map((second, index) => ({
        Timestamp: test.at(second),
        UniqueContributors: [1, 2, 0, 0, 0][index],
      })),
    });
    const sum = { ...definition, AggregateOn: 'Sum', Contribution: { Keys: ['IpAddress'], ValueOf: 'Bytes' } };
    await test.cloudwatch.putInsightRule({ RuleName: 'ips', RuleDefinition: JSON.stringify(sum) });
    const sums = await test.cloudwatch.getInsightRuleReport({
      RuleName: 'ips',
      ...range(),
      Metrics: ['Sum', 'MaxContributorValue'],
    });
    expect(
      sums.Contributors!.map(({ Keys, ApproximateAggregateValue }) => `${Keys} ${ApproximateAggregateValue}`),
    ).toEqual(['10.0.0.2 100', '10.0.0.1 11', '10.0.0.3 1']);
    expect(sums.MetricDatapoints![1]).toEqual({ Timestamp: test.at(60), Sum: 107, MaxContributorValue: 100 });
  });

  it('are disabled, enabled and deleted', async () => {
    const stateOf = async () =>
      (await test.cloudwatch.describeInsightRules({})).InsightRules!.map(({ State }) => State);
    await test.cloudwatch.putInsightRule({ RuleName: 'ips', RuleDefinition: JSON.stringify(definition) });
    expect((await test.cloudwatch.disableInsightRules({ RuleNames: ['ips'] })).Failures).toEqual([]);
    expect(await stateOf()).toEqual(['DISABLED']);
    await test.cloudwatch.enableInsightRules({ RuleNames: ['ips'] });
    const ever = { StartTime: new Date(0), EndTime: new Date('9999-12-31T00:00:00Z'), Period: 60 };
    const tooLong = await failureOf(test.cloudwatch.getInsightRuleReport({ RuleName: 'ips', ...ever }));
    expect(tooLong).toMatchObject({
      code: 'InvalidParameterValueException',
      message: 'The time range has more than 21600 periods. Increase Period, or decrease the time range.',
    });
    expect(await stateOf()).toEqual(['ENABLED']);
    const { Failures } = await test.cloudwatch.deleteInsightRules({ RuleNames: ['ips', 'none'] });
    expect(Failures).toMatchObject([{ FailureResource: 'none', ExceptionType: 'ResourceNotFoundException' }]);
    expect(await stateOf()).toEqual([]);
    const report = test.cloudwatch.getInsightRuleReport({ RuleName: 'ips', ...range() });
    expect((await failureOf(report)).code).toBe('ResourceNotFoundException');
    const bad = test.cloudwatch.putInsightRule({ RuleName: 'bad', RuleDefinition: '{}' });
    expect((await failureOf(bad)).code).toBe('InvalidParameterValueException');
  });
});

describe('managed insight rules', () => {
  const ResourceARN = 'arn:aws:ec2:us-east-1:000000000000:vpc-endpoint-service/vpce-svc-0123456789abcdef0';
  const TemplateName = 'VpcEndpointService-BytesByEndpointId-v1';
  const known = async (arn = ResourceARN) =>
    (await test.cloudwatch.listManagedInsightRules({ ResourceARN: arn })).ManagedRules!;

  it('are created for a resource, disabled, enabled again and deleted', async () => {
    expect((await known()).map((rule) => rule.TemplateName)).toEqual([
      'VpcEndpointService-NewConnectionsByEndpointId-v1',
      TemplateName,
      'VpcEndpointService-RstPacketsByEndpointId-v1',
      'VpcEndpointService-ActiveConnectionsByEndpointId-v1',
    ]);
    expect((await known()).some(({ RuleState }) => RuleState)).toBe(false);
    const ManagedRules = [{ ResourceARN, TemplateName, Tags: [{ Key: 'team', Value: 'a' }] }];
    expect((await test.cloudwatch.putManagedInsightRules({ ManagedRules })).Failures).toEqual([]);
    const { RuleName } = (await known())[1]!.RuleState!;
    expect((await known())[1]).toEqual({ ResourceARN, TemplateName, RuleState: { RuleName, State: 'ENABLED' } });
    const described = await test.cloudwatch.describeInsightRules({});
    expect(described.InsightRules).toMatchObject([
      {
        Name: RuleName,
        State: 'ENABLED',
        Schema: 'ServiceLogRule/1',
        ManagedRule: true,
      },
    ]);
    const arn = `arn:aws:cloudwatch:us-east-1:000000000000:insight-rule/${RuleName}`;
    expect((await test.cloudwatch.listTagsForResource({ ResourceARN: arn })).Tags).toEqual([
      { Key: 'team', Value: 'a' },
    ]);
    await test.cloudwatch.disableInsightRules({ RuleNames: [RuleName!] });
    expect((await known())[1]!.RuleState!.State).toBe('DISABLED');
    await test.cloudwatch.putManagedInsightRules({ ManagedRules });
    expect((await known())[1]!.RuleState!.State).toBe('ENABLED');
    const range = { StartTime: test.at(0), EndTime: test.at(300), Period: 60 };
    expect(await test.cloudwatch.getInsightRuleReport({ RuleName, ...range })).toMatchObject({
      AggregateValue: 0,
      ApproximateUniqueCount: 0,
      Contributors: [],
    });
    await test.cloudwatch.deleteInsightRules({ RuleNames: [RuleName!] });
    expect((await known())[1]).toEqual({ TemplateName });
  });

  it('are rejected for other resources, and cannot be edited', async () => {
    expect(await known('arn:aws:sqs:us-east-1:000000000000:queue')).toEqual([]);
    const { Failures } = await test.cloudwatch.putManagedInsightRules({
      ManagedRules: [
        { ResourceARN, TemplateName },
        { ResourceARN, TemplateName: 'Unknown' },
      ],
    });
    expect(Failures).toMatchObject([{ FailureResource: ResourceARN, ExceptionType: 'InvalidParameterValueException' }]);
    const { RuleName } = (await known())[1]!.RuleState!;
    const RuleDefinition = JSON.stringify({
      Schema: { Name: 'CloudWatchLogRule', Version: 1 },
      LogGroupNames: ['api'],
      LogFormat: 'JSON',
      Contribution: { Keys: ['$.ip'] },
      AggregateOn: 'Count',
    });
    const edit = test.cloudwatch.putInsightRule({ RuleName, RuleDefinition });
    expect((await failureOf(edit)).code).toBe('InvalidParameterValueException');
    const bad = test.cloudwatch.listManagedInsightRules({ ResourceARN: 'x' });
    expect((await failureOf(bad)).code).toBe('InvalidParameterValueException');
    await test.cloudwatch.deleteInsightRules({ RuleNames: [RuleName!] });
  });
});

describe('metric streams', () => {
  const put = (rest: object = {}) =>
    test.cloudwatch.putMetricStream({
      Name: 'stream',
      FirehoseArn: FIREHOSE,
      RoleArn: ROLE,
      OutputFormat: 'json',
      ...rest,
    });
  const data = (MetricName: string, Value: number) =>
    test.cloudwatch.putMetricData({
      Namespace: 'Streamed',
      MetricData: [{ MetricName, Value, Unit: 'Count', Dimensions: [{ Name: 'Host', Value: 'a' }] }],
    });

  it('send each minute of their metrics to Firehose', async () => {
    const { Arn } = await put({
      IncludeFilters: [{ Namespace: 'Streamed', MetricNames: ['in'] }],
      StatisticsConfigurations: [
        { IncludeMetrics: [{ Namespace: 'Streamed', MetricName: 'in' }], AdditionalStatistics: ['p50'] },
      ],
    });
    expect(Arn).toBe(`arn:aws:cloudwatch:${REGION}:${ACCOUNT}:metric-stream/stream`);
    const at = test.emulator.kernel.clock.now();
    await data('in', 4);
    await data('in', 6);
    await data('out', 1);
    await test.advance(60);
    expect(sent.map(({ DeliveryStreamName }) => DeliveryStreamName)).toEqual(['s']);
    const [text] = sent[0]!.Records.map(({ Data }) => Buffer.from(Data).toString());
    expect(sent[0]!.Records).toHaveLength(1);
    expect(text!.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text!)).toEqual({
      metric_stream_name: 'stream',
      account_id: ACCOUNT,
      region: REGION,
      namespace: 'Streamed',
      metric_name: 'in',
      dimensions: { Host: 'a' },
      timestamp: at - (at % 60_000),
      value: { max: 6, min: 4, sum: 10, count: 2, p50: 5 },
      unit: 'Count',
    });
    await test.cloudwatch.stopMetricStreams({ Names: ['stream'] });
    await data('in', 1);
    await test.advance(60);
    expect(sent).toHaveLength(1);
    expect(await test.cloudwatch.getMetricStream({ Name: 'stream' })).toMatchObject({
      State: 'stopped',
      OutputFormat: 'json',
    });
    await put({ OutputFormat: 'opentelemetry1.0', IncludeFilters: [{ Namespace: 'Streamed' }] });
    await test.cloudwatch.startMetricStreams({ Names: ['stream'] });
    await data('in', 8);
    await test.advance(60);
    expect(sent).toHaveLength(2);
    const bytes = Buffer.from(sent[1]!.Records[0]!.Data);
    // Length, then field 1 of an ExportMetricsServiceRequest.
    expect([
      bytes.readUInt8(1) < 0x80 || bytes.readUInt8(0) >= 0x80,
      bytes.includes('amazonaws.com/Streamed/in'),
    ]).toEqual([true, true]);
    const eight = Buffer.alloc(8);
    eight.writeDoubleLE(8);
    expect(bytes.includes(eight)).toBe(true);
    expect((await test.cloudwatch.listMetricStreams({})).Entries).toMatchObject([{ Name: 'stream', State: 'running' }]);
    await test.cloudwatch.deleteMetricStream({ Name: 'stream' });
    expect((await failureOf(test.cloudwatch.getMetricStream({ Name: 'stream' }))).code).toBe(
      'ResourceNotFoundException',
    );
  });

  it.each([
    [{ FirehoseArn: ROLE }, 'InvalidParameterValueException'],
    [{ RoleArn: FIREHOSE }, 'InvalidParameterValueException'],
    [{ Name: 'a b' }, 'InvalidParameterValueException'],
    [
      { IncludeFilters: [{ Namespace: 'A' }], ExcludeFilters: [{ Namespace: 'B' }] },
      'InvalidParameterCombinationException',
    ],
  ])('reject %j', async (input, code) => {
    expect((await failureOf(put(input))).code).toBe(code);
  });
});

describe('mute rules', () => {
  it('delay the actions of alarms until their windows end', async () => {
    const alarm = {
      AlarmName: 'muted',
      Namespace: 'N',
      MetricName: 'muted',
      Statistic: 'Sum' as const,
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanThreshold' as const,
      TreatMissingData: 'ignore',
      AlarmActions: [TOPIC],
    };
    await test.cloudwatch.putMetricAlarm(alarm);
    const now = test.emulator.kernel.clock.now();
    const begin = new Date(now - (now % 60_000) + 120_000).toISOString().slice(0, 16);
    await test.cloudwatch.putAlarmMuteRule({
      Name: 'deploy',
      Rule: { Schedule: { Expression: `at(${begin})`, Duration: 'PT30M' } },
      MuteTargets: { AlarmNames: ['muted'] },
    });
    const status = async () => (await test.cloudwatch.getAlarmMuteRule({ AlarmMuteRuleName: 'deploy' })).Status;
    expect(await status()).toBe('SCHEDULED');
    await test.advance(180);
    expect(await status()).toBe('ACTIVE');
    const list = await test.cloudwatch.listAlarmMuteRules({ AlarmName: 'muted', Statuses: ['ACTIVE'] });
    expect(list.AlarmMuteRuleSummaries).toHaveLength(1);
    await test.cloudwatch.setAlarmState({ AlarmName: 'muted', StateValue: 'ALARM', StateReason: 'x' });
    await test.advance(60);
    expect(published).toEqual([]);
    await test.advance(1800);
    expect(published.map((message) => JSON.parse(message))).toMatchObject([
      { AlarmName: 'muted', NewStateValue: 'ALARM', ActionExecutedAfterMuteWindow: true },
    ]);
    expect(await status()).toBe('EXPIRED');
    await test.cloudwatch.deleteAlarmMuteRule({ AlarmMuteRuleName: 'deploy' });
    expect((await failureOf(test.cloudwatch.getAlarmMuteRule({ AlarmMuteRuleName: 'deploy' }))).code).toBe(
      'ResourceNotFoundException',
    );
  });

  it.each([
    [{ Expression: 'often', Duration: 'PT1H' }],
    [{ Expression: 'cron(0 2 * * *)', Duration: 'an hour' }],
    [{ Expression: 'cron(0 2 * * *)', Duration: 'P16D' }],
    [{ Expression: 'cron(0 2 * * *)', Duration: 'PT1H', Timezone: 'Nowhere' }],
  ])('reject %j', async (Schedule) => {
    const request = test.cloudwatch.putAlarmMuteRule({ Name: 'bad', Rule: { Schedule } });
    expect((await failureOf(request)).code).toBe('ValidationException');
  });

  it('recur daily by a cron expression', async () => {
    const { windowAt } = await import('../src/alarms/mute.ts');
    const rule = {
      name: 'r',
      expression: 'cron(30 2 * * 1-5)',
      duration: 'PT1H',
      updatedAt: 0,
      createdAt: test.at(0).getTime(),
    };
    // After Thursday noon: Friday, then Monday.
    const first = windowAt(rule, rule.createdAt)!;
    expect(new Date(first.from).toISOString()).toBe('2026-03-06T02:30:00.000Z');
    expect(new Date(windowAt(rule, first.to)!.from).toISOString()).toBe('2026-03-09T02:30:00.000Z');
  });
});

describe('OpenTelemetry enrichment', () => {
  it('can be enabled and disabled', async () => {
    const status = async () => (await test.cloudwatch.getOTelEnrichment({})).Status;
    expect(await status()).toBe('Stopped');
    await test.cloudwatch.startOTelEnrichment({});
    expect(await status()).toBe('Running');
    await test.cloudwatch.stopOTelEnrichment({});
    expect(await status()).toBe('Stopped');
  });
});

describe('GetMetricWidgetImage', () => {
  const image = (widget: object) => test.cloudwatch.getMetricWidgetImage({ MetricWidget: JSON.stringify(widget) });

  it('draws a line for each series', async () => {
    for (const Value of [1, 5, 3]) {
      await test.cloudwatch.putMetricData({ Namespace: 'Drawn', MetricData: [{ MetricName: 'a', Value }] });
      await test.advance(300);
    }
    const metrics = [['Drawn', 'a'], [{ expression: 'w0 * 2', id: 'e1' }]];
    const { MetricWidgetImage } = await image({ metrics, width: 120, height: 80 });
    const bytes = Buffer.from(MetricWidgetImage!);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([120, 80]);
    const empty = await image({ metrics: [['Drawn', 'none']], width: 120, height: 80 });
    // Without data only the axes are drawn, which compresses better.
    expect(empty.MetricWidgetImage!.length).toBeLessThan(bytes.length);
  });

  it.each([[{}], [{ metrics: [['N', 'm']], width: 0 }], [{ metrics: [['N', 'm']], start: 'then' }]])(
    'rejects %j',
    async (widget) => {
      expect((await failureOf(image(widget))).code).toBe('ValidationException');
    },
  );
});
