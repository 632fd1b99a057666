import { KMS } from '@aws-sdk/client-kms';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE, type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

let t: SfnTest;
let keys: KMS;
beforeAll(async () => {
  t = await startSfn({ manifests: [kms] });
  keys = new KMS(t.emulator.clientConfig());
});
afterAll(() => t[Symbol.asyncDispose]());

const makeKey = async (input: object = {}) => (await keys.createKey(input)).KeyMetadata!.KeyId!;
const definition = JSON.stringify({ StartAt: 'P', States: { P: { Type: 'Pass', End: true } } });
const customers = (kmsKeyId: string, kmsDataKeyReusePeriodSeconds = 60) =>
  ({ type: 'CUSTOMER_MANAGED_KMS_KEY', kmsKeyId, kmsDataKeyReusePeriodSeconds }) as const;
let made = 0;
const machine = async (kmsKeyId: string) => {
  const encryptionConfiguration = customers(kmsKeyId);
  const input = { name: `k${++made}`, definition, roleArn: ROLE, encryptionConfiguration };
  return (await t.sfn.createStateMachine(input)).stateMachineArn!;
};

test('starting executions and reading their data requires a usable key', async () => {
  const KeyId = await makeKey();
  const stateMachineArn = await machine(KeyId);
  expect(await t.sfn.describeStateMachine({ stateMachineArn })).toMatchObject({
    encryptionConfiguration: customers(KeyId),
  });
  const executionArn = await t.start(stateMachineArn, { a: 1 });
  await expect.poll(async () => (await t.sfn.describeExecution({ executionArn })).output).toBe('{"a":1}');

  await keys.disableKey({ KeyId });
  // A data key is reused for some time.
  expect((await t.sfn.describeExecution({ executionArn })).output).toBe('{"a":1}');
  await t.advance(61_000);
  const refused = { name: 'KmsInvalidStateException', message: expect.stringContaining('is disabled') };
  await expect(t.sfn.describeExecution({ executionArn })).rejects.toMatchObject(refused);
  await expect(t.sfn.getExecutionHistory({ executionArn })).rejects.toMatchObject(refused);
  await expect(t.sfn.describeStateMachine({ stateMachineArn })).rejects.toMatchObject(refused);
  await expect(t.sfn.describeStateMachineForExecution({ executionArn })).rejects.toMatchObject(refused);
  await expect(t.sfn.startExecution({ stateMachineArn })).rejects.toMatchObject(refused);
  const includedData = 'METADATA_ONLY' as const;
  expect(await t.sfn.describeExecution({ executionArn, includedData })).toMatchObject({ status: 'SUCCEEDED' });
  expect(await t.sfn.describeStateMachine({ stateMachineArn, includedData })).toMatchObject({ definition: '{}' });
  const hidden = await t.sfn.getExecutionHistory({ executionArn, includeExecutionData: false });
  expect(hidden.events).toHaveLength(4);

  await keys.enableKey({ KeyId });
  expect((await t.sfn.describeExecution({ executionArn })).output).toBe('{"a":1}');
});

test('an update changes the key, and the AWS managed key requires none', async () => {
  const [first, second] = [await makeKey(), await makeKey()];
  const stateMachineArn = await machine(first);
  await t.sfn.updateStateMachine({ stateMachineArn, encryptionConfiguration: customers(second, 900) });
  await keys.disableKey({ KeyId: first });
  await t.start(stateMachineArn);
  await t.sfn.updateStateMachine({ stateMachineArn, encryptionConfiguration: { type: 'AWS_OWNED_KEY' } });
  await keys.disableKey({ KeyId: second });
  await t.start(stateMachineArn);
  expect(await t.sfn.describeStateMachine({ stateMachineArn })).toMatchObject({
    encryptionConfiguration: { type: 'AWS_OWNED_KEY' },
  });
});

test('rejects invalid keys', async () => {
  const input = { name: 'refused', definition, roleArn: ROLE };
  const create = (encryptionConfiguration: Parameters<typeof t.sfn.createStateMachine>[0]['encryptionConfiguration']) =>
    t.sfn.createStateMachine({ ...input, encryptionConfiguration });
  const invalid = { name: 'InvalidEncryptionConfiguration' };
  await expect(create({ type: 'CUSTOMER_MANAGED_KMS_KEY' })).rejects.toMatchObject(invalid);
  await expect(create({ type: 'AWS_OWNED_KEY', kmsKeyId: 'k' })).rejects.toMatchObject(invalid);
  await expect(create(customers('00000000-0000-0000-0000-000000000000'))).rejects.toMatchObject(invalid);
  const rsa = await makeKey({ KeySpec: 'RSA_2048', KeyUsage: 'ENCRYPT_DECRYPT' });
  await expect(create(customers(rsa))).rejects.toMatchObject(invalid);
  expect((await t.sfn.listStateMachines({})).stateMachines!.map(({ name }) => name)).not.toContain('refused');
});

test('the tasks of an activity require its key', async () => {
  const KeyId = await makeKey();
  const { activityArn } = await t.sfn.createActivity({ name: 'work', encryptionConfiguration: customers(KeyId) });
  expect(await t.sfn.describeActivity({ activityArn })).toMatchObject({ encryptionConfiguration: customers(KeyId) });
  await keys.disableKey({ KeyId });
  await expect(t.sfn.getActivityTask({ activityArn })).rejects.toMatchObject({ name: 'KmsInvalidStateException' });
  await expect(t.sfn.createActivity({ name: 'work' })).rejects.toMatchObject({ name: 'ActivityAlreadyExists' });
});
