import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, failureOf, type KmsTest, startKms } from './support.ts';

let t: KmsTest;
let KeyId: string;
beforeAll(async () => {
  t = await startKms();
  ({ KeyId } = await t.key());
});
afterAll(() => t[Symbol.asyncDispose]());

const ROOT = `arn:aws:iam::${ACCOUNT}:root`;
const STATEMENT = { Effect: 'Allow', Principal: { AWS: ROOT }, Action: 'kms:*', Resource: '*' };
const policy = (statement: object = {}, more: object = {}): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ ...STATEMENT, ...statement }], ...more });
const put = (Policy: string, BypassPolicyLockoutSafetyCheck?: boolean) =>
  t.kms.putKeyPolicy({ KeyId, Policy, BypassPolicyLockoutSafetyCheck });

const NO_STATEMENT = 'Policy contains no valid statements.';
const NO_EFFECT = 'Policy contains a statement with no valid Effect.';
const NO_PRINCIPAL = 'Policy contains a statement with no principal.';
const CONDITION = 'Policy contains a statement with an invalid condition.';
// Reported by users. The other messages are emu's own.
const PRINCIPALS = 'Policy contains a statement with one or more invalid principals.';
const LOCKOUT = 'The new key policy will not allow you to update the key policy in the future.';

test.each<[string, string]>([
  ['{', 'The new key policy is not valid JSON.'],
  ['[]', NO_STATEMENT],
  ['{"Statement":[]}', NO_STATEMENT],
  [policy({}, { Version: '2020-01-01' }), 'Policy contains no valid version.'],
  [policy({ Principle: '*' }), 'Policy contains the unknown element Principle.'],
  ['{"Statement":[],"Statement":[]}', 'Policy contains Statement more than once in the same object.'],
  [
    policy(
      {},
      {
        Statement: [
          { ...STATEMENT, Sid: 'a' },
          { ...STATEMENT, Sid: 'a' },
        ],
      },
    ),
    'Policy contains statements with the same Sid.',
  ],
  [policy({ Effect: 'allow' }), NO_EFFECT],
  [policy({ Effect: undefined }), NO_EFFECT],
  [policy({ Principal: undefined }), NO_PRINCIPAL],
  [policy({ Principal: {} }), NO_PRINCIPAL],
  [policy({ Principal: { AWS: 'jane' } }), PRINCIPALS],
  [policy({ Principal: { AWS: `arn:aws:iam::${ACCOUNT}:group/staff` } }), PRINCIPALS],
  [policy({ Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/*` } }), PRINCIPALS],
  [policy({ Principal: { Federated: 'accounts.google.com' } }), PRINCIPALS],
  [policy({ Action: 's3:*' }), 'Policy contains a statement with one or more invalid actions.'],
  [policy({ Resource: 'key' }), 'Policy contains a statement with one or more invalid resources.'],
  [policy({ Condition: { Bool: 'true' } }), CONDITION],
  [policy({ Condition: { Booleans: { a: 'true' } } }), CONDITION],
  [policy({ Principal: { AWS: '999999999999' } }), LOCKOUT],
  [policy({ Condition: { StringEquals: { 'kms:ViaService': 's3.us-east-1.amazonaws.com' } } }), LOCKOUT],
  [policy({ Condition: { StringNotEquals: { 'kms:CallerAccount': ACCOUNT } } }), LOCKOUT],
  [
    policy(
      {},
      {
        Statement: [STATEMENT, { ...STATEMENT, Effect: 'Deny', Condition: { ArnLike: { 'aws:PrincipalArn': ROOT } } }],
      },
    ),
    LOCKOUT,
  ],
  [policy({ Effect: 'Deny' }), LOCKOUT],
  [policy({ Action: 'kms:Get*' }), LOCKOUT],
  [policy({ Action: undefined, NotAction: 'kms:Put*' }), LOCKOUT],
  [policy({ Action: undefined }), LOCKOUT],
  [policy({ Resource: undefined }), LOCKOUT],
  [policy({ Principal: { Service: 'sns.amazonaws.com' } }), LOCKOUT],
])('rejects %s', async (document, message) => {
  const refusal = `MalformedPolicyDocumentException: ${message}`;
  expect(await failureOf(put(document))).toBe(refusal);
  expect(await failureOf(t.kms.createKey({ Policy: document }))).toBe(refusal);
});

// https://docs.aws.amazon.com/kms/latest/APIReference/API_PutKeyPolicy.html
test('limits a policy to 32,768 bytes', async () => {
  const sized = (bytes: number): string => policy({ Sid: 'x'.repeat(bytes - policy({ Sid: '' }).length) });
  await put(sized(32_768));
  expect(await failureOf(put(sized(32_769)))).toBe(
    'LimitExceededException: The key policy exceeds the limit of 32768 bytes.',
  );
});

test.each<[string]>([
  [policy({}, { Statement: [STATEMENT, { ...STATEMENT, Action: undefined }, { ...STATEMENT, Resource: undefined }] })],
  [policy({ Principal: '*', Action: ['kms:Put*', 'kms:?ncrypt'] })],
  [policy({ Principal: { AWS: ACCOUNT, Service: 'sns.amazonaws.com' }, Action: '*' })],
  [policy({ Action: undefined, NotAction: 'kms:Decrypt' })],
  [policy({ Condition: { StringEquals: { 'kms:CallerAccount': ACCOUNT } } })],
])('accepts %s', async (document) => {
  await put(document);
  expect((await t.kms.getKeyPolicy({ KeyId })).Policy).toBe(document);
});

test('BypassPolicyLockoutSafetyCheck allows a policy that locks the caller out', async () => {
  await put(policy({ Principal: { AWS: '999999999999' } }), true);
  expect(await failureOf(put('{', true))).toContain('MalformedPolicyDocumentException');
});
