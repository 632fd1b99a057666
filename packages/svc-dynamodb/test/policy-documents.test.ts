import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTable, startDynamo } from './support.ts';

let t: Awaited<ReturnType<typeof startDynamo>>;
let ResourceArn: string;
beforeAll(async () => {
  t = await startDynamo();
  await makeTable(t, 'mine');
  ResourceArn = (await t.db.describeTable({ TableName: 'mine' })).Table!.TableArn!;
});
afterAll(() => t[Symbol.asyncDispose]());

const STATEMENT = { Effect: 'Allow', Principal: '*', Action: 'dynamodb:GetItem', Resource: '*' };
const policy = (statement: object = {}, more: object = {}): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ ...STATEMENT, ...statement }], ...more });
const WRONG = 'One or more parameter values were invalid:';
const INVALID = `${WRONG} Invalid policy document:`;

it.each<[string, string]>([
  ['{', `${INVALID} This policy contains invalid Json`],
  ['[]', `${INVALID} Invalid policy syntax.`],
  ['{}', `${INVALID} Could not parse the policy: Statement is empty!`],
  [policy({ Effect: undefined }), `${INVALID} Missing required field Effect`],
  [policy({ Principal: undefined }), `${INVALID} Missing required field Principal`],
  [policy({ Action: undefined }), `${INVALID} Missing required field Action`],
  [policy({ Resource: undefined }), `${INVALID} Missing required field Resource`],
  [policy({ Principle: '*' }), `${INVALID} Invalid policy syntax.`],
  // From user reports.
  [policy({ Principal: { AWS: 'jane' } }), `${WRONG} Invalid principal in policy document.`],
  [policy({ Principal: { Service: 'me' } }), `${INVALID} Policy contains invalid service principal`],
  [
    policy({ Action: ['dynamodb:ListStreams', 'dynamodb:GetItem', 's3:*'] }),
    `${INVALID} The following action names are invalid: "dynamodb:ListStreams", "s3:*"`,
  ],
  [policy({ Sid: 'x'.repeat(20_480) }), `${WRONG} Maximum policy size of 20480 bytes exceeded`],
])('rejects %s', async (Policy, message) => {
  expect(await t.refusal('PutResourcePolicy', { ResourceArn, Policy })).toBe(message);
});
