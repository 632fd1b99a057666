import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KMS } from '@aws-sdk/client-kms';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE, type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

let dataPath: string;
let t: SfnTest;
beforeAll(async () => {
  dataPath = await mkdtemp(join(tmpdir(), 'emu-sealed-'));
  t = await startSfn({ manifests: [kms], dataPath });
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await rm(dataPath, { recursive: true });
});

/** Closes the emulator and starts another one on its data directory. */
async function restart(): Promise<void> {
  await t[Symbol.asyncDispose]();
  t = await startSfn({ manifests: [kms], dataPath });
}

/** Returns which of some words are in the files of Step Functions. */
async function onDisk(...words: string[]): Promise<string[]> {
  const names = (await readdir(dataPath, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && join(entry.parentPath, entry.name).includes('stepfunctions'),
  );
  const texts = await Promise.all(names.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')));
  return words.filter((word) => texts.some((text) => text.includes(word)));
}

const keys = () => new KMS(t.emulator.clientConfig());
const customers = (kmsKeyId: string) =>
  ({ type: 'CUSTOMER_MANAGED_KMS_KEY', kmsKeyId, kmsDataKeyReusePeriodSeconds: 60 }) as const;
const makeKey = async () => (await keys().createKey({})).KeyMetadata!.KeyId!;
const ended = async (executionArn: string) => {
  await expect.poll(async () => (await t.sfn.describeExecution({ executionArn })).status).not.toBe('RUNNING');
  return t.sfn.describeExecution({ executionArn });
};

/** A definition that waits and contains a unique word. */
const waiting = (word: string) => ({
  StartAt: 'W',
  States: {
    W: { Type: 'Wait', Seconds: 60, Next: 'P' },
    P: { Type: 'Pass', Result: `${word}-result`, ResultPath: '$.made', End: true },
  },
});

test('definitions and data of executions are encrypted on disk with a data key, and work after a restart', async () => {
  const KeyId = await makeKey();
  const definition = JSON.stringify(waiting('hidden'));
  const sealed = await t.sfn.createStateMachine({
    name: 'sealed',
    definition,
    roleArn: ROLE,
    encryptionConfiguration: customers(KeyId),
    publish: true,
  });
  const { stateMachineArn } = sealed;
  const plain = await t.machine(waiting('shown'), { name: 'plain' });
  const executionArn = await t.start(stateMachineArn!, { word: 'hidden-input' });
  await t.start(plain, { word: 'shown-input' });
  await restart();
  expect(await onDisk('hidden-result', 'hidden-input', 'shown-result', 'shown-input')).toEqual([
    'shown-result',
    'shown-input',
  ]);

  expect((await t.sfn.describeStateMachine({ stateMachineArn })).definition).toBe(definition);
  const { stateMachineVersionArn } = sealed;
  expect((await t.sfn.describeStateMachine({ stateMachineArn: stateMachineVersionArn })).definition).toBe(definition);
  await t.advance(60_000);
  expect(await ended(executionArn)).toMatchObject({
    status: 'SUCCEEDED',
    input: '{"word":"hidden-input"}',
    output: '{"word":"hidden-input","made":"hidden-result"}',
  });
  expect((await t.sfn.describeStateMachineForExecution({ executionArn })).definition).toBe(definition);
  const { events } = await t.sfn.getExecutionHistory({ executionArn });
  expect(events!.at(-1)!.executionSucceededEventDetails!.output).toContain('hidden-result');
  const { json } = await t.emulator.control('GET', '/_emulator/stepfunctions/executions');
  expect(JSON.stringify(json)).toContain('hidden-result');
  await restart();
  expect(await onDisk('hidden-result', 'hidden-input', 'shown-result')).toEqual(['shown-result']);
});

test('an execution fails after a restart with a disabled key, and its errors are encrypted', async () => {
  const KeyId = await makeKey();
  const encryptionConfiguration = customers(KeyId);
  const fail = { StartAt: 'F', States: { F: { Type: 'Fail', Error: 'hidden-error', Cause: 'hidden-cause' } } };
  const create = async (name: string, definition: object) => {
    const input = { name, definition: JSON.stringify(definition), roleArn: ROLE, encryptionConfiguration };
    return (await t.sfn.createStateMachine(input)).stateMachineArn!;
  };
  const failed = await t.start(await create('fails', fail));
  expect(await ended(failed)).toMatchObject({ error: 'hidden-error', cause: 'hidden-cause' });
  const includedData = 'METADATA_ONLY' as const;
  expect(await t.sfn.describeExecution({ executionArn: failed, includedData })).not.toHaveProperty('error');
  const metadata = await t.sfn.getExecutionHistory({ executionArn: failed, includeExecutionData: false });
  expect(metadata.events!.at(-1)!.executionFailedEventDetails).toEqual({});

  const executionArn = await t.start(await create('waits', waiting('other')));
  await keys().disableKey({ KeyId });
  await restart();
  expect(await onDisk('hidden-error', 'hidden-cause')).toEqual([]);
  const refused = { name: 'KmsInvalidStateException' };
  await expect(t.sfn.getExecutionHistory({ executionArn: failed })).rejects.toMatchObject(refused);
  const status = async () => (await t.sfn.describeExecution({ executionArn, includedData })).status;
  await expect.poll(status).toBe('FAILED');
  await keys().enableKey({ KeyId });
  expect(await t.sfn.describeExecution({ executionArn })).toMatchObject({
    error: 'States.Runtime',
    cause: expect.stringContaining('is disabled'),
  });
  await t.sfn.redriveExecution({ executionArn });
  await t.advance(60_000);
  expect(await ended(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '{"made":"other-result"}' });
});

test('an update encrypts the definition with another key, or not at all', async () => {
  const [first, second] = [await makeKey(), await makeKey()];
  const definition = JSON.stringify(waiting('moved'));
  const input = { name: 'moved', definition, roleArn: ROLE, encryptionConfiguration: customers(first) };
  const { stateMachineArn } = await t.sfn.createStateMachine(input);
  expect((await t.sfn.createStateMachine(input)).stateMachineArn).toBe(stateMachineArn);
  await t.sfn.updateStateMachine({ stateMachineArn, encryptionConfiguration: customers(second) });
  await keys().disableKey({ KeyId: first });
  await restart();
  expect((await t.sfn.describeStateMachine({ stateMachineArn })).definition).toBe(definition);
  expect(await onDisk('moved-result')).toEqual([]);
  await t.sfn.updateStateMachine({ stateMachineArn, encryptionConfiguration: { type: 'AWS_OWNED_KEY' } });
  await keys().disableKey({ KeyId: second });
  await restart();
  expect((await t.sfn.describeStateMachine({ stateMachineArn })).definition).toBe(definition);
});

test('executions of a distributed Map and nested ones have the key as well', async () => {
  const KeyId = await makeKey();
  const inner = { StartAt: 'I', States: { I: { Type: 'Pass', End: true } } };
  const ItemProcessor = { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' }, ...inner };
  const map = { StartAt: 'M', States: { M: { Type: 'Map', ItemProcessor, End: true } } };
  const create = async (name: string, definition: object) => {
    const encryptionConfiguration = customers(KeyId);
    const input = { name, definition: JSON.stringify(definition), roleArn: ROLE, encryptionConfiguration };
    return (await t.sfn.createStateMachine(input)).stateMachineArn!;
  };
  const StateMachineArn = await create('maps', map);
  const Resource = 'arn:aws:states:::states:startExecution.sync:2';
  const call = { Type: 'Task', Resource, Parameters: { StateMachineArn, Input: ['hidden-item'] }, End: true };
  const nests = await create('nests', { StartAt: 'T', States: { T: call } });
  const { output } = await ended(await t.start(nests));
  expect(JSON.parse(output!)).toMatchObject({ Output: ['hidden-item'] });
  await restart();
  expect(await onDisk('hidden-item')).toEqual([]);
});
