import { EventBridge } from '@aws-sdk/client-eventbridge';
import { KMS } from '@aws-sdk/client-kms';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssmManifest } from '@emu/svc-ssm/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

let emulator: TestEmulator;
let ssm: SSM;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [events, kms, secretsmanager, sqs, ssmManifest] });
  ssm = new SSM(emulator.clientConfig());
});
afterAll(() => emulator.close());

const read = async (Name: string, WithDecryption = true) =>
  (await ssm.getParameter({ Name, WithDecryption })).Parameter!;

test('a SecureString is returned encrypted, unless decryption is requested', async () => {
  await ssm.putParameter({ Name: '/db/password', Value: 'hidden', Type: 'SecureString' });
  expect((await read('/db/password')).Value).toBe('hidden');
  const sealed = (await read('/db/password', false)).Value!;
  expect(sealed).not.toContain('hidden');
  expect(Buffer.from(sealed, 'base64').toString('base64')).toBe(sealed);
  const { Parameters } = await ssm.describeParameters({});
  expect(Parameters).toMatchObject([{ KeyId: 'alias/aws/ssm', Type: 'SecureString' }]);
  const long = 'ü'.repeat(8000);
  await ssm.putParameter({ Name: 'advanced', Value: long, Type: 'SecureString', Tier: 'Advanced' });
  expect((await read('advanced')).Value).toBe(long);
});

test('a customer key is used for writing and reading', async () => {
  const keys = new KMS(emulator.clientConfig());
  const KeyId = (await keys.createKey({})).KeyMetadata!.KeyId!;
  await ssm.putParameter({ Name: 'keyed', Value: 'x', Type: 'SecureString', KeyId });
  await keys.disableKey({ KeyId });
  expect((await refusal(read('keyed'))).name).toBe('InvalidKeyId');
  expect((await read('keyed', false)).Version).toBe(1);
  const put = (key: string) => ssm.putParameter({ Name: 'other', Value: 'x', Type: 'SecureString', KeyId: key });
  expect((await refusal(put(KeyId))).name).toBe('InvalidKeyId');
  expect((await refusal(put('alias/unknown'))).name).toBe('InvalidKeyId');
  await keys.enableKey({ KeyId });
  expect((await read('keyed')).Value).toBe('x');
});

test('a secret is a parameter through its reference', async () => {
  const secrets = new SecretsManager(emulator.clientConfig());
  await secrets.createSecret({ Name: 'app/db', SecretString: 'hidden' });
  const Name = '/aws/reference/secretsmanager/app/db';
  expect(await read(Name)).toMatchObject({ Name, Type: 'SecureString', Value: 'hidden' });
  expect((await refusal(read(Name, false))).message).toBe(
    'WithDecryption flag must be True for retrieving a Secret Manager secret.',
  );
  expect((await refusal(read(`${Name}-missing`))).name).toBe('ParameterNotFound');
  // https://docs.aws.amazon.com/systems-manager/latest/userguide/integration-ps-secretsmanager.html
  const { VersionId } = await secrets.getSecretValue({ SecretId: 'app/db' });
  await secrets.putSecretValue({ SecretId: 'app/db', SecretString: 'newer' });
  for (const [selector, Value] of [
    [VersionId, 'hidden'],
    ['AWSPREVIOUS', 'hidden'],
    ['AWSCURRENT', 'newer'],
  ])
    expect(await read(`${Name}:${selector}`)).toMatchObject({ Name, Value, Selector: `:${selector}` });
  expect((await refusal(read(`${Name}:NONE`))).name).toBe('ParameterNotFound');
  await secrets.createSecret({ Name: '/app@home', SecretString: 'odd' });
  expect((await read('/aws/reference/secretsmanager//app@home')).Value).toBe('odd');
});

test('EventBridge is notified of every change', async () => {
  const queues = new SQS(emulator.clientConfig());
  const { QueueUrl } = await queues.createQueue({ QueueName: 'changes' });
  const { Attributes } = await queues.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn'] });
  const bus = new EventBridge(emulator.clientConfig());
  await bus.putRule({ Name: 'changes', EventPattern: '{"source":["aws.ssm"]}' });
  await bus.putTargets({ Rule: 'changes', Targets: [{ Id: 'q', Arn: Attributes!.QueueArn }] });
  await ssm.putParameter({ Name: '/told/a', Value: '1', Type: 'String' });
  await ssm.putParameter({ Name: '/told/a', Value: '2', Overwrite: true });
  await ssm.deleteParameter({ Name: '/told/a' });
  const seen: unknown[] = [];
  await expect
    .poll(async () => {
      const { Messages = [] } = await queues.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
      for (const { Body } of Messages) seen.push(JSON.parse(Body!).detail);
      return seen.length;
    })
    .toBe(3);
  const detail = (operation: string) => ({ operation, name: '/told/a', type: 'String' });
  expect(seen).toEqual(expect.arrayContaining([detail('Create'), detail('Update'), detail('Delete')]));
});
