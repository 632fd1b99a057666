import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lambda, type OperationUpdate } from '@aws-sdk/client-lambda';
import { createTestEmulator, zipOf } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { ACCOUNT, arn, BASE, failureOf, type LambdaTest, startLambda } from './support.ts';

/**
 * A handler that executes its input as a script: each invocation runs the next steps. A minimal version of the SDK for
 * durable functions.
 */
const HANDLER = `
const http = require('node:http');
const call = (path, body) => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(process.env.AWS_ENDPOINT_URL);
  const authorization = 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID +
    '/20250101/' + process.env.AWS_REGION + '/lambda/aws4_request, SignedHeaders=host, Signature=0';
  const headers = { authorization, 'content-type': 'application/json' };
  if (process.env.AWS_SESSION_TOKEN) headers['x-amz-security-token'] = process.env.AWS_SESSION_TOKEN;
  const request = http.request({ hostname, port, path, method: 'POST', headers }, (response) => {
    let text = '';
    response.on('data', (chunk) => { text += chunk; });
    response.on('end', () => response.statusCode < 300 ? resolve(JSON.parse(text)) : reject(new Error(text)));
  });
  request.on('error', reject);
  request.end(JSON.stringify(body));
});
exports.handler = async ({ DurableExecutionArn, CheckpointToken, InitialExecutionState: { Operations } }) => {
  const known = new Map(Operations.map((operation) => [operation.Id, operation]));
  const { script, result } = JSON.parse(Operations[0].ExecutionDetails.InputPayload);
  for (const update of script) {
    const operation = known.get(update.Id);
    const open = operation && !operation.EndTimestamp;
    if (open && !(operation.Status === 'READY')) return { Status: 'PENDING' };
    if (operation && !open) {
      if (operation.Status !== 'SUCCEEDED') {
        const { Error: error } = operation.CallbackDetails ?? operation.ChainedInvokeDetails ?? operation.StepDetails ?? {};
        return { Status: 'FAILED', Error: error };
      }
      continue;
    }
    if (operation) Object.assign(update, { Action: 'SUCCEED', Payload: '"retried"' });
    const path = '/2025-12-01/durable-executions/' + encodeURIComponent(DurableExecutionArn) + '/checkpoint';
    const answer = await call(path, { CheckpointToken, Updates: [update] });
    CheckpointToken = answer.CheckpointToken;
    const [now] = answer.NewExecutionState.Operations.filter(({ Id }) => Id === update.Id);
    if (!now.EndTimestamp) return { Status: 'PENDING' };
  }
  return { Status: 'SUCCEEDED', Result: JSON.stringify(result ?? [...known.values()].map(({ Id, Status }) => Id + ':' + Status)) };
};
`;
const PLAIN = `
exports.handler = async (event) => { if (event.fail) throw new TypeError('no'); return { plain: event }; };
exports.pending = async () => ({ Status: 'PENDING' });
exports.wrong = async () => 5;
`;

const step = (Id: string, Payload = '"done"'): OperationUpdate => ({ Id, Type: 'STEP', Action: 'SUCCEED', Payload });

async function startDurable(): Promise<
  LambdaTest & { begin(script: OperationUpdate[], name?: string): Promise<string> }
> {
  const test = await startLambda();
  await test.create('durable', {
    Code: { ZipFile: zipOf({ 'index.js': HANDLER }) },
    DurableConfig: { ExecutionTimeout: 600, RetentionPeriodInDays: 1 },
  });
  const begin = async (script: OperationUpdate[], DurableExecutionName?: string): Promise<string> => {
    const { DurableExecutionArn, StatusCode } = await test.lambda.invoke({
      FunctionName: 'durable:$LATEST',
      InvocationType: 'Event',
      Payload: JSON.stringify({ script }),
      DurableExecutionName,
    });
    expect(StatusCode).toBe(202);
    return DurableExecutionArn!;
  };
  return Object.assign(test, { begin });
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Waits for a condition; the function runs in a separate process. */
async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (let tries = 0; tries < 500; tries++) {
    const found = await look();
    if (found) return found;
    await pause();
  }
  throw new Error('it did not come to be');
}

type Client = Pick<LambdaTest, 'lambda'>;

const ended = (test: Client, DurableExecutionArn: string) =>
  until(async () => {
    const execution = await test.lambda.getDurableExecution({ DurableExecutionArn });
    return execution.Status !== 'RUNNING' && execution;
  });
const history = async (test: Client, DurableExecutionArn: string, IncludeExecutionData = true) =>
  (await test.lambda.getDurableExecutionHistory({ DurableExecutionArn, IncludeExecutionData })).Events!;
const seen = (test: Client, DurableExecutionArn: string, type: string) =>
  until(async () => (await history(test, DurableExecutionArn)).find(({ EventType }) => EventType === type));
/** Waits until an execution's function has returned a number of times. */
const returned = (test: Client, DurableExecutionArn: string, times: number) =>
  until(async () => {
    const events = await history(test, DurableExecutionArn);
    return events.filter(({ EventType }) => EventType === 'InvocationCompleted').length >= times && events;
  });

const CHECKPOINT = `
exports.handler = async () => new Promise(() => {});
`;

describe('checkpoints', () => {
  /** An execution whose function never returns, so that the test can send its checkpoints. */
  async function startHanging(): Promise<LambdaTest & { DurableExecutionArn: string; CheckpointToken: string }> {
    const test = await startLambda();
    await test.create('hanging', {
      Code: { ZipFile: zipOf({ 'index.js': CHECKPOINT }) },
      Timeout: 900,
      DurableConfig: { ExecutionTimeout: 600 },
    });
    const { DurableExecutionArn } = await test.lambda.invoke({
      FunctionName: 'hanging:$LATEST',
      InvocationType: 'Event',
    });
    // Token of the first invocation, in emu's format.
    const CheckpointToken = Buffer.from(`${DurableExecutionArn!.split('/').at(-1)}:1`).toString('base64');
    return Object.assign(test, { DurableExecutionArn: DurableExecutionArn!, CheckpointToken });
  }

  it('apply updates atomically, and accept each token once', async () => {
    await using test = await startHanging();
    const { DurableExecutionArn, CheckpointToken } = test;
    const of = { DurableExecutionArn, CheckpointToken };
    const state = async (token: string) =>
      (await test.lambda.getDurableExecutionState({ DurableExecutionArn, CheckpointToken: token })).Operations!.map(
        ({ Id, Status }) => `${Id}:${Status}`,
      );
    const context: OperationUpdate = { Id: 'ctx', Type: 'CONTEXT', Action: 'START' };
    const wrong: OperationUpdate = { Id: 'w', Type: 'WAIT', Action: 'START' };
    const before = await state(CheckpointToken);
    const [root] = before;
    expect(
      await failureOf(test.lambda.checkpointDurableExecution({ ...of, Updates: [context, step('s'), wrong] })),
    ).toBe('InvalidParameterValueException: WaitOptions are required for operation w.');
    expect(await state(CheckpointToken)).toEqual(before);
    expect((await history(test, DurableExecutionArn)).map(({ EventType }) => EventType)).toEqual(['ExecutionStarted']);
    const answer = await test.lambda.checkpointDurableExecution({
      ...of,
      Updates: [
        context,
        { Id: 's', ParentId: 'ctx', Name: 'a step', Type: 'STEP', Action: 'START' },
        { Id: 's', ParentId: 'ctx', Type: 'STEP', Action: 'SUCCEED', Payload: '1' },
      ],
    });
    expect(answer.NewExecutionState!.Operations).toMatchObject([
      { Id: 'ctx', Type: 'CONTEXT', Status: 'STARTED' },
      { Id: 's', ParentId: 'ctx', Name: 'a step', Status: 'SUCCEEDED', StepDetails: { Attempt: 1, Result: '1' } },
    ]);
    expect(await failureOf(test.lambda.checkpointDurableExecution(of))).toMatch(/Invalid checkpoint token/);
    const second = { DurableExecutionArn, CheckpointToken: answer.CheckpointToken };
    const refused: [OperationUpdate, string][] = [
      [step('s'), 'Operation s has completed and cannot be updated.'],
      [
        { Id: 'ctx', Type: 'STEP', Action: 'SUCCEED' },
        'Operation ctx is of type CONTEXT and cannot be updated as STEP.',
      ],
      [context, 'Operation ctx has been started already.'],
      [{ ...step('t'), ParentId: 's' }, 'The parent s of operation t is not a context.'],
      [{ Id: 'x', Type: 'CALLBACK', Action: 'FAIL' }, 'Action FAIL is not valid for operation x of type CALLBACK.'],
      [step('big', 'x'.repeat(262_145)), 'The payload of operation big exceeds the limit of 262144 bytes.'],
    ];
    for (const [update, message] of refused)
      expect(await failureOf(test.lambda.checkpointDurableExecution({ ...second, Updates: [update] }))).toBe(
        `InvalidParameterValueException: ${message}`,
      );
    expect(await state(answer.CheckpointToken!)).toEqual([root, 'ctx:STARTED', 's:SUCCEEDED']);
    // Descendants of an ended context are omitted, unless the context requests them.
    const third = await test.lambda.checkpointDurableExecution({
      ...second,
      Updates: [{ Id: 'ctx', Type: 'CONTEXT', Action: 'SUCCEED', Payload: '2' }],
    });
    expect(await state(third.CheckpointToken!)).toEqual([root, 'ctx:SUCCEEDED']);
  });

  it('return other changes', async () => {
    await using test = await startHanging();
    const { DurableExecutionArn, CheckpointToken } = test;
    const wait = (Id: string): OperationUpdate => ({
      Id,
      Type: 'WAIT',
      Action: 'START',
      WaitOptions: { WaitSeconds: 10 },
    });
    const first = await test.lambda.checkpointDurableExecution({
      DurableExecutionArn,
      CheckpointToken,
      Updates: [wait('a'), wait('b')],
    });
    const second = await test.lambda.checkpointDurableExecution({
      DurableExecutionArn,
      CheckpointToken: first.CheckpointToken,
      Updates: [{ Id: 'b', Type: 'WAIT', Action: 'CANCEL' }],
    });
    await test.emulator.kernel.clock.advance(10_000);
    const third = await test.lambda.checkpointDurableExecution({
      DurableExecutionArn,
      CheckpointToken: second.CheckpointToken,
    });
    expect(third.NewExecutionState!.Operations).toMatchObject([{ Id: 'a', Status: 'SUCCEEDED' }]);
    const operations = await test.lambda.getDurableExecutionState({
      DurableExecutionArn,
      CheckpointToken: third.CheckpointToken,
      MaxItems: 2,
    });
    expect(operations.Operations).toHaveLength(2);
    const rest = await test.lambda.getDurableExecutionState({
      DurableExecutionArn,
      CheckpointToken: third.CheckpointToken,
      Marker: operations.NextMarker,
    });
    expect(rest.Operations).toMatchObject([{ Id: 'b', Status: 'CANCELLED' }]);
  });
});

describe('durable executions', () => {
  it('run their steps, wait, and respond to the invoker', async () => {
    await using test = await startDurable();
    test.emulator.kernel.clock.resume();
    const invoked = await test.lambda.invoke({
      FunctionName: 'durable:$LATEST',
      Payload: JSON.stringify({
        script: [
          step('one'),
          { Id: 'rest', Type: 'WAIT', Action: 'START', WaitOptions: { WaitSeconds: 1 } },
          step('two'),
        ],
        result: { all: 'done' },
      }),
    });
    expect(invoked.FunctionError).toBeUndefined();
    expect(JSON.parse(Buffer.from(invoked.Payload!).toString())).toEqual({ all: 'done' });
    const { DurableExecutionArn } = invoked;
    expect(DurableExecutionArn).toMatch(
      /^arn:aws:lambda:us-east-1:000000000000:function:durable:\$LATEST\/durable-execution\/[\w-]+\/[\w-]+$/,
    );
    const execution = await test.lambda.getDurableExecution({ DurableExecutionArn });
    expect(execution).toMatchObject({ Status: 'SUCCEEDED', Result: '{"all":"done"}', Version: '$LATEST' });
    const events = await history(test, DurableExecutionArn!);
    expect(events.map(({ EventType }) => EventType)).toEqual([
      'ExecutionStarted',
      'StepSucceeded',
      'WaitStarted',
      'InvocationCompleted',
      'WaitSucceeded',
      'StepSucceeded',
      'InvocationCompleted',
      'ExecutionSucceeded',
    ]);
    expect(events[1]).toMatchObject({ Id: 'one', StepSucceededDetails: { Result: { Payload: '"done"' } } });
    const bare = await history(test, DurableExecutionArn!, false);
    expect(bare[1]).toMatchObject({ Id: 'one', StepSucceededDetails: { Result: {} } });
    const reversed = await test.lambda.getDurableExecutionHistory({
      DurableExecutionArn,
      ReverseOrder: true,
      MaxItems: 2,
    });
    expect(reversed.Events!.map(({ EventId }) => EventId)).toEqual([8, 7]);
    const rest = await test.lambda.getDurableExecutionHistory({
      DurableExecutionArn,
      ReverseOrder: true,
      Marker: reversed.NextMarker,
    });
    expect(rest.Events!.map(({ EventId }) => EventId)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('retry steps on schedule', async () => {
    await using test = await startDurable();
    const retry: OperationUpdate = {
      Id: 'flaky',
      Type: 'STEP',
      Action: 'RETRY',
      Error: { ErrorType: 'Flaky' },
      StepOptions: { NextAttemptDelaySeconds: 30 },
    };
    const DurableExecutionArn = await test.begin([retry]);
    await returned(test, DurableExecutionArn, 1);
    await test.emulator.kernel.clock.advance(29_000);
    expect((await test.lambda.getDurableExecution({ DurableExecutionArn })).Status).toBe('RUNNING');
    await test.emulator.kernel.clock.advance(1000);
    expect(await ended(test, DurableExecutionArn)).toMatchObject({ Status: 'SUCCEEDED' });
    const types = (await history(test, DurableExecutionArn)).map(({ EventType }) => EventType);
    expect(types.filter((type) => type !== 'InvocationCompleted')).toEqual([
      'ExecutionStarted',
      'StepFailed',
      'StepSucceeded',
      'ExecutionSucceeded',
    ]);
  });

  it('wait for callbacks', async () => {
    await using test = await startDurable();
    const callback: OperationUpdate = { Id: 'approval', Type: 'CALLBACK', Action: 'START' };
    const idOf = async (DurableExecutionArn: string) =>
      (await seen(test, DurableExecutionArn, 'CallbackStarted')).CallbackStartedDetails!.CallbackId!;
    const approved = await test.begin([callback]);
    const CallbackId = await idOf(approved);
    await test.lambda.sendDurableExecutionCallbackHeartbeat({ CallbackId });
    await test.lambda.sendDurableExecutionCallbackSuccess({ CallbackId, Result: Buffer.from('"yes"') });
    expect((await ended(test, approved)).Status).toBe('SUCCEEDED');
    expect(await seen(test, approved, 'CallbackSucceeded')).toMatchObject({
      CallbackSucceededDetails: { Result: { Payload: '"yes"' } },
    });
    expect(await failureOf(test.lambda.sendDurableExecutionCallbackSuccess({ CallbackId }))).toMatch(
      /^CallbackTimeoutException: /,
    );
    const refused = await test.begin([callback]);
    const refusal = { ErrorType: 'Refused', ErrorMessage: 'no' };
    await test.lambda.sendDurableExecutionCallbackFailure({ CallbackId: await idOf(refused), Error: refusal });
    expect(await ended(test, refused)).toMatchObject({ Status: 'FAILED', Error: refusal });
    const CallbackOptions = { TimeoutSeconds: 60, HeartbeatTimeoutSeconds: 20 };
    const late = await test.begin([{ ...callback, CallbackOptions }]);
    const lateId = await idOf(late);
    await returned(test, late, 1);
    await test.emulator.kernel.clock.advance(15_000);
    await test.lambda.sendDurableExecutionCallbackHeartbeat({ CallbackId: lateId });
    await test.emulator.kernel.clock.advance(15_000);
    expect((await test.lambda.getDurableExecution({ DurableExecutionArn: late })).Status).toBe('RUNNING');
    await test.emulator.kernel.clock.advance(5000);
    expect(await ended(test, late)).toMatchObject({ Status: 'FAILED', Error: { ErrorType: 'Callback.Heartbeat' } });
    expect(await failureOf(test.lambda.sendDurableExecutionCallbackHeartbeat({ CallbackId: 'bm9uZQ==' }))).toMatch(
      /^InvalidParameterValueException: /,
    );
  });

  it('invoke other functions', async () => {
    await using test = await startDurable();
    await test.create('plain', { Code: { ZipFile: zipOf({ 'index.js': PLAIN }) } });
    const chained = (FunctionName: string, Payload: string): OperationUpdate => ({
      Id: 'chained',
      Type: 'CHAINED_INVOKE',
      Action: 'START',
      Payload,
      ChainedInvokeOptions: { FunctionName },
    });
    const good = await test.begin([chained('plain', '{"a":1}')]);
    expect((await ended(test, good)).Status).toBe('SUCCEEDED');
    expect(await seen(test, good, 'ChainedInvokeSucceeded')).toMatchObject({
      ChainedInvokeSucceededDetails: { Result: { Payload: '{"plain":{"a":1}}' } },
    });
    const bad = await test.begin([chained('plain', '{"fail":true}')]);
    expect(await ended(test, bad)).toMatchObject({
      Status: 'FAILED',
      Error: { ErrorType: 'TypeError', ErrorMessage: 'no' },
    });
    const durable = await test.begin([chained('durable', JSON.stringify({ script: [step('inner')], result: 7 }))]);
    expect((await ended(test, durable)).Status).toBe('SUCCEEDED');
    expect(await seen(test, durable, 'ChainedInvokeSucceeded')).toMatchObject({
      ChainedInvokeSucceededDetails: { Result: { Payload: '7' } },
    });
    const none = await test.begin([chained('none', '{}')]);
    expect(await ended(test, none)).toMatchObject({
      Status: 'FAILED',
      Error: { ErrorType: 'ResourceNotFoundException' },
    });
  });

  it('can be stopped, time out, and are deleted after their retention', async () => {
    await using test = await startDurable();
    const forever: OperationUpdate = { Id: 'w', Type: 'WAIT', Action: 'START', WaitOptions: { WaitSeconds: 100_000 } };
    const stopped = await test.begin([forever]);
    await returned(test, stopped, 1);
    const enough = { ErrorType: 'Mine', ErrorMessage: 'enough' };
    const { StopTimestamp } = await test.lambda.stopDurableExecution({ DurableExecutionArn: stopped, Error: enough });
    const execution = await test.lambda.getDurableExecution({ DurableExecutionArn: stopped });
    expect(execution).toMatchObject({ Status: 'STOPPED', Error: enough, EndTimestamp: StopTimestamp });
    const late = await test.begin([forever]);
    await returned(test, late, 1);
    await test.emulator.kernel.clock.advance(600_000);
    expect((await test.lambda.getDurableExecution({ DurableExecutionArn: late })).Status).toBe('TIMED_OUT');
    await test.emulator.kernel.clock.advance(86_400_000);
    expect(await failureOf(test.lambda.getDurableExecution({ DurableExecutionArn: late }))).toBe(
      `ResourceNotFoundException: Durable execution not found: ${late}`,
    );
  });

  it('resume after a restart', async () => {
    const dataPath = await mkdtemp(join(tmpdir(), 'emu-durable-'));
    const open = async () => {
      const emulator = await createTestEmulator({ manifests: [manifest], dataPath, settings: { accountId: ACCOUNT } });
      emulator.kernel.clock.freeze();
      return { emulator, lambda: new Lambda(emulator.clientConfig()) };
    };
    const before = await open();
    await before.lambda.createFunction({
      ...BASE,
      FunctionName: 'durable',
      Code: { ZipFile: zipOf({ 'index.js': HANDLER }) },
      DurableConfig: { ExecutionTimeout: 600 },
    });
    const rest: OperationUpdate = { Id: 'rest', Type: 'WAIT', Action: 'START', WaitOptions: { WaitSeconds: 300 } };
    const { DurableExecutionArn } = await before.lambda.invoke({
      FunctionName: 'durable:$LATEST',
      InvocationType: 'Event',
      Payload: JSON.stringify({ script: [step('one'), rest, step('two')] }),
    });
    await returned(before, DurableExecutionArn!, 1);
    await before.emulator.close();
    const after = await open();
    expect((await after.lambda.getDurableExecution({ DurableExecutionArn })).Status).toBe('RUNNING');
    await after.emulator.kernel.clock.advance(300_000);
    expect(await ended(after, DurableExecutionArn!)).toMatchObject({ Status: 'SUCCEEDED' });
    const steps = (await history(after, DurableExecutionArn!)).filter(({ EventType }) => EventType === 'StepSucceeded');
    expect(steps.map(({ Id }) => Id)).toEqual(['one', 'two']);
    await after.emulator.close();
    await rm(dataPath, { recursive: true });
  });

  it('start once per name', async () => {
    await using test = await startDurable();
    const first = await test.begin([step('a')], 'named');
    expect(await test.begin([step('a')], 'named')).toBe(first);
    expect(await failureOf(test.begin([step('b')], 'named'))).toMatch(/^DurableExecutionAlreadyStartedException: /);
    await ended(test, first);
    await test.begin([step('c')], 'other');
    const list = async (input: object) =>
      (await test.lambda.listDurableExecutionsByFunction({ FunctionName: 'durable', ...input })).DurableExecutions!.map(
        ({ DurableExecutionName }) => DurableExecutionName,
      );
    expect((await list({})).sort()).toEqual(['named', 'other']);
    expect(await list({ DurableExecutionName: 'named', Statuses: ['SUCCEEDED'] })).toEqual(['named']);
    expect(await list({ Qualifier: '7' })).toEqual([]);
    expect(await list({ StartedBefore: new Date(0) })).toEqual([]);
    await test.lambda.deleteFunction({ FunctionName: 'durable' });
    expect(await failureOf(list({}))).toBe(`ResourceNotFoundException: Function not found: ${arn('function:durable')}`);
  });

  it('are rejected if they cannot start, and fail if functions violate the protocol', async () => {
    await using test = await startDurable();
    expect(await failureOf(test.lambda.invoke({ FunctionName: 'durable' }))).toBe(
      'InvalidParameterValueException: You cannot invoke a durable function using an unqualified ARN.',
    );
    const DurableConfig = { ExecutionTimeout: 901 };
    await test.create('long', { DurableConfig });
    expect(await failureOf(test.lambda.invoke({ FunctionName: 'long:$LATEST' }))).toBe(
      'InvalidParameterValueException: You cannot synchronously invoke a durable function with an executionTimeout greater than 15 minutes.',
    );
    for (const [Handler, message] of [
      ['index.pending', 'Cannot return PENDING status with no pending operations.'],
      ['index.wrong', 'Invalid Status in invocation output.'],
    ] as const) {
      const name = await test.create(Handler.replace('.', '-'), {
        Code: { ZipFile: zipOf({ 'index.js': PLAIN }) },
        Handler,
        DurableConfig: { ExecutionTimeout: 60 },
      });
      const { FunctionError, Payload } = await test.lambda.invoke({ FunctionName: `${name}:$LATEST` });
      expect(FunctionError).toBe('Unhandled');
      expect(JSON.parse(Buffer.from(Payload!).toString()).errorMessage).toBe(message);
    }
    await test.create('plain');
    expect(await failureOf(test.lambda.invoke({ FunctionName: 'plain', DurableExecutionName: 'x' }))).toMatch(
      /^InvalidParameterValueException: /,
    );
    const DurableExecutionArn = await test.begin([{ Id: 'c', Type: 'CALLBACK', Action: 'START' }]);
    await returned(test, DurableExecutionArn, 1);
    const CheckpointToken = 'b2xk';
    expect(await failureOf(test.lambda.checkpointDurableExecution({ DurableExecutionArn, CheckpointToken }))).toMatch(
      /^InvalidParameterValueException: Invalid checkpoint token/,
    );
    expect(await failureOf(test.lambda.getDurableExecutionState({ DurableExecutionArn, CheckpointToken }))).toMatch(
      /^InvalidParameterValueException: Invalid checkpoint token/,
    );
  });
});
