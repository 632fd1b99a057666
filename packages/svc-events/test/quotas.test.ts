import { enforceQuota } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, REGION, startEvents } from './support.ts';

const LIMIT = 'LimitExceededException: The requested resource exceeds the maximum number allowed.';
const EventPattern = '{"source":["a"]}';
const queue = (name: string) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;

describe('numbers', () => {
  test('of rules apply to each bus, and an existing rule can be put again', async () => {
    await using t = await startEvents();
    await t.events.createEventBus({ Name: 'other' });
    await enforceQuota(t.emulator, 'events/L-244521F2', 1);
    const put = (Name: string, EventBusName?: string) => t.events.putRule({ Name, EventPattern, EventBusName });
    await put('one');
    expect(await failureOf(put('two'))).toBe(LIMIT);
    await put('one');
    await put('two', 'other');
    await t.events.deleteRule({ Name: 'one' });
    await put('two');
  });

  test('of targets apply to each rule', async () => {
    await using t = await startEvents();
    await t.events.putRule({ Name: 'r', EventPattern });
    await enforceQuota(t.emulator, 'events/L-388D1D08');
    const put = (...ids: number[]) =>
      t.events.putTargets({ Rule: 'r', Targets: ids.map((id) => ({ Id: `t${id}`, Arn: queue('q') })) });
    await put(1, 2, 3, 4, 5);
    expect(await failureOf(put(6))).toBe(LIMIT);
    await put(1, 5);
    await t.events.removeTargets({ Rule: 'r', Ids: ['t1'] });
    await put(6);
  });

  test('of buses and API destinations apply to the account', async () => {
    await using t = await startEvents();
    await t.events.describeEventBus({});
    await enforceQuota(t.emulator, 'events/L-658A4FD9', 2);
    await t.events.createEventBus({ Name: 'one' });
    expect(await failureOf(t.events.createEventBus({ Name: 'two' }))).toBe(LIMIT);
    expect(await failureOf(t.events.createEventBus({ Name: 'one' }))).toContain('ResourceAlreadyExistsException');
  });
});

test('PutEvents has its own rate, other operations share one', async () => {
  await using t = await startEvents();
  await enforceQuota(t.emulator, 'events/L-9B653E91', 1);
  await enforceQuota(t.emulator, 'events/L-3C47459F', 2);
  await t.put({});
  const throttled = 'ThrottlingException: Rate exceeded';
  const Entries = [{ Source: 'a', DetailType: 'b', Detail: '{}' }];
  expect(await failureOf(t.events.putEvents({ Entries }))).toBe(throttled);
  await t.events.listRules({});
  await t.events.listEventBuses({});
  expect(await failureOf(t.events.listRules({}))).toBe(throttled);
  await t.advance(1000);
  await t.put({});
});
