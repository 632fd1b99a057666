import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

let t: SfnTest;
beforeAll(async () => {
  t = await startSfn({ manifests: [dynamodb, events, kms, lambda, s3] });
});
afterAll(() => t[Symbol.asyncDispose]());

type Mode = 'STRICT' | 'PRESENT' | 'NONE' | undefined;
/** Tests a task with a mocked result. @returns the outcome, or the error for the result */
async function outcome(resource: string, result: object, fieldValidationMode: Mode): Promise<string> {
  const Resource = `arn:aws:states:::${resource}`;
  const definition = JSON.stringify({ Type: 'Task', Resource, Parameters: {}, End: true });
  try {
    const mock = { result: JSON.stringify(result), fieldValidationMode };
    return (await t.sfn.testState({ definition, mock })).status!;
  } catch (error) {
    const { name, message } = error as Error;
    expect(name).toBe('ValidationException');
    return message.replace('Mock result schema validation error: ', '');
  }
}

// Recorded.
test.each([
  ['events:putEvents', { random: 'json' }, 'SUCCEEDED'],
  ['events:putEvents', { Entries: 'text' }, "Field 'Entries' must be an array"],
  ['events:putEvents', { Entries: [{ EventId: 'id' }, { EventId: 1 }] }, "Field 'EventId' must be a string"],
  ['states:startExecution', { ExecutionArn: 'a', StartDate: true }, "Field 'StartDate' must be a string"],
  ['lambda:invoke', { StatusCode: '200' }, "Field 'StatusCode' must be a number"],
  ['lambda:invoke', { StatusCode: 200, Payload: { any: 1 } }, 'SUCCEEDED'],
  ['dynamodb:putItem', { ConsumedCapacity: { CapacityUnits: '1' } }, "Field 'CapacityUnits' must be a number"],
  ['aws-sdk:s3:getObject', { ContentLength: '1' }, "Field 'ContentLength' must be a number"],
  ['aws-sdk:s3:getObject', { StorageClass: 'NONE' }, "Field 'StorageClass' is not an expected value"],
  ['aws-sdk:kms:encrypt', { CiphertextBlob: 1 }, "Field 'CiphertextBlob' must be a string"],
  ['aws-sdk:kms:encrypt', { CiphertextBlob: '' }, "Field 'CiphertextBlob' is smaller than the minimum length"],
  [
    'aws-sdk:lambda:getFunction',
    { Configuration: { MemorySize: 1 } },
    "Field 'MemorySize' is less than the minimum value",
  ],
  [
    'aws-sdk:lambda:getFunction',
    { Configuration: { MemorySize: 1_000_000 } },
    "Field 'MemorySize' exceeds the maximum value",
  ],
])('a mocked result of %s that is %j', async (resource, result, expected) => {
  expect(await outcome(resource, result, undefined)).toBe(expected);
  expect(await outcome(resource, result, 'PRESENT')).toBe(expected);
  expect(await outcome(resource, result, 'NONE')).toBe('SUCCEEDED');
});

test('required members may be missing unless the mode is STRICT', async () => {
  const small = { executionArn: 'a', startDate: 'd' };
  for (const result of [{}, small]) {
    const missing = "Required field 'ExecutionArn' is missing";
    expect(await outcome('states:startExecution', result, 'STRICT')).toBe(missing);
    expect(await outcome('states:startExecution', result, 'PRESENT')).toBe('SUCCEEDED');
  }
});

test('results of third parties can be any value', async () => {
  expect(await outcome('events:putEvents.waitForTaskToken', { Entries: 1 }, 'STRICT')).toBe('SUCCEEDED');
});

const EXECUTION = { ExecutionArn: 'a', StateMachineArn: 'm', StartDate: 1, Status: 'SUCCEEDED' };
test.each([
  ['sync', EXECUTION, 'SUCCEEDED'],
  ['sync', { ...EXECUTION, Output: '{"n":1}' }, 'SUCCEEDED'],
  ['sync', { ...EXECUTION, Output: { n: 1 } }, "Field 'Output' must be a string"],
  ['sync', { ...EXECUTION, Status: 'DONE' }, "Field 'Status' is not an expected value"],
  ['sync', { ...EXECUTION, StateMachineArn: undefined }, "Required field 'StateMachineArn' is missing"],
  ['sync:2', { ...EXECUTION, Output: { n: 1 } }, 'SUCCEEDED'],
  ['sync:2', { ...EXECUTION, Status: 1 }, "Field 'Status' must be a string"],
])('a mocked execution awaited by %s is %j', async (form, result, expected) => {
  expect(await outcome(`states:startExecution.${form}`, result, 'STRICT')).toBe(expected);
  expect(await outcome(`states:startExecution.${form}`, result, 'NONE')).toBe('SUCCEEDED');
});

test('members have the names of the SDK for Java', async () => {
  const result = { Item: { seen: { Bool: true }, tags: { Ss: ['a'] } } };
  expect(await outcome('aws-sdk:dynamodb:getItem', result, 'STRICT')).toBe('SUCCEEDED');
  const wrong = { Item: { seen: { Bool: 'yes' } } };
  expect(await outcome('aws-sdk:dynamodb:getItem', wrong, 'STRICT')).toBe("Field 'Bool' must be a boolean");
});

test('an awaited task can be tested with a mock only', async () => {
  const roleArn = 'arn:aws:iam::111111111111:role/states';
  for (const Resource of [
    'arn:aws:states:::states:startExecution.sync:2',
    'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
    'arn:aws:states:us-east-1:111111111111:activity:a',
  ]) {
    const definition = JSON.stringify({ Type: 'Task', Resource, Parameters: {}, End: true });
    await expect(t.sfn.testState({ definition, roleArn })).rejects.toMatchObject({ name: 'InvalidDefinition' });
  }
});

test('a state within a Map can set the cause of its error', async () => {
  const ItemProcessor = { StartAt: 'Inner', States: { Inner: { Type: 'Pass', End: true } } };
  const definition = JSON.stringify({ Type: 'Map', ItemProcessor, End: true });
  const mock = { errorOutput: { error: 'MockException', cause: 'Mock the cause of the error.' } };
  const tested = (errorCausedByState: string) =>
    t.sfn.testState({ definition, input: '[1,1]', mock, stateConfiguration: { errorCausedByState } });
  expect(await tested('Inner')).toMatchObject({ status: 'FAILED', error: 'MockException' });
  await expect(tested('Other')).rejects.toMatchObject({ name: 'ValidationException' });
});
