import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf, type IamTest, policy, startIam, trust } from './support.ts';

let t: IamTest;
beforeAll(async () => {
  t = await startIam();
  await t.iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust() });
});
afterAll(() => t[Symbol.asyncDispose]());

const SYNTAX = 'Syntax errors in policy.';
const LEGACY = 'The policy failed legacy parsing';
const SIDS =
  'Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*';

test.each<[string, string]>([
  [policy().replace('"Effect"', '"Effect":"Deny","Effect"'), SYNTAX],
  [policy({ Sid: 1 }), SYNTAX],
  [policy({ Action: [1] }), SYNTAX],
  [policy({ Action: null }), SYNTAX],
  [policy({ Condition: { Bool: { 'aws:SecureTransport': { a: 1 } } } }), SYNTAX],
  [policy({ Condition: { Bool: ['aws:SecureTransport'] } }), SYNTAX],
  [policy({ Condition: { NullIfExists: { 'aws:TokenIssueTime': true } } }), SYNTAX],
  [policy({ NotPrincipal: { AWS: '*' } }), 'Policy document should not specify a principal.'],
  [policy({ Sid: 'a b' }), SIDS],
  [policy({ Effect: 'DENY', Sid: 'a b' }), LEGACY],
  [policy({ Resource: [] }), 'Policy statement must contain resources.'],
])('rejects %s as identity policy', async (PolicyDocument, message) => {
  const refusal = `MalformedPolicyDocument: ${message}`;
  expect(await failureOf(t.iam.createPolicy({ PolicyName: 'p', PolicyDocument }))).toBe(refusal);
  expect(await failureOf(t.iam.putRolePolicy({ RoleName: 'app', PolicyName: 'p', PolicyDocument }))).toBe(refusal);
  // The simulator has one error for invalid policies.
  const simulated = t.iam.simulateCustomPolicy({ PolicyInputList: [PolicyDocument], ActionNames: ['s3:GetObject'] });
  expect(await failureOf(simulated)).toBe(`InvalidInput: ${message}`);
});

const statement = { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' };
const trusting = (change: object): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: { ...statement, ...change } });

test.each<[string, string]>([
  ['[]', SYNTAX],
  ['{"Statement":[]}', 'Missing required field Statement cannot be empty!'],
  [trusting({ NotResource: '*' }), 'Has prohibited field NotResource'],
  [trusting({ Effect: undefined }), 'Missing required field Effect'],
  [trusting({ Action: undefined }), 'Missing required field Action'],
  // emu's own message, like that of principals.
  [trusting({ Action: [] }), 'Missing required field Action cannot be empty!'],
  [trusting({ Principal: {} }), 'Missing required field Principal cannot be empty!'],
  [trusting({ Principal: 'jane' }), 'Invalid principal in policy: "AWS":"jane"'],
  [
    trusting({ Principal: { AWS: 'arn:aws:iam::000000000009:role/*' } }),
    'Invalid principal in policy: "AWS":"arn:aws:iam::000000000009:role/*"',
  ],
  [trusting({ Principal: { CanonicalUser: 'a' } }), 'Invalid principal in policy: "CANONICALUSER":"a"'],
  [
    trusting({ Action: undefined, NotAction: 'sts:AssumeRole' }),
    'AssumeRole policy may only specify STS AssumeRole actions.',
  ],
  [trusting({ Condition: { StringEqual: { 'sts:ExternalId': 'a' } } }), SYNTAX],
  [trusting({ Sid: 'a b' }), SIDS],
])('rejects %s as trust policy', async (document, message) => {
  const refusal = `MalformedPolicyDocument: ${message}`;
  expect(await failureOf(t.iam.createRole({ RoleName: 'new', AssumeRolePolicyDocument: document }))).toBe(refusal);
  expect(await failureOf(t.iam.updateAssumeRolePolicy({ RoleName: 'app', PolicyDocument: document }))).toBe(refusal);
});

test('a trust policy has at most 2048 characters without white space', async () => {
  const sized = (size: number): string => trusting({ Sid: 'x'.repeat(size - trusting({ Sid: '' }).length) });
  const fits = JSON.stringify(JSON.parse(sized(2048)), null, 4);
  await t.iam.updateAssumeRolePolicy({ RoleName: 'app', PolicyDocument: fits });
  expect(await failureOf(t.iam.updateAssumeRolePolicy({ RoleName: 'app', PolicyDocument: sized(2049) }))).toBe(
    'LimitExceeded: Cannot exceed quota for ACLSizePerRole: 2048',
  );
});
