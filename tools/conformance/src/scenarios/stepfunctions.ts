import * as logs from '@aws-sdk/client-cloudwatch-logs';
import * as sdk from '@aws-sdk/client-sfn';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-stepfunctions/model/stepfunctions.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const ARN = 'arn:aws:states:us-east-1:123456789012';
const stateMachineArn = `${ARN}:stateMachine:known`;
const WORKED = `${ARN}:stateMachine:worked`;
const EXPRESS = `${ARN}:stateMachine:express`;
const VERSION = `${stateMachineArn}:1`;
const SECOND = `${stateMachineArn}:2`;
const THIRD = `${stateMachineArn}:3`;
const stateMachineAliasArn = `${stateMachineArn}:live`;
const activityArn = `${ARN}:activity:known`;
const execution = (name: string): string => `${ARN}:execution:known:${name}`;
const roleArn = 'arn:aws:iam::123456789012:role/states';

const text = (States: object): string => JSON.stringify({ StartAt: 'A', States });
const WAIT = text({ A: { Type: 'Wait', Seconds: 60, Next: 'B' }, B: { Type: 'Succeed' } });
const PASS = text({ A: { Type: 'Pass', End: true } });
const TASK = text({ A: { Type: 'Task', Resource: activityArn, HeartbeatSeconds: 60, End: true } });
/** A definition that waits in an execution for each item. */
const MAPPED = text({
  A: {
    Type: 'Map',
    MaxConcurrency: 1,
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'Inner',
      States: { Inner: { Type: 'Wait', Seconds: 60, End: true } },
    },
    End: true,
  },
});
const MAP_EXECUTION = `${ARN}:execution:mapped:map`;
const MOCKED = JSON.stringify({ Type: 'Task', Resource: `arn:aws:states:::lambda:invoke`, End: true });
/** A definition with two errors. */
const BROKEN = text({ A: { Type: 'Pass', Next: 'C' }, B: { Type: 'Task', End: true } });
const RETRIED = JSON.stringify({
  ...(JSON.parse(MOCKED) as object),
  Retry: [{ ErrorEquals: ['Mine'], MaxAttempts: 2, BackoffRate: 2 }],
  Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Other' }],
});
const STARTING = JSON.stringify({ ...JSON.parse(MOCKED), Resource: 'arn:aws:states:::states:startExecution' });
const SHOWN = JSON.stringify({ Type: 'Pass', Parameters: { 'v.$': '$v', 'n.$': '$$.State.Name' }, End: true });
const QUIET = { level: 'OFF', includeExecutionData: true };
const LOG_GROUP = '/states/known';
const logGroupArn = `arn:aws:logs:us-east-1:123456789012:log-group:${LOG_GROUP}:*`;
const LOGGED = { level: 'ALL', destinations: [{ cloudWatchLogsLogGroup: { logGroupArn } }] };
/** A path in an invalid place. */
const STATIC = text({ A: { Type: 'Pass', Result: '$.x', End: true } });
const tags = [
  { key: 'team', value: 'a' },
  { key: 'zone', value: 'b' },
];

const machine = (send: Send, name: string, more: Record<string, unknown> = {}) =>
  send('CreateStateMachine', { name, definition: WAIT, roleArn, ...more });
const start = (send: Send, name: string, arn = stateMachineArn) =>
  send('StartExecution', { stateMachineArn: arn, name, input: '{"x":1}' });
const update = (send: Send) => send('UpdateStateMachine', { stateMachineArn, definition: PASS });
const publish = (send: Send) => send('PublishStateMachineVersion', { stateMachineArn, description: 'more' });
const routes = (...arns: string[]) =>
  arns.map((stateMachineVersionArn) => ({ stateMachineVersionArn, weight: 100 / arns.length }));

/**
 * Creates three state machines, one with versions, an alias, a waiting and an ended execution, and an activity with a
 * started and a waiting task.
 */
async function setUp(send: Send): Promise<Facts> {
  await send('Logs.CreateLogGroup', { logGroupName: LOG_GROUP });
  await machine(send, 'known', { tags });
  await publish(send);
  await update(send);
  await publish(send);
  const { revisionId } = await send('UpdateStateMachine', { stateMachineArn, definition: WAIT });
  await publish(send);
  await send('CreateStateMachineAlias', { name: 'live', routingConfiguration: routes(VERSION, SECOND) });
  await machine(send, 'express', { type: 'EXPRESS', definition: PASS });
  await send('CreateActivity', { name: 'known', tags });
  await machine(send, 'worked', { definition: TASK });
  await start(send, 'waiting');
  await start(send, 'done', SECOND);
  await start(send, 'stopped');
  await send('StopExecution', { executionArn: execution('stopped'), error: 'Stopped' });
  await machine(send, 'mapped', { definition: MAPPED });
  await send('StartExecution', { stateMachineArn: `${ARN}:stateMachine:mapped`, name: 'map', input: '[1,2]' });
  const { mapRuns } = await send('ListMapRuns', { executionArn: MAP_EXECUTION });
  const [{ mapRunArn }] = mapRuns as [{ mapRunArn: string }];
  await start(send, 'one', WORKED);
  const { taskToken } = await send('GetActivityTask', { activityArn });
  await start(send, 'two', WORKED);
  return { taskToken: taskToken as string, revisionId: revisionId as string, mapRunArn };
}

/** Returns every state machine with its tags, versions, aliases and executions, and every activity with its tags. */
async function observe(send: Send): Promise<unknown> {
  const answer = async (operation: string, input: object) => {
    const { $metadata: _, ...rest } = await send(operation, input as Record<string, unknown>);
    return rest;
  };
  const { stateMachines } = await send('ListStateMachines', {});
  const machines = (stateMachines as { stateMachineArn: string; type: string }[]).map(async (listed) => {
    const of = { stateMachineArn: listed.stateMachineArn };
    const { stateMachineVersions } = await send('ListStateMachineVersions', of);
    const { stateMachineAliases } = await send('ListStateMachineAliases', of);
    const { executions } = listed.type === 'EXPRESS' ? { executions: [] } : await send('ListExecutions', of);
    return [
      await answer('DescribeStateMachine', of),
      await answer('ListTagsForResource', { resourceArn: listed.stateMachineArn }),
      await Promise.all(
        (stateMachineVersions as { stateMachineVersionArn: string }[]).map(({ stateMachineVersionArn }) =>
          answer('DescribeStateMachine', { stateMachineArn: stateMachineVersionArn }),
        ),
      ),
      await Promise.all(
        (stateMachineAliases as { stateMachineAliasArn: string }[]).map((alias) =>
          answer('DescribeStateMachineAlias', { stateMachineAliasArn: alias.stateMachineAliasArn }),
        ),
      ),
      await Promise.all(
        (executions as { executionArn: string }[]).map(async ({ executionArn }) => [
          await runsOf(send, executionArn),
          await answer('DescribeExecution', { executionArn }),
          await answer('GetExecutionHistory', { executionArn }),
        ]),
      ),
    ];
  });
  const { activities } = await send('ListActivities', {});
  const tagged = (activities as { activityArn: string }[]).map(async ({ activityArn: resourceArn }) => [
    resourceArn,
    await answer('ListTagsForResource', { resourceArn }),
  ]);
  return [await Promise.all(machines), await Promise.all(tagged)];
}

/** Returns the distributed map runs of an execution. */
async function runsOf(send: Send, executionArn: string): Promise<unknown> {
  const { mapRuns } = await send('ListMapRuns', { executionArn });
  return Promise.all(
    (mapRuns as { mapRunArn: string }[]).map(async ({ mapRunArn }) => {
      const { $metadata: _, ...rest } = await send('DescribeMapRun', { mapRunArn });
      return rest;
    }),
  );
}

const of = () => ({ stateMachineArn });
const waiting = () => ({ executionArn: execution('waiting') });
const stop = (send: Send) => send('StopExecution', waiting());
const tag = (send: Send, resourceArn: string) =>
  send('TagResource', { resourceArn, tags: [{ key: 'new', value: 'x' }] });

const inputs: Scenario['inputs'] = {
  CreateActivity: () => ({ name: 'new' }),
  CreateStateMachine: () => ({ name: 'new', definition: WAIT, roleArn }),
  CreateStateMachineAlias: () => ({ name: 'new', routingConfiguration: routes(SECOND) }),
  DeleteActivity: () => ({ activityArn }),
  DeleteStateMachine: of,
  DeleteStateMachineAlias: () => ({ stateMachineAliasArn }),
  DeleteStateMachineVersion: () => ({ stateMachineVersionArn: THIRD }),
  DescribeActivity: () => ({ activityArn }),
  DescribeExecution: waiting,
  DescribeStateMachine: of,
  DescribeStateMachineAlias: () => ({ stateMachineAliasArn }),
  DescribeStateMachineForExecution: waiting,
  DescribeMapRun: ({ mapRunArn }) => ({ mapRunArn }),
  GetActivityTask: () => ({ activityArn }),
  GetExecutionHistory: waiting,
  ListExecutions: of,
  ListMapRuns: () => ({ executionArn: MAP_EXECUTION }),
  ListStateMachineAliases: of,
  ListStateMachineVersions: of,
  ListTagsForResource: () => ({ resourceArn: stateMachineArn }),
  PublishStateMachineVersion: () => ({ stateMachineArn: WORKED }),
  RedriveExecution: () => ({ executionArn: execution('stopped') }),
  SendTaskFailure: ({ taskToken }) => ({ taskToken }),
  SendTaskHeartbeat: ({ taskToken }) => ({ taskToken }),
  SendTaskSuccess: ({ taskToken }) => ({ taskToken, output: '{"done":true}' }),
  StartExecution: of,
  StartSyncExecution: () => ({ stateMachineArn: EXPRESS }),
  StopExecution: waiting,
  TagResource: () => ({ resourceArn: stateMachineArn, tags: [{ key: 'new', value: 'x' }] }),
  TestState: () => ({ definition: MOCKED, mock: { result: '{"a":1}' }, input: '{"x":1}' }),
  UntagResource: () => ({ resourceArn: stateMachineArn, tagKeys: ['team'] }),
  UpdateMapRun: ({ mapRunArn }) => ({ mapRunArn, maxConcurrency: 2 }),
  UpdateStateMachine: () => ({ stateMachineArn, definition: PASS }),
  UpdateStateMachineAlias: () => ({ stateMachineAliasArn, routingConfiguration: routes(THIRD) }),
  ValidateStateMachineDefinition: () => ({ definition: BROKEN }),
};

/** AWS Step Functions. */
export const stepfunctions: Scenario = {
  service: 'stepfunctions',
  model: model as unknown as ServiceModel,
  others: ['logs'],
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1, disableHostPrefix: true };
    const machines = sender(new sdk.SFNClient(config) as never, sdk);
    const groups = sender(new logs.CloudWatchLogsClient(config) as never, logs);
    return (operation, input) =>
      operation.startsWith('Logs.') ? groups(operation.slice('Logs.'.length), input) : machines(operation, input);
  },
  // A task is given to one worker only.
  live: ['GetActivityTask', 'SendTaskFailure', 'SendTaskHeartbeat', 'SendTaskSuccess'],
  setUp,
  observe,
  inputs,
  also: {
    CreateStateMachine: [
      () => ({ name: 'new', definition: WAIT, roleArn, publish: true, versionDescription: 'first' }),
      () => ({ name: 'new', definition: PASS, roleArn, type: 'EXPRESS' }),
      () => ({ name: 'new', definition: PASS, roleArn, loggingConfiguration: QUIET }),
      () => ({ name: 'new', definition: PASS, roleArn, loggingConfiguration: LOGGED }),
    ],
    CreateStateMachineAlias: [() => ({ name: 'new', routingConfiguration: routes(SECOND, THIRD) })],
    DescribeExecution: [() => ({ executionArn: execution('done') })],
    DescribeStateMachine: [() => ({ stateMachineArn: VERSION }), () => ({ stateMachineArn: stateMachineAliasArn })],
    ListExecutions: [
      ({ mapRunArn }) => ({ mapRunArn }),
      () => ({ stateMachineArn: SECOND }),
      () => ({ stateMachineArn, statusFilter: 'RUNNING' }),
    ],
    ListStateMachineAliases: [() => ({ stateMachineArn: VERSION })],
    ListTagsForResource: [() => ({ resourceArn: activityArn })],
    PublishStateMachineVersion: [({ revisionId }) => ({ stateMachineArn, revisionId, description: 'fourth' })],
    StartExecution: [() => ({ stateMachineArn: THIRD, name: 'new', input: '{"y":2}' })],
    TagResource: [() => ({ resourceArn: activityArn, tags: [{ key: 'new', value: 'x' }] })],
    TestState: [
      () => ({
        definition: JSON.stringify({
          Type: 'Map',
          ItemProcessor: JSON.parse(PASS) as object,
          ToleratedFailureCount: 1,
          End: true,
        }),
        mock: { result: '[1,2]' },
        input: '[1,2]',
        stateConfiguration: { mapIterationFailureCount: 1 },
      }),
      () => ({ definition: RETRIED, mock: { errorOutput: { error: 'Mine', cause: 'why' } }, inspectionLevel: 'DEBUG' }),
      () => ({ definition: STARTING, mock: { result: '{}', fieldValidationMode: 'PRESENT' } }),
      () => ({ definition: WAIT, stateName: 'B' }),
      () => ({ definition: SHOWN, variables: '{"v":1}', context: '{"State":{"Name":"x"}}' }),
      () => ({
        definition: JSON.stringify({
          Type: 'Task',
          Resource: 'arn:aws:states:::aws-sdk:sfn:listActivities',
          Parameters: {},
          End: true,
        }),
        roleArn,
      }),
    ],
    UpdateMapRun: [
      ({ mapRunArn }) => ({ mapRunArn, toleratedFailureCount: 1 }),
      ({ mapRunArn }) => ({ mapRunArn, toleratedFailurePercentage: 5 }),
    ],
    UntagResource: [() => ({ resourceArn: activityArn, tagKeys: ['team'] })],
    UpdateStateMachine: [
      () => ({ stateMachineArn, definition: PASS, publish: true, versionDescription: 'fourth' }),
      () => ({ stateMachineArn, loggingConfiguration: QUIET }),
      () => ({ stateMachineArn, loggingConfiguration: LOGGED }),
    ],
    ValidateStateMachineDefinition: [
      () => ({ definition: text({ A: { Type: 'Task', Resource: activityArn, End: true } }), type: 'EXPRESS' }),
      () => ({ definition: STATIC, severity: 'WARNING' }),
    ],
  },
  values: {
    'TestState.mock.result': ['{"z":3}', '[]'],
    'TestState.mock.fieldValidationMode': ['STRICT', 'NONE'],
    'TestState.input': ['{"z":3}', '[]'],
    'TestState.variables': ['{"v":3}', '{"v":[]}'],
    'TestState.context': ['{"State":{"Name":"y"}}'],
    'TestState.stateName': ['A'],
    'ListExecutions.redriveFilter': ['REDRIVEN'],
    'ListExecutions.statusFilter': ['RUNNING', 'ABORTED'],
    'PublishStateMachineVersion.description': ['other'],
    'StartExecution.input': ['{"z":3}', '[]'],
    'StartSyncExecution.input': ['{"z":3}', '[]'],
    'SendTaskSuccess.output': ['{"z":3}', '[]'],
    'UpdateStateMachine.definition': [WAIT, PASS],
    'CreateStateMachine.definition': [WAIT, PASS],
    'ValidateStateMachineDefinition.definition': [WAIT, BROKEN],
  },
  after: {
    SendTaskHeartbeat: (send) => send('ListExecutions', { stateMachineArn: WORKED }),
  },
  reads: {
    // An activity never changes.
    DescribeActivity: undefined,
    DescribeExecution: stop,
    DescribeMapRun: (send, { mapRunArn }) => send('UpdateMapRun', { mapRunArn, maxConcurrency: 7 }),
    DescribeStateMachine: update,
    DescribeStateMachineAlias: (send) =>
      send('UpdateStateMachineAlias', { stateMachineAliasArn, routingConfiguration: routes(THIRD) }),
    // From the start of the execution.
    DescribeStateMachineForExecution: undefined,
    GetExecutionHistory: stop,
    ListActivities: (send) => send('CreateActivity', { name: 'more' }),
    ListExecutions: (send) => start(send, 'more'),
    // Only an execution creates a run.
    ListMapRuns: (send) => send('StopExecution', { executionArn: MAP_EXECUTION }),
    ListStateMachineAliases: (send) =>
      send('CreateStateMachineAlias', { name: 'more', routingConfiguration: routes(THIRD) }),
    ListStateMachineVersions: async (send) => {
      await update(send);
      return publish(send);
    },
    ListStateMachines: (send) => machine(send, 'more'),
    ListTagsForResource: (send) => tag(send, stateMachineArn),
    // The tested definition is in its input.
    TestState: undefined,
    ValidateStateMachineDefinition: undefined,
  },
};
