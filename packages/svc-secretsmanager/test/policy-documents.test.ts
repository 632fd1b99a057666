import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, failureOf, type SecretsTest, startSecrets } from './support.ts';

let t: SecretsTest;
beforeAll(async () => {
  t = await startSecrets();
  await t.secrets.createSecret({ Name: 's' });
});
afterAll(() => t[Symbol.asyncDispose]());

const STATEMENT = {
  Effect: 'Allow',
  Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` },
  Action: 'secretsmanager:GetSecretValue',
  Resource: '*',
};
const policy = (statement: object = {}, more: object = {}): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ ...STATEMENT, ...statement }], ...more });
const put = (ResourcePolicy: string, BlockPublicPolicy?: boolean) =>
  t.secrets.putResourcePolicy({ SecretId: 's', ResourcePolicy, BlockPublicPolicy });

// Reported by users.
const SYNTAX = 'This resource policy contains a syntax error.';
const PRINCIPAL = 'This resource policy contains an unsupported principal.';

test.each<[string, string]>([
  ['{', SYNTAX],
  ['[]', SYNTAX],
  ['{}', SYNTAX],
  ['{"Statement":[]}', SYNTAX],
  [policy({}, { Version: '2019-10-19' }), SYNTAX],
  [policy({ Principle: '*' }), SYNTAX],
  [policy({ Effect: 'Permit' }), SYNTAX],
  [policy({ Principal: undefined }), SYNTAX],
  [policy({ Action: undefined }), SYNTAX],
  [policy({ Resource: [] }), SYNTAX],
  [policy({ Condition: { StringLikes: { a: 'b' } } }), SYNTAX],
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
    SYNTAX,
  ],
  [policy({ Principal: 'jane' }), PRINCIPAL],
  [policy({ Principal: { AWS: 'ABCDEFGHIJKLMNOPQRSTU' } }), PRINCIPAL],
  [policy({ Principal: { Service: 'lambda' } }), PRINCIPAL],
  [policy({ Action: 's3:GetObject' }), 'This resource policy contains an unsupported action.'],
  [policy({ Resource: 's' }), 'This resource policy contains an unsupported resource.'],
])('rejects %s', async (document, message) => {
  expect(await failureOf(put(document))).toBe(`MalformedPolicyDocumentException: ${message}`);
  const { PolicyValidationPassed, ValidationErrors } = await t.secrets.validateResourcePolicy({
    ResourcePolicy: document,
  });
  expect([PolicyValidationPassed, ValidationErrors]).toEqual([
    false,
    [{ CheckName: 'POLICY_SYNTAX', ErrorMessage: message }],
  ]);
});

test('limits a policy to 20,480 characters', async () => {
  const sized = (length: number): string => policy({ Sid: 'x'.repeat(length - policy({ Sid: '' }).length) });
  await put(sized(20_480));
  expect(await failureOf(put(sized(20_481)))).toMatch(/^ValidationException: .*less than or equal to 20480/);
});

test('accepts a public policy unless it is blocked', async () => {
  const open = policy({ Principal: '*', Action: 'secretsmanager:*' });
  await put(open);
  expect(await failureOf(put(open, true))).toMatch(/^PublicPolicyException: /);
  await put(policy({ Principal: '*', Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } } }), true);
});
