import { randomBytes } from 'node:crypto';
import { type AwsError, awsError } from '@emu/wire';
import { beforeEach, expect, test } from 'vitest';
import { KeyUses } from '../src/customer-keys/key-uses.ts';
import {
  type CallOptions,
  CustomerKey,
  type KeyCaller,
  notImplemented,
  prefixRefusals,
  sealText,
  unsealText,
} from '../src/service.ts';

const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/4f1c0b6e-0f4f-4b3a-9f51-6f0a52f2b8d1';

interface Call {
  operation: string;
  input: Record<string, unknown>;
  options: CallOptions | undefined;
}

let calls: Call[] = [];
/** Thrown instead of a response. */
let failure: Error | undefined;

const ANSWERS: Readonly<Record<string, unknown>> = {
  CreateGrant: {},
  Decrypt: { Plaintext: Buffer.from('plain') },
  DescribeKey: { KeyMetadata: { Arn: KEY, KeyState: 'Enabled' } },
  Encrypt: { CiphertextBlob: Buffer.from('cipher') },
  GenerateDataKey: { KeyId: KEY, CiphertextBlob: Buffer.from('cipher'), Plaintext: Buffer.from('plain') },
  GenerateDataKeyWithoutPlaintext: { KeyId: KEY, CiphertextBlob: Buffer.from('cipher') },
};

const caller = {
  async call(service: string, operation: string, input: Record<string, unknown>, options?: CallOptions) {
    expect(service).toBe('kms');
    calls.push({ operation, input, options });
    if (failure) throw failure;
    return ANSWERS[operation];
  },
} as unknown as KeyCaller;

const key = new CustomerKey({ service: 'notes', context: (note: string) => ({ 'aws:notes:arn': note }) });
const EncryptionContext = { 'aws:notes:arn': 'note-1' };
const dataKey = Buffer.from('cipher').toString('base64');

beforeEach(() => {
  calls = [];
  failure = undefined;
});

test('creates a data key as the caller, with the encryption context', async () => {
  expect(await key.newDataKey('alias/mine', 'note-1', caller)).toEqual({
    keyArn: KEY,
    dataKey,
    plaintext: Buffer.from('plain'),
  });
  expect(calls).toEqual([
    {
      operation: 'GenerateDataKey',
      input: { KeyId: 'alias/mine', KeySpec: 'AES_256', EncryptionContext },
      options: { authorize: {} },
    },
  ]);
});

test('a wrapped data key has no plaintext', async () => {
  expect(await key.newWrappedDataKey(KEY, 'note-1', caller)).toEqual({ keyArn: KEY, dataKey });
  expect(calls[0]!.operation).toBe('GenerateDataKeyWithoutPlaintext');
});

test('encrypts and decrypts texts with the key itself', async () => {
  expect(await key.encrypt(KEY, Buffer.from('plain'), 'note-1', caller)).toBe(dataKey);
  expect(await key.decrypt({ dataKey }, 'note-1', caller)).toEqual(Buffer.from('plain'));
  expect(calls.map(({ operation, input }) => [operation, input])).toEqual([
    ['Encrypt', { KeyId: KEY, Plaintext: Buffer.from('plain'), EncryptionContext }],
    ['Decrypt', { CiphertextBlob: Buffer.from('cipher'), EncryptionContext }],
  ]);
});

test('a decryption may name the key and the role', async () => {
  const principal = { type: 'assumed-role', accountId: '123456789012', arn: 'role', userId: 'role' } as const;
  await key.decrypt({ dataKey, under: KEY }, 'note-1', caller, { principal, authorize: {} });
  expect(calls).toEqual([
    {
      operation: 'Decrypt',
      input: { KeyId: KEY, CiphertextBlob: Buffer.from('cipher'), EncryptionContext },
      options: { principal, authorize: {} },
    },
  ]);
});

test('the rules determine caller and place of calls to KMS', async () => {
  const placed = new CustomerKey({
    service: 'notes',
    callOptions: (sourceArn: string) => ({ region: 'eu-west-1', authorize: { sourceArn } }),
  });
  await placed.newDataKey(KEY, 'note-1', caller);
  expect(calls).toEqual([
    {
      operation: 'GenerateDataKey',
      input: { KeyId: KEY, KeySpec: 'AES_256' },
      options: { region: 'eu-west-1', authorize: { sourceArn: 'note-1' } },
    },
  ]);
});

test('a description needs no permission, and a grant names the principal of the service', async () => {
  expect(await key.describe(KEY, 'note-1', caller)).toEqual({ Arn: KEY, KeyState: 'Enabled' });
  await key.grant(KEY, ['Decrypt'], 'note-1', caller);
  expect(calls).toEqual([
    { operation: 'DescribeKey', input: { KeyId: KEY }, options: undefined },
    {
      operation: 'CreateGrant',
      input: { KeyId: KEY, GranteePrincipal: 'notes.amazonaws.com', Operations: ['Decrypt'] },
      options: { authorize: {} },
    },
  ]);
});

test('recognises the AWS managed key by its alias', () => {
  expect(key.managedAlias).toBe('alias/aws/notes');
  expect(key.isManaged('alias/aws/notes')).toBe(true);
  expect(key.isManaged('arn:aws:kms:eu-west-1:123456789012:alias/aws/notes')).toBe(true);
  expect(key.isManaged('alias/aws/notes2')).toBe(false);
  expect(key.isManaged('my-alias/aws/notes')).toBe(false);
});

test("converts rejections to the service's errors, by request", async () => {
  const strict = new CustomerKey({
    service: 'notes',
    refuse: ({ message }: AwsError, { purpose, subject }: { purpose: string; subject: string }) =>
      purpose === 'encrypt' ? awsError('BadKey', `${subject}: ${message}`) : undefined,
  });
  failure = awsError('DisabledException', 'The key is disabled.');
  await expect(strict.newDataKey(KEY, 'note-1', caller)).rejects.toMatchObject({
    code: 'BadKey',
    message: 'note-1: The key is disabled.',
  });
  await expect(strict.decrypt({ dataKey }, 'note-1', caller)).rejects.toBe(failure);
});

test('does not convert a missing KMS and defects', async () => {
  const strict = new CustomerKey<string>({ service: 'notes', refuse: () => awsError('BadKey', 'refused') });
  for (failure of [notImplemented('kms'), new TypeError('defect')])
    await expect(strict.newDataKey(KEY, 'note-1', caller)).rejects.toBe(failure);
});

test('renames known codes and keeps unknown ones', async () => {
  const renaming = new CustomerKey<string>({ service: 'notes', refuse: prefixRefusals });
  failure = awsError('InvalidKeyUsageException', 'Wrong usage.');
  await expect(renaming.newDataKey(KEY, 'note-1', caller)).rejects.toMatchObject({
    code: 'KMSInvalidStateException',
    message: 'Wrong usage.',
  });
  failure = awsError('LimitExceededException', 'Too many.');
  await expect(renaming.newDataKey(KEY, 'note-1', caller)).rejects.toBe(failure);
});

test('calls KMS once per user and period, and again for another key', async () => {
  const uses = new KeyUses();
  const owner = {};
  let now = 0;
  let asked = 0;
  const use = (user: string, keyId = KEY) =>
    uses.once({ owner, keyId, user, period: 1000 }, { now: () => now }, async () => {
      asked += 1;
    });
  await use('jane');
  expect(use('jane')).toBeUndefined();
  await use('joe');
  expect(asked).toBe(2);
  now = 1000;
  await use('jane');
  expect(asked).toBe(3);
  await use('jane', 'other');
  await use('jane');
  expect(asked).toBe(5);
  uses.discard(owner);
  await use('jane');
  expect(asked).toBe(6);
});

test('calls KMS again after a rejected use', async () => {
  const uses = new KeyUses();
  const use = { owner: {}, keyId: KEY, user: 'jane', period: 1000 };
  const clock = { now: () => 0 };
  await expect(uses.once(use, clock, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(uses.once(use, clock, () => Promise.resolve())).toBeInstanceOf(Promise);
});

test('limits the number of stored users', async () => {
  const uses = new KeyUses();
  const owner = {};
  const clock = { now: () => 0 };
  let asked = 0;
  const use = (user: number) =>
    uses.once({ owner, keyId: KEY, user: String(user), period: 1000 }, clock, async () => {
      asked += 1;
    });
  for (let user = 0; user <= 1000; user++) await use(user);
  expect(use(1000)).toBeUndefined();
  await use(0);
  expect(asked).toBe(1002);
});

test('only its data key opens a sealed text', () => {
  const [one, other] = [randomBytes(32), randomBytes(32)];
  const sealed = sealText(one, 'grüße');
  expect(sealed.includes('gr')).toBe(false);
  expect(unsealText(one, sealed)).toBe('grüße');
  expect(() => unsealText(other, sealed)).toThrow();
  sealed[sealed.length - 1]! ^= 1;
  expect(() => unsealText(one, sealed)).toThrow();
});
