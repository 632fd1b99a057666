import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE, type SfnTest, startSfn } from './support.ts';

let t: SfnTest;
beforeAll(async () => {
  t = await startSfn();
});
afterAll(() => t[Symbol.asyncDispose]());

type Input = Parameters<SfnTest['sfn']['testState']>[0];
/**
 * Tests a state.
 * @returns the response with parsed JSON texts
 */
async function tested(
  state: object,
  { input = { Value: 1 }, ...more }: { input?: unknown } & Partial<Omit<Input, 'input' | 'definition'>> = {},
) {
  const definition = JSON.stringify(state);
  const { $metadata: _, ...answer } = await t.sfn.testState({ definition, input: JSON.stringify(input), ...more });
  return JSON.parse(JSON.stringify(answer), (_key, value: unknown) => {
    if (typeof value !== 'string' || !/^[[{"]/.test(value)) return value;
    return JSON.parse(value) as unknown;
  }) as Record<string, unknown>;
}
const refusalOf = (state: object, more: object = {}) =>
  tested(state, more).then(
    () => 'was not refused',
    ({ name, message }: Error) => `${name}: ${message}`,
  );
const invoke = {
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: 'f', 'Payload.$': '$' },
  ResultPath: '$.result',
  Next: 'Other',
};
const retried = {
  ...invoke,
  Retry: [{ ErrorEquals: ['Mine'], IntervalSeconds: 2, BackoffRate: 2, MaxAttempts: 3 }],
  Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Handler' }],
};
const failing = { mock: { errorOutput: { error: 'Mine', cause: 'why' } } };

describe('TestState', () => {
  // Only reference paths have no functions, no regular expressions and no operators that are words.
  // https://docs.aws.amazon.com/step-functions/latest/dg/amazon-states-language-paths.html
  test("reads paths with Jayway's operators and functions", async () => {
    const input = {
      all: [
        { n: 'ab', s: ['x'] },
        { n: 'b', s: [] },
      ],
    };
    const Parameters = {
      'matching.$': '$.all[?(@.n =~ /a.*/)].n',
      'empty.$': '$.all[?(@.s empty true)].n',
      'listed.$': "$.all[?(@.n nin ['ab'] || @.s subsetof ['y'])].n",
      'count.$': '$.all.length()',
    };
    const { output } = await tested({ Type: 'Pass', Parameters, End: true }, { input });
    expect(output).toEqual({ matching: ['ab'], empty: ['b'], listed: ['b'], count: 2 });
  });

  // Recorded from AWS.
  test("returns a state's data by inspection level", async () => {
    const Value = { Value: 1 };
    const pass = { Type: 'Pass', Next: 'Other' };
    expect(await tested(pass)).toEqual({ output: Value, status: 'SUCCEEDED', nextState: 'Other' });
    const all = { afterInputPath: Value, afterParameters: Value, afterResultSelector: Value, afterResultPath: Value };
    expect(await tested(pass, { inspectionLevel: 'DEBUG' })).toMatchObject({
      inspectionData: { input: Value, ...all },
    });
    const result = { Type: 'Pass', Result: { a: 1 }, End: true };
    expect((await tested(result, { inspectionLevel: 'TRACE' })).inspectionData).toEqual({
      input: Value,
      result: { a: 1 },
      afterResultSelector: { a: 1 },
      afterResultPath: { a: 1 },
    });
    const choice = { Type: 'Choice', Choices: [{ Variable: '$.Value', NumericEquals: 1, Next: 'One' }] };
    expect(await tested(choice)).toEqual({ output: Value, status: 'SUCCEEDED', nextState: 'One' });
    expect(await tested({ Type: 'Fail', Error: 'E', Cause: 'C' })).toEqual({
      error: 'E',
      cause: 'C',
      status: 'FAILED',
    });
    expect(await tested({ Type: 'Wait', Seconds: 1000, Next: 'Other' })).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('runs tasks with mocks', async () => {
    expect(await tested(invoke, { mock: { result: '{"Payload":2}' }, inspectionLevel: 'DEBUG' })).toEqual({
      output: { Value: 1, result: { Payload: 2 } },
      status: 'SUCCEEDED',
      nextState: 'Other',
      inspectionData: {
        input: { Value: 1 },
        afterInputPath: { Value: 1 },
        afterParameters: { FunctionName: 'f', Payload: { Value: 1 } },
        result: { Payload: 2 },
        afterResultSelector: { Payload: 2 },
        afterResultPath: { Value: 1, result: { Payload: 2 } },
      },
    });
    expect(await tested(invoke, failing)).toEqual({ error: 'Mine', cause: 'why', status: 'FAILED' });
  });

  test('reports the effect of Retry and Catch', async () => {
    const level = { inspectionLevel: 'DEBUG' as const };
    const first = await tested(retried, { ...failing, ...level, stateConfiguration: { retrierRetryCount: 2 } });
    expect(first).toMatchObject({
      status: 'RETRIABLE',
      inspectionData: { errorDetails: { retryIndex: 0, retryBackoffIntervalSeconds: 8 } },
    });
    const last = await tested(retried, { ...failing, ...level, stateConfiguration: { retrierRetryCount: 3 } });
    expect(last).toMatchObject({
      status: 'CAUGHT_ERROR',
      nextState: 'Handler',
      output: { Error: 'Mine', Cause: 'why' },
      inspectionData: { errorDetails: { catchIndex: 0 } },
    });
  });

  test('accepts maps and parallel states with mocks, and a state of a machine', async () => {
    const processor = {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'P',
      States: { P: { Type: 'Pass', End: true } },
    };
    const map = { Type: 'Map', ItemsPath: '$.list', ItemProcessor: processor, ToleratedFailureCount: 1, End: true };
    const mock = { result: '[1,2]' };
    const input = { list: [5, 6] };
    expect(await tested(map, { input, mock, inspectionLevel: 'DEBUG' })).toMatchObject({
      output: [1, 2],
      inspectionData: { afterItemsPath: [5, 6], maxConcurrency: 0, toleratedFailureCount: 1 },
    });
    const failures = (mapIterationFailureCount: number) =>
      tested(map, { input, mock, stateConfiguration: { mapIterationFailureCount } });
    expect(await failures(1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await failures(2)).toMatchObject({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' });
    const machine = { StartAt: 'M', States: { M: map } };
    expect(await tested(machine, { stateName: 'P' })).toMatchObject({ output: { Value: 1 } });
  });

  test('accepts brackets after a dot in paths', async () => {
    const Parameters = { 'a.$': "$.['list'].[0]", 'b.$': 'States.ArrayLength($.list.[*])', 'c.$': '$.list.[1:]' };
    const state = { Type: 'Pass', Parameters, End: true };
    expect(await tested(state, { input: { list: [5, 6] } })).toMatchObject({ output: { a: 5, b: 2, c: [6] } });
  });

  test('accepts variables and a context object', async () => {
    const state = {
      Type: 'Task',
      Resource: invoke.Resource,
      Parameters: { 'a.$': '$name', 'b.$': '$$.Execution.Id' },
      End: true,
    };
    const more = {
      variables: '{"name":"x"}',
      context: '{"Execution":{"Id":"id"}}',
      mock: { result: '1' },
      inspectionLevel: 'DEBUG' as const,
    };
    expect((await tested(state, more)).inspectionData).toMatchObject({ afterParameters: { a: 'x', b: 'id' } });
  });

  test('calls services as the role', async () => {
    const state = {
      Type: 'Task',
      Resource: 'arn:aws:states:::aws-sdk:sfn:listStateMachines',
      Parameters: {},
      End: true,
    };
    expect(await tested(state, { roleArn: ROLE })).toMatchObject({
      output: { StateMachines: [] },
      status: 'SUCCEEDED',
    });
  });

  // Messages recorded from AWS.
  test.each([
    [invoke, {}, 'ValidationException: RoleArn must be specified when testing a Task state'],
    [invoke, { mock: { result: '{' } }, 'ValidationException: Mocked result must be valid JSON'],
    [
      { Type: 'Pass', End: true },
      { mock: { result: '1' } },
      "ValidationException: State type 'Pass' is not supported when a mock is specified",
    ],
    [
      { Type: 'Parallel', Branches: [{ StartAt: 'B', States: { B: { Type: 'Succeed' } } }], End: true },
      { mock: { result: '{}' } },
      'ValidationException: Mocked result must be an array.',
    ],
    [
      { Type: 'Pass', End: true },
      { context: '{"Pokedex":{}}' },
      "ValidationException: Invalid Context object provided: Field 'Pokedex' is not allowed",
    ],
    [
      { Type: 'Pass', End: true },
      { context: '{"Execution":{"Id":1}}' },
      'ValidationException: Invalid Context object provided: Execution.Id must be a string',
    ],
    [
      { Type: 'Pass', End: true },
      { context: '{"Map":{}}' },
      "ValidationException: Invalid Context object provided: 'Map' field is not supported when mocking a Context object",
    ],
    [
      { StartAt: 'A', States: { A: { Type: 'Succeed' } } },
      { stateName: 'B' },
      'ValidationException: State not found in definition',
    ],
    [
      invoke,
      { mock: { result: '1', errorOutput: { error: 'E' } } },
      'ValidationException: A test mock should have only one of the following fields: [result, errorOutput].',
    ],
    [
      { Type: 'Parallel', Branches: [{ StartAt: 'P', States: { P: { Type: 'Pass', End: true } } }], End: true },
      {},
      'InvalidDefinition: TestState API does not support Map or Parallel states. Supported state types include: [Task, Wait, Pass, Succeed, Fail, Choice]',
    ],
    [
      { Type: 'Parallel', Branches: [{ StartAt: 'P', States: { P: { Type: 'Pass', End: true } } }], End: true },
      { mock: { result: '[1,2]' } },
      'ValidationException: Mocked result must contain the same number of items as number of Parallel branches.',
    ],
  ])('rejects %j with %j', async (state, more, message) => {
    expect(await refusalOf(state, more)).toBe(message);
  });
});
