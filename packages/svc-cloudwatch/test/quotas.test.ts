import { enforceQuota } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, startCloudWatch } from './support.ts';

const RuleDefinition = JSON.stringify({
  Schema: { Name: 'CloudWatchLogRule', Version: 1 },
  LogGroupNames: ['g'],
  LogFormat: 'JSON',
  Contribution: { Keys: ['$.ip'], Filters: [] },
  AggregateOn: 'Count',
});

test('limits Contributor Insights rules, except replaced ones', async () => {
  await using t = await startCloudWatch();
  await t.cloudwatch.putInsightRule({ RuleName: 'one', RuleDefinition });
  await enforceQuota(t.emulator, 'monitoring/L-DBD11BCC', 1);
  expect(await failureOf(t.cloudwatch.putInsightRule({ RuleName: 'two', RuleDefinition }))).toEqual({
    code: 'LimitExceededException',
    message: 'The maximum number of Contributor Insights rules is reached.',
  });
  await t.cloudwatch.putInsightRule({ RuleName: 'one', RuleDefinition });
  await t.cloudwatch.deleteInsightRules({ RuleNames: ['one'] });
  await t.cloudwatch.putInsightRule({ RuleName: 'two', RuleDefinition });
});

test('limits requests per second', async () => {
  await using t = await startCloudWatch();
  await enforceQuota(t.emulator, 'monitoring/L-05D334F0', 1);
  await t.cloudwatch.listMetrics({});
  expect(await failureOf(t.cloudwatch.listMetrics({}))).toMatchObject({ message: 'Rate exceeded' });
  await t.advance(1);
  await t.cloudwatch.listMetrics({});
});
