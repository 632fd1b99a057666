import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, failureOf, type SnsTest, startSns } from './support.ts';

let t: SnsTest;
let TopicArn: string;
beforeAll(async () => {
  t = await startSns();
  TopicArn = await t.topic('t');
});
afterAll(() => t[Symbol.asyncDispose]());

const ARN = `arn:aws:sns:us-east-1:${ACCOUNT}:t`;
const STATEMENT = { Effect: 'Allow', Principal: '*', Action: 'sns:Publish', Resource: ARN };
const policy = (statement: object = {}, more: object = {}): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ ...STATEMENT, ...statement }], ...more });
const sids = (...given: (string | undefined)[]): string =>
  policy({}, { Statement: given.map((Sid) => ({ ...STATEMENT, Sid })) });
const set = (AttributeValue: string) => t.sns.setTopicAttributes({ TopicArn, AttributeName: 'Policy', AttributeValue });

const UNREADABLE = 'Policy Error: null';
const NOBODY = 'Policy Error: PrincipalNotFound';
// Recorded.
const OUT_OF_SCOPE = 'Policy statement action out of service scope!';
// Other messages are reported by users.
const NOT_UNIQUE = 'Every policy statement must have a unique ID.';

test.each<[string, string, string]>([
  ['no JSON', '{', UNREADABLE],
  ['no object', '[]', UNREADABLE],
  ['no statements', '{"Statement":[]}', UNREADABLE],
  ['an unknown version', policy({}, { Version: '2020-01-01' }), UNREADABLE],
  ['an unknown element', policy({ Principle: '*' }), UNREADABLE],
  ['no principal', policy({ Principal: undefined }), UNREADABLE],
  ['no action', policy({ Action: undefined }), UNREADABLE],
  ['no resource', policy({ Resource: undefined }), UNREADABLE],
  ['an unknown operator', policy({ Condition: { StringLikes: { 'aws:username': 'a' } } }), UNREADABLE],
  ['an invalid principal', policy({ Principal: { AWS: 'arn:aws:iam::123:root' } }), NOBODY],
  ['an invalid service principal', policy({ Principal: { Service: 'sqs' } }), NOBODY],
  ['an action of another service', policy({ Action: 'sqs:SendMessage' }), OUT_OF_SCOPE],
  ['an unknown action', policy({ Action: 'sns:PublishAll' }), OUT_OF_SCOPE],
  ['an action without a topic', policy({ Action: 'sns:CreateTopic' }), OUT_OF_SCOPE],
  ['two statements with the same id', sids('a', 'a'), NOT_UNIQUE],
  ['two statements without an id', sids(undefined, undefined), NOT_UNIQUE],
  ['two resources', policy({ Resource: [ARN, '*'] }), 'Policy statement must apply to a single resource!'],
  ['more than 30,720 bytes', policy({ Sid: 'x'.repeat(30_720) }), 'Policy too large'],
])('rejects %s', async (_what, Policy, message) => {
  const code = 'InvalidParameter';
  expect(await failureOf(set(Policy))).toMatchObject({ code, message: `Invalid parameter: ${message}`, status: 400 });
  const create = t.sns.createTopic({ Name: 'new', Attributes: { Policy } });
  expect(await failureOf(create)).toMatchObject({ code, message: `Invalid parameter: Attributes Reason: ${message}` });
});

test.each<[string]>([
  [sids('a', undefined, 'b')],
  [policy({ Action: ['SNS:publish', 'sns:Get*', '*'], Resource: '*' })],
  [policy({ Principal: { AWS: ['000000000001', `arn:aws:iam::${ACCOUNT}:root`], Service: 's3.amazonaws.com' } })],
])('stores %s unchanged', async (Policy) => {
  await set(Policy);
  expect((await t.sns.getTopicAttributes({ TopicArn })).Attributes!.Policy).toBe(Policy);
});
