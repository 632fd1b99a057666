import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failureOf, type LogsTest, startLogs } from './support.ts';

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html

const reported: unknown[] = [];
const cloudwatch = fakeService('cloudwatch', {
  PutMetricData(input) {
    reported.push(input);
    return {};
  },
});

let test: LogsTest;
beforeAll(async () => {
  test = await startLogs({ manifests: [cloudwatch] });
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(() => {
  reported.length = 0;
});

const directive = (more: object = {}) => ({
  Namespace: 'shop',
  Dimensions: [['Function'], ['Function', 'Version']],
  Metrics: [{ Name: 'time', Unit: 'Milliseconds', StorageResolution: 1 }, { Name: 'sizes' }],
  ...more,
});
const event = (CloudWatchMetrics: unknown, members: object = {}) =>
  JSON.stringify({
    _aws: { Timestamp: test.now - 1000, CloudWatchMetrics },
    Function: 'orders',
    Version: '7',
    time: 100,
    sizes: [1, 2, 2],
    ...members,
  });

describe('the embedded metric format', () => {
  it('publishes embedded metrics to CloudWatch', async () => {
    const group = await test.group('embedded', 'a');
    await test.put(group, 'a', 'text', event([directive()]));
    const Timestamp = new Date(test.now - 1000);
    const [name, version] = [
      { Name: 'Function', Value: 'orders' },
      { Name: 'Version', Value: '7' },
    ];
    const time = { MetricName: 'time', Timestamp, Values: [100], Unit: 'Milliseconds', StorageResolution: 1 };
    const sizes = { MetricName: 'sizes', Timestamp, Values: [1, 2, 2], StorageResolution: 60 };
    expect(reported).toEqual([
      {
        Namespace: 'shop',
        MetricData: [
          { ...time, Dimensions: [name] },
          { ...time, Dimensions: [name, version] },
          { ...sizes, Dimensions: [name] },
          { ...sizes, Dimensions: [name, version] },
        ],
      },
    ]);
  });

  it.each<[string, unknown, object?]>([
    ['no object', 'text'],
    ['a directive without a namespace', [{ Metrics: [] }]],
    ['a value that is not a number', [directive()], { time: 'long', sizes: [] }],
    ['a dimension that is not text', [directive()], { Version: 7 }],
    ['another resolution', [directive({ Metrics: [{ Name: 'time', StorageResolution: 5 }] })]],
  ])('ignores %s', async (name, directives, members = {}) => {
    const group = await test.group(`wrong ${name}`.replaceAll(' ', '-'), 'a');
    await test.put(group, 'a', event(directives, members), '{"CloudWatchMetrics": nothing', '{"CloudWatchMetrics":[]}');
    expect(reported).toEqual([]);
    expect((await test.logs.filterLogEvents({ logGroupName: group })).events).toHaveLength(3);
  });

  it('is disabled by account policies', async () => {
    const { logs } = test;
    const policyType = 'METRIC_EXTRACTION_POLICY' as const;
    const put = (policyName: string, selectionCriteria?: string) =>
      logs.putAccountPolicy({ policyName, policyType, policyDocument: '{}', selectionCriteria });
    const silent = await test.group('silent', 'a');
    const loud = await test.group('loud', 'a');
    await put('one', 'LogGroupName IN ["silent"]');
    await test.put(silent, 'a', event([directive()]));
    expect(reported).toEqual([]);
    await test.put(loud, 'a', event([directive()]));
    expect(reported).toHaveLength(1);
    for (const criteria of [undefined, 'LogGroupNamePrefix IN ["sil"]', 'LogGroupNamePrefix NOT IN ["other"]'])
      expect(await failureOf(put('two', criteria))).toMatch(/^InvalidParameterException: .* overlap/);
    await put('two', 'LogGroupNamePrefix NOT IN ["silent", "lo"]');
    expect(await failureOf(put('three', 'LogGroupName NOT IN ["x"]'))).toMatch(/^InvalidParameterException/);
    expect((await logs.describeAccountPolicies({ policyType })).accountPolicies).toHaveLength(2);
    for (const policyName of ['one', 'two']) await logs.deleteAccountPolicy({ policyName, policyType });
    await test.put(silent, 'a', event([directive()]));
    expect(reported).toHaveLength(2);
  });
});
