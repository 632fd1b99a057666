import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ACCOUNT, REGION, ROLE, type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

let t: SfnTest;
let logs: CloudWatchLogs;
const logGroupName = '/aws/vendedlogs/states/all';
const logGroupArn = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${logGroupName}:*`;
const destinations = [{ cloudWatchLogsLogGroup: { logGroupArn } }];
beforeAll(async () => {
  t = await startSfn({ manifests: [cloudwatch, logsManifest] });
  logs = new CloudWatchLogs(t.emulator.clientConfig());
  await logs.createLogGroup({ logGroupName });
});
afterAll(() => t[Symbol.asyncDispose]());

type Line = Record<string, unknown>;
/** Waits for a number of log lines of an execution and returns them. */
const linesOf = (executionArn: string, count: number): Promise<Line[]> =>
  vi.waitFor(async () => {
    const { events } = await logs.filterLogEvents({ logGroupName });
    const lines = events!
      .map(({ message }) => JSON.parse(message!) as Line)
      .filter((line) => line.execution_arn === executionArn);
    expect(lines).toHaveLength(count);
    return lines;
  });
const definition = JSON.stringify({
  StartAt: 'P',
  States: { P: { Type: 'Pass', Next: 'F' }, F: { Type: 'Fail', Error: 'Bad', Cause: 'why' } },
});
const machine = async (name: string, loggingConfiguration: object) =>
  (await t.sfn.createStateMachine({ name, roleArn: ROLE, definition, loggingConfiguration })).stateMachineArn!;

// The lines are AWS's, as recorded.
test('executions are logged by level, with and without their data', async () => {
  const all = await machine('all', { level: 'ALL', includeExecutionData: true, destinations });
  const first = await t.start(all, { a: 1 });
  const lines = await linesOf(first, 5);
  expect(lines[0]).toEqual({
    id: '1',
    type: 'ExecutionStarted',
    details: { input: '{"a":1}', inputDetails: { truncated: false }, roleArn: ROLE },
    previous_event_id: '0',
    event_timestamp: expect.stringMatching(/^\d{13}$/),
    execution_arn: first,
    redrive_count: '0',
  });
  await t.sfn.updateStateMachine({ stateMachineArn: all, loggingConfiguration: { level: 'ERROR', destinations } });
  const second = await linesOf(await t.start(all), 2);
  expect(second.map(({ type, details }) => [type, details])).toEqual([
    ['FailStateEntered', { name: 'F' }],
    ['ExecutionFailed', { error: 'Bad', cause: 'why' }],
  ]);
  await t.sfn.updateStateMachine({ stateMachineArn: all, loggingConfiguration: { level: 'FATAL', destinations } });
  expect(await linesOf(await t.start(all), 1)).toMatchObject([{ type: 'ExecutionFailed' }]);
  const { logStreams } = await logs.describeLogStreams({ logGroupName });
  expect(logStreams![0]!.logStreamName).toMatch(/^states\/all\/\d{4}-\d\d-\d\d-\d\d-\d\d\//);
  expect((await t.sfn.describeStateMachine({ stateMachineArn: all })).loggingConfiguration).toEqual({
    level: 'FATAL',
    includeExecutionData: false,
    destinations,
  });
});

test('express executions are logged, and all are counted', async () => {
  const { stateMachineArn } = await t.sfn.createStateMachine({
    name: 'express',
    type: 'EXPRESS',
    roleArn: ROLE,
    definition,
    loggingConfiguration: { level: 'ALL', destinations },
  });
  const { executionArn } = await t.sfn.startSyncExecution({ stateMachineArn });
  await linesOf(executionArn!, 5);
  const { Metrics } = await new CloudWatch(t.emulator.clientConfig()).listMetrics({ Namespace: 'AWS/States' });
  expect(new Set(Metrics!.map(({ MetricName }) => MetricName))).toEqual(
    new Set(['ExecutionsStarted', 'ExecutionsFailed', 'ExecutionTime']),
  );
});

test.each([
  [{ level: 'ALL' }, 'Must specify exactly one Log Destination.'],
  [{ level: 'ALL', destinations: [...destinations, ...destinations] }, 'Must specify exactly one Log Destination.'],
  [
    { level: 'ALL', destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: logGroupArn.replace('all', 'none') } }] },
    'Log Destination not found.',
  ],
])('rejects %j', async (logging, why) => {
  await expect(machine('refused', logging)).rejects.toMatchObject({
    name: 'InvalidLoggingConfiguration',
    message: `Invalid Logging Configuration: ${why}`,
  });
  const { stateMachines } = await t.sfn.listStateMachines({});
  expect(stateMachines!.map(({ name }) => name)).not.toContain('refused');
});
