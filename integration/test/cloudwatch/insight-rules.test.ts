import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudwatchManifest } from '@emu/svc-cloudwatch/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';

let emulator: TestEmulator;
let cloudwatch: CloudWatch;
let logs: CloudWatchLogs;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [cloudwatchManifest, logsManifest] });
  emulator.kernel.clock.freeze();
  cloudwatch = new CloudWatch(emulator.clientConfig());
  logs = new CloudWatchLogs(emulator.clientConfig());
});
afterAll(() => emulator.close());

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutInsightRule.html
it('count events as received, or as transformed by their group', async () => {
  const RuleDefinition = JSON.stringify({
    Schema: { Name: 'CloudWatchLogRule', Version: 1 },
    LogGroupNames: ['plain', 'changed'],
    LogFormat: 'JSON',
    Contribution: { Keys: ['$.client.ip'], Filters: [] },
    AggregateOn: 'Count',
  });
  await cloudwatch.putInsightRule({ RuleName: 'original', RuleDefinition });
  await cloudwatch.putInsightRule({ RuleName: 'transformed', RuleDefinition, ApplyOnTransformedLogs: true });
  const timestamp = emulator.kernel.clock.now();
  const put = (logGroupName: string, ...messages: string[]) =>
    logs.putLogEvents({
      logGroupName,
      logStreamName: 's',
      logEvents: messages.map((message) => ({ timestamp, message })),
    });
  for (const logGroupName of ['plain', 'changed']) {
    await logs.createLogGroup({ logGroupName });
    await logs.createLogStream({ logGroupName, logStreamName: 's' });
  }
  const transformerConfig = [
    { parseJSON: {} },
    { addKeys: { entries: [{ key: 'client.ip', value: '10.0.0.9', overwriteIfExists: false }] } },
  ];
  await logs.putTransformer({ logGroupIdentifier: 'changed', transformerConfig });
  await put('plain', '{"client":{"ip":"10.0.0.1"}}');
  await put('changed', '{"client":{"ip":"10.0.0.2"}}', '{"other":1}', 'no JSON');
  const contributors = async (RuleName: string) => {
    const { Contributors } = await cloudwatch.getInsightRuleReport({
      RuleName,
      StartTime: new Date(timestamp - 60_000),
      EndTime: new Date(timestamp + 60_000),
      Period: 60,
      MaxContributorCount: 10,
    });
    return Contributors!.map(({ Keys }) => Keys![0]).sort();
  };
  expect(await contributors('original')).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(await contributors('transformed')).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.9']);
});
