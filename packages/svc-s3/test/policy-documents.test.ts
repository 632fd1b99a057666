import { CreateBucketCommand, GetBucketPolicyCommand, PutBucketPolicyCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, s3Emulator } from './helpers.ts';

let env: Awaited<ReturnType<typeof s3Emulator>>;
const Bucket = 'policies';
beforeAll(async () => {
  env = await s3Emulator();
  await env.s3.send(new CreateBucketCommand({ Bucket }));
});
afterAll(() => env[Symbol.asyncDispose]());

const BUCKET = `arn:aws:s3:::${Bucket}`;
const OBJECTS = `${BUCKET}/*`;
const STATEMENT = { Effect: 'Allow', Principal: { AWS: '123456789012' }, Action: 's3:GetObject', Resource: OBJECTS };
const policy = (statement: object = {}, more: object = {}): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ ...STATEMENT, ...statement }], ...more });
const put = (Policy: string) => env.s3.send(new PutBucketPolicyCommand({ Bucket, Policy }));

// As recorded.
const FIRST_BYTE = "Policies must be valid JSON and the first byte must be '{'";
const NO_STATEMENT = 'Missing required field Statement';
// The others were reported by users.
const SYNTAX = 'Invalid policy syntax.';
const PRINCIPAL = 'Invalid principal in policy';
const ACTION = 'Policy has invalid action';
const RESOURCE = 'Policy has invalid resource';
const MISMATCH = 'Action does not apply to any resource(s) in statement';

test.each<[string, string]>([
  ['[]', FIRST_BYTE],
  ['text', FIRST_BYTE],
  ['{"Statement":', 'This policy contains invalid Json'],
  ['{}', NO_STATEMENT],
  ['{"Statement":[]}', 'Could not parse the policy: Statement is empty!'],
  ['{"Statement":["a"]}', SYNTAX],
  [policy({}, { Version: '2020-01-01' }), 'The policy must contain a valid version string'],
  [policy({ Principle: '*' }), 'Unknown field Principle'],
  [policy({ Effect: undefined }), 'Missing required field Effect'],
  [policy({ Effect: 'hello' }), 'Invalid effect: hello'],
  [policy({ Effect: 'allow' }), 'Invalid effect: allow'],
  [policy({ Principal: undefined }), 'Missing required field Principal'],
  [policy({ Principal: {} }), 'Missing required field Principal cannot be empty!'],
  [policy({ Principal: 'jane' }), SYNTAX],
  [policy({ Principal: undefined, NotPrincipal: { AWS: '123456789012' } }), SYNTAX],
  [policy({ Principal: { AWS: 'jane' } }), PRINCIPAL],
  [policy({ Principal: { AWS: 'arn:aws:iam::123456789012:user/*' } }), PRINCIPAL],
  [policy({ Principal: { CanonicalUser: 'short' } }), PRINCIPAL],
  [policy({ Principal: { Service: 'cloudfront' } }), PRINCIPAL],
  [policy({ Action: undefined }), 'Missing required field Action'],
  [policy({ Action: 'sqs:SendMessage' }), ACTION],
  [policy({ Action: 's3:GetObjects' }), ACTION],
  [policy({ Action: ['s3:GetObject', 1] }), ACTION],
  [policy({ Resource: undefined }), 'Missing required field Resource'],
  [policy({ Resource: '*' }), RESOURCE],
  [policy({ Resource: 'arn:aws:s3:::other/*' }), RESOURCE],
  [policy({ Resource: 1 }), RESOURCE],
  [policy({ Resource: BUCKET }), MISMATCH],
  [policy({ Action: 's3:ListBucket' }), MISMATCH],
  [policy({ Action: ['s3:GetObject', 's3:ListBucket'] }), MISMATCH],
  [policy({ Action: 's3:ListAllMyBuckets', Resource: [BUCKET, OBJECTS] }), MISMATCH],
  [policy({ Condition: { StringEqual: { 'aws:username': 'a' } } }), 'Invalid Condition type : StringEqual'],
  [policy({ Condition: { StringEquals: { username: 'a' } } }), 'Policy has an invalid condition key'],
  [policy({ Condition: { StringEquals: 'a' } }), SYNTAX],
])('rejects %s', async (document, message) => {
  expect(await refusalOf(put(document))).toBe(`MalformedPolicy: ${message}`);
});

test('limits a policy to 20,480 bytes', async () => {
  const sized = (bytes: number): string => policy({ Sid: 'x'.repeat(bytes - policy({ Sid: '' }).length) });
  await put(sized(20_480));
  expect(await refusalOf(put(sized(20_481)))).toBe(
    'PolicyTooLarge: Your policy exceeds the maximum allowed document size.',
  );
});

test.each<[string]>([
  [policy({ Action: ['s3:GetObject', 's3:ListBucket'], Resource: [BUCKET, OBJECTS] })],
  [policy({ Action: 's3:*' })],
  [policy({ Effect: 'Deny', Principal: undefined, NotPrincipal: { AWS: '123456789012' } })],
  [policy({ Action: 's3:*', Resource: BUCKET })],
  [policy({ Action: ['s3:Get*', 'S3:listbucket'], Resource: `${BUCKET}*` })],
  [policy({ Action: undefined, NotAction: 's3:ListBucket' })],
  [policy({ Principal: { CanonicalUser: 'a1'.repeat(32) } })],
  [policy({ Principal: { AWS: 'arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity E1EXAMPLE' } })],
  [
    policy({
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Condition: { StringEquals: { 'AWS:SourceArn': 'arn:aws:cloudfront::123456789012:distribution/E1' } },
    }),
  ],
])('stores %s unchanged', async (document) => {
  await put(document);
  expect((await env.s3.send(new GetBucketPolicyCommand({ Bucket }))).Policy).toBe(document);
});
