import type { EventBridge } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ACCOUNT, type EventsTest, failureOf, plain, REGION, startEvents } from './support.ts';

const PARTNER = '000000000009';
const NAME = 'aws.partner/shop.example/orders';
const ARN = `arn:aws:events:${REGION}::event-source/${NAME}`;
const TWO_WEEKS = 14 * 86_400_000;

let run: EventsTest;
let partner: EventBridge;
beforeEach(async () => {
  run = await startEvents();
  partner = run.client({ accessKeyId: PARTNER });
});
afterEach(() => run[Symbol.asyncDispose]());

const offer = () => partner.createPartnerEventSource({ Name: NAME, Account: ACCOUNT });
const send = async (n: number, entry: object = {}) => {
  const Entries = [{ Source: NAME, DetailType: 'Order', Detail: JSON.stringify({ n }), ...entry }];
  return (await partner.putPartnerEvents({ Entries })).Entries![0]!;
};
const state = async () => (await run.events.describeEventSource({ Name: NAME })).State;

test('a partner source is pending until its customer creates a bus, which receives its events', async () => {
  expect(plain(await offer())).toEqual({ EventSourceArn: ARN });
  expect(plain(await run.events.describeEventSource({ Name: NAME }))).toEqual({
    Arn: ARN,
    CreatedBy: PARTNER,
    CreationTime: expect.any(Date),
    ExpirationTime: new Date(run.emulator.kernel.clock.now() + TWO_WEEKS),
    Name: NAME,
    State: 'PENDING',
  });
  expect(await send(0)).toEqual({ EventId: expect.any(String) });
  await run.events.createEventBus({ Name: NAME, EventSourceName: NAME });
  const Arn = await run.queue('q');
  await run.rule('r', { source: [{ prefix: 'aws.partner' }] }, [{ Arn }], NAME);
  expect(await state()).toBe('ACTIVE');
  const { EventId } = await send(1);
  await run.events.deactivateEventSource({ Name: NAME });
  expect(await state()).toBe('PENDING');
  await send(2);
  await run.events.activateEventSource({ Name: NAME });
  await send(3);
  const bodies = (await run.received('q', 2)).map((body) => JSON.parse(body) as { id: string; detail: unknown });
  expect(bodies[0]).toMatchObject({ id: EventId, source: NAME, account: ACCOUNT, detail: { n: 1 } });
  expect(bodies[1]!.detail).toEqual({ n: 3 });
});

test('a partner sees its sources and their state in each account', async () => {
  await offer();
  await partner.createPartnerEventSource({ Name: NAME, Account: '000000000002' });
  await partner.createPartnerEventSource({ Name: `${NAME}/more`, Account: ACCOUNT });
  await run.events.createEventBus({ Name: NAME, EventSourceName: NAME });
  expect(plain(await partner.describePartnerEventSource({ Name: NAME }))).toEqual({ Arn: ARN, Name: NAME });
  const sources = await partner.listPartnerEventSources({ NamePrefix: 'aws.partner/shop.example/', Limit: 1 });
  expect(sources.PartnerEventSources).toEqual([{ Arn: ARN, Name: NAME }]);
  const { NextToken } = sources;
  const rest = await partner.listPartnerEventSources({ NamePrefix: 'aws.partner/shop.example/', NextToken });
  expect(rest.PartnerEventSources).toMatchObject([{ Name: `${NAME}/more` }]);
  const { PartnerEventSourceAccounts } = await partner.listPartnerEventSourceAccounts({ EventSourceName: NAME });
  expect(PartnerEventSourceAccounts).toEqual([
    { Account: ACCOUNT, CreationTime: expect.any(Date), State: 'ACTIVE' },
    { Account: '000000000002', CreationTime: expect.any(Date), ExpirationTime: expect.any(Date), State: 'PENDING' },
  ]);
  const { EventSources } = await run.events.listEventSources({ NamePrefix: `${NAME}/` });
  expect(EventSources).toMatchObject([{ Name: `${NAME}/more`, State: 'PENDING' }]);
});

test('a source ends with its partner, or after two weeks without a bus', async () => {
  await offer();
  await run.advance(TWO_WEEKS);
  expect(await state()).toBe('DELETED');
  expect(await failureOf(run.events.createEventBus({ Name: NAME, EventSourceName: NAME }))).toMatch(
    /^InvalidStateException/,
  );
  await partner.deletePartnerEventSource({ Name: NAME, Account: ACCOUNT });
  await offer();
  await run.events.createEventBus({ Name: NAME, EventSourceName: NAME });
  await partner.deletePartnerEventSource({ Name: NAME, Account: ACCOUNT });
  await partner.deletePartnerEventSource({ Name: NAME, Account: ACCOUNT });
  expect(await state()).toBe('DELETED');
  expect(await send(1)).toMatchObject({ ErrorCode: 'ResourceNotFoundException' });
});

test('rejects unknown sources and wrong states', async () => {
  expect(await failureOf(partner.createPartnerEventSource({ Name: 'mine', Account: ACCOUNT }))).toMatch(
    /^ValidationException: 1 validation error/,
  );
  const none = `ResourceNotFoundException: Event source ${NAME} does not exist.`;
  expect(await failureOf(partner.describePartnerEventSource({ Name: NAME }))).toBe(none);
  expect(await failureOf(partner.listPartnerEventSourceAccounts({ EventSourceName: NAME }))).toBe(none);
  expect(await failureOf(run.events.describeEventSource({ Name: NAME }))).toBe(none);
  expect(await failureOf(run.events.activateEventSource({ Name: NAME }))).toBe(none);
  expect(await failureOf(run.events.createEventBus({ Name: NAME, EventSourceName: NAME }))).toBe(none);
  await offer();
  expect(await failureOf(offer())).toBe(`ResourceAlreadyExistsException: Event source ${NAME} already exists.`);
  expect(await failureOf(run.events.activateEventSource({ Name: NAME }))).toMatch(/^InvalidStateException/);
  expect(await failureOf(run.events.deactivateEventSource({ Name: NAME }))).toMatch(/^InvalidStateException/);
  expect(await send(1, { Detail: 'no JSON' })).toMatchObject({ ErrorCode: 'MalformedDetail' });
  expect(await send(1, { DetailType: '' })).toMatchObject({ ErrorCode: 'InvalidArgument' });
});
