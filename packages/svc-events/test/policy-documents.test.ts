import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, arn, type EventsTest, failureOf, startEvents } from './support.ts';

let run: EventsTest;
beforeAll(async () => {
  run = await startEvents();
  // The default bus is created on its first use.
  await run.events.describeEventBus({});
});
afterAll(() => run[Symbol.asyncDispose]());

const STATEMENT = {
  Sid: 'a',
  Effect: 'Allow',
  Principal: { AWS: ACCOUNT },
  Action: 'events:PutEvents',
  Resource: arn('event-bus/default'),
};
const policy = (statement: object = {}, more: object = {}): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ ...STATEMENT, ...statement }], ...more });

// Reasons are emu's own wording.
const INCOMPLETE = 'It has a statement that is not complete.';

test.each<[string, string]>([
  ['{', 'It is not valid JSON.'],
  ['{}', 'It has no statement.'],
  ['{"Statement":[]}', 'It has no statement.'],
  [policy({}, { Version: '2020-01-01' }), 'It has an invalid version.'],
  [policy({ Principle: '*' }), 'It has the unknown element Principle.'],
  [policy({}, { Statement: [STATEMENT, STATEMENT] }), 'It has more than one statement with the id a.'],
  [policy({ Effect: 'allow' }), 'It has a statement with an invalid effect.'],
  [policy({ Effect: undefined }), INCOMPLETE],
  [policy({ Principal: undefined }), INCOMPLETE],
  [policy({ Action: undefined }), INCOMPLETE],
  [policy({ Resource: undefined }), INCOMPLETE],
  [policy({ Principal: { AWS: 'jane' } }), 'It has the invalid principal jane.'],
  [policy({ Principal: 'jane' }), 'It has the invalid principal jane.'],
  [policy({ Action: 'sqs:SendMessage' }), 'It has the invalid action sqs:SendMessage.'],
  [policy({ Resource: 'arn:aws:sqs:a:b:c' }), 'It has the invalid resource arn:aws:sqs:a:b:c.'],
  [policy({ Condition: { Bool: 1 } }), 'It has an invalid condition.'],
  [policy({ Condition: { Booleans: { a: 1 } } }), 'It has the unknown condition operator Booleans.'],
])('rejects %s', async (Policy, reason) => {
  expect(await failureOf(run.events.putPermission({ Policy }))).toBe(
    `ValidationException: Parameter Policy is not valid. Reason: ${reason}`,
  );
});

test('limits a policy to 10,240 bytes', async () => {
  const sized = (bytes: number): string => policy({ Sid: 'x'.repeat(bytes - policy({ Sid: '' }).length) });
  await run.events.putPermission({ Policy: sized(10_240) });
  const tooLong = 'PolicyLengthExceededException: The policy of the event bus is too long.';
  expect(await failureOf(run.events.putPermission({ Policy: sized(10_241) }))).toBe(tooLong);
  const one = { Action: 'events:PutEvents', StatementId: 'one', Principal: ACCOUNT };
  expect(await failureOf(run.events.putPermission(one))).toBe(tooLong);
});

test.each<[string]>([
  [policy({ Sid: undefined, Principal: '*', Action: ['events:PutRule', 'events:*'], Resource: arn('rule/default/*') })],
  [policy({ Principal: { Service: 'lambda.amazonaws.com' }, Action: '*', Resource: '*' })],
])('stores %s unchanged', async (Policy) => {
  await run.events.putPermission({ Policy });
  expect((await run.events.describeEventBus({})).Policy).toBe(Policy);
});
