import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, failureOf, type SqsTest, startSqs } from './support.ts';

let t: SqsTest;
let QueueUrl: string;
beforeAll(async () => {
  t = await startSqs();
  QueueUrl = await t.queue('q');
});
afterAll(() => t[Symbol.asyncDispose]());

const ARN = `arn:aws:sqs:us-east-1:${ACCOUNT}:q`;
const STATEMENT = { Effect: 'Allow', Principal: '*', Action: 'sqs:SendMessage', Resource: ARN };
const policy = (statement: object = {}, more: object = {}): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ ...STATEMENT, ...statement }], ...more });
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const accounts = (count: number): string[] => many(count, (index) => String(index).padStart(12, '0'));

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html
test.each<[string, string]>([
  ['no JSON', '{'],
  ['no object', '[]'],
  ['no statement', '{}'],
  ['no statements', '{"Statement":[]}'],
  ['an unknown version', policy({}, { Version: '2020-01-01' })],
  ['an unknown element', policy({ Principle: '*' })],
  ['no effect', policy({ Effect: undefined })],
  ['an effect in lower case', policy({ Effect: 'allow' })],
  ['no principal', policy({ Principal: undefined })],
  ['an invalid principal', policy({ Principal: { AWS: 'jane' } })],
  ['a principal with a wildcard', policy({ Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/*` } })],
  ['an invalid service', policy({ Principal: { Service: 'sns' } })],
  ['an unknown type of principal', policy({ Principal: { CanonicalUser: 'a'.repeat(64) } })],
  ['no action', policy({ Action: undefined })],
  ['an action of another service', policy({ Action: 's3:GetObject' })],
  ['an unknown action', policy({ Action: 'sqs:SendMessages' })],
  ['an action that does not concern queues', policy({ Action: 'sqs:ListQueues' })],
  ['no resource', policy({ Resource: undefined })],
  ['a resource that is not an ARN', policy({ Resource: 'q' })],
  ['two resources', policy({ Resource: [ARN, '*'] })],
  ['an unknown operator', policy({ Condition: { StringEqual: { 'aws:username': 'a' } } })],
  [
    'two statements with one id',
    policy({}, { Statement: [STATEMENT, STATEMENT].map((one) => ({ ...one, Sid: 'one' })) }),
  ],
])('%s is an invalid value', async (_what, Policy) => {
  const set = t.sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy } });
  expect(await failureOf(set)).toMatchObject({
    code: 'InvalidAttributeValue',
    message: 'Invalid value for the parameter Policy.',
    status: 400,
  });
  const create = t.sqs.createQueue({ QueueName: 'new', Attributes: { Policy } });
  expect(await failureOf(create)).toMatchObject({ code: 'InvalidAttributeValue' });
});

// Messages: https://github.com/ministryofjustice/cloud-platform-environments/pull/9082 (actions),
// https://github.com/BishopFox/cloudfoxable/issues/29 (size), https://github.com/dapr/components-contrib/issues/1780
test.each<[string, string]>([
  [policy({ Sid: 'x'.repeat(8192) }), 'Submitted policy is over max allowed size.'],
  [
    policy({}, { Statement: many(21, () => STATEMENT) }),
    '21 statements were found in the submitted policy, max allowed is 20',
  ],
  [
    policy({ Action: many(8, () => 'sqs:SendMessage') }),
    '8 actions were found in a statement from the submitted policy, max allowed is 7',
  ],
  [policy({ Principal: { AWS: accounts(51) } }), '51 principals were found in the submitted policy, max allowed is 50'],
  [
    policy({ Condition: { StringEquals: Object.fromEntries(many(11, (index) => [`aws:RequestTag/${index}`, 'a'])) } }),
    '11 conditions were found in the submitted policy, max allowed is 10',
  ],
])('rejects exceeded limits: %#', async (Policy, message) => {
  const set = t.sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy } });
  expect(await failureOf(set)).toMatchObject({ code: 'OverLimit', message, status: 403 });
});

test.each<[string]>([
  // AWS's own documentation denies owner actions, in "Least-privilege policies for Amazon SQS".
  [
    policy({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['sqs:AddPermission', 'sqs:DeleteQueue', 'sqs:RemovePermission', 'sqs:SetQueueAttributes'],
      Condition: { StringNotLike: { 'aws:PrincipalARN': `arn:aws:iam::${ACCOUNT}:role/admin` } },
    }),
  ],
  [policy({ Principal: { AWS: accounts(50) } })],
  [policy({ Sid: 'any thing' }, { Version: undefined })],
  [policy({ Action: 'SQS:*', Resource: '*' })],
  [policy({ Action: ['sqs:sendmessage', 'sqs:Get*', '*'] })],
  [policy({ Principal: undefined, NotPrincipal: { Service: 's3.amazonaws.com' }, Effect: 'Deny' })],
  [policy({ Condition: { 'ForAllValues:ArnLikeIfExists': { 'aws:SourceArn': 'arn:aws:s3:::*' } } })],
])('stores %s unchanged', async (Policy) => {
  await t.sqs.setQueueAttributes({ QueueUrl, Attributes: { Policy } });
  const { Attributes } = await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['Policy'] });
  expect(Attributes).toEqual({ Policy });
});
