import { afterEach, beforeEach, expect, test } from 'vitest';
import { ACCOUNT, arn, type EventsTest, failureOf, plain, REGION, startEvents } from './support.ts';

let run: EventsTest;
beforeEach(async () => {
  run = await startEvents();
});
afterEach(() => run[Symbol.asyncDispose]());

const WEST = 'us-west-2';
const BUSES = [REGION, WEST].map((region) => ({
  EventBusArn: `arn:aws:events:${region}:${ACCOUNT}:event-bus/orders`,
})) as [{ EventBusArn: string }, { EventBusArn: string }];
const SETTINGS = {
  RoutingConfig: {
    FailoverConfig: {
      Primary: { HealthCheck: 'arn:aws:route53:::healthcheck/4be5c2d4-7a2e-4d7c-a6b5-7f2b4f1a7d11' },
      Secondary: { Route: WEST },
    },
  },
  ReplicationConfig: { State: 'DISABLED' as const },
  EventBuses: BUSES,
};
const create = (input: object = {}) => run.events.createEndpoint({ Name: 'e', ...SETTINGS, ...input });
const makeBuses = async () => {
  await run.events.createEventBus({ Name: 'orders' });
  await run.client({ region: WEST }).createEventBus({ Name: 'orders' });
};

/** Puts an event through the endpoint. The SDK would sign it with SigV4a, which requires a native library. */
async function put(endpointId: string, detail: object, bus = 'orders') {
  const { kernel } = run.emulator;
  const Entries = [{ Source: 'app', DetailType: 'Order', Detail: JSON.stringify(detail), EventBusName: bus }];
  const input = { EndpointId: endpointId, Entries };
  return (await kernel.call('events', 'PutEvents', input, { accountId: ACCOUNT, region: REGION })) as {
    FailedEntryCount: number;
  };
}

test('an endpoint is created, updated, listed and deleted', async () => {
  await makeBuses();
  expect(plain(await create())).toEqual({ Name: 'e', Arn: arn('endpoint/e'), State: 'CREATING', ...SETTINGS });
  const described = plain(await run.events.describeEndpoint({ Name: 'e' }));
  expect(described).toEqual({
    Name: 'e',
    Arn: arn('endpoint/e'),
    State: 'ACTIVE',
    EndpointId: expect.stringMatching(/^[a-z0-9]{10}\.[a-z0-9]{3}$/),
    EndpointUrl: `https://${described.EndpointId}.endpoint.events.amazonaws.com`,
    CreationTime: expect.any(Date),
    LastModifiedTime: expect.any(Date),
    ...SETTINGS,
  });
  const RoleArn = `arn:aws:iam::${ACCOUNT}:role/replicate`;
  const updated = await run.events.updateEndpoint({
    Name: 'e',
    Description: 'orders of both coasts',
    ReplicationConfig: { State: 'ENABLED' },
    RoleArn,
  });
  expect(updated).toMatchObject({ State: 'UPDATING', ReplicationConfig: { State: 'ENABLED' }, RoleArn });
  expect((await run.events.describeEndpoint({ Name: 'e' })).Description).toBe('orders of both coasts');
  await create({ Name: 'f' });
  const names = async (input: object) => (await run.events.listEndpoints(input)).Endpoints!.map(({ Name }) => Name);
  expect(await names({})).toEqual(['e', 'f']);
  expect(await names({ NamePrefix: 'f', HomeRegion: REGION })).toEqual(['f']);
  expect(await names({ HomeRegion: WEST })).toEqual([]);
  const { NextToken } = await run.events.listEndpoints({ MaxResults: 1 });
  expect(await names({ NextToken })).toEqual(['f']);
  const EventBuses = BUSES.map(({ EventBusArn }) => ({ EventBusArn: EventBusArn.replace('/orders', '/default') }));
  await create({ Name: 'of-default-buses', EventBuses });
  await run.events.deleteEndpoint({ Name: 'e' });
  const gone = 'ResourceNotFoundException: Endpoint e does not exist.';
  expect(await failureOf(run.events.describeEndpoint({ Name: 'e' }))).toBe(gone);
  expect(await failureOf(run.events.updateEndpoint({ Name: 'e' }))).toBe(gone);
  expect(await failureOf(run.events.deleteEndpoint({ Name: 'e' }))).toBe(gone);
});

test('events go to the bus of the primary Region, and with replication to the other bus', async () => {
  await makeBuses();
  await create({ ReplicationConfig: { State: 'ENABLED' }, RoleArn: `arn:aws:iam::${ACCOUNT}:role/replicate` });
  const { EndpointId } = await run.events.describeEndpoint({ Name: 'e' });
  const seen = async () => {
    const { json } = await run.emulator.control('GET', '/_emulator/events/history');
    return (json as { events: { region: string; detail: unknown }[] }).events.map(({ region, detail }) => ({
      region,
      detail,
    }));
  };
  expect((await put(EndpointId!, { n: 1 })).FailedEntryCount).toBe(0);
  expect(await seen()).toEqual([
    { region: REGION, detail: { n: 1 } },
    { region: WEST, detail: { n: 1 } },
  ]);
  await run.events.updateEndpoint({ Name: 'e', ReplicationConfig: { State: 'DISABLED' } });
  await put(EndpointId!, { n: 2 });
  expect((await seen()).filter(({ detail }) => (detail as { n: number }).n === 2)).toEqual([
    { region: REGION, detail: { n: 2 } },
  ]);
  await expect(put(EndpointId!, {}, 'default')).rejects.toThrow('must be the name of the event buses');
  await expect(put('none.abc', {})).rejects.toThrow('Parameter EndpointId is not valid.');
});

test('events go to the bus of the secondary Region while the health check fails', async () => {
  await makeBuses();
  await create();
  const { EndpointId } = await run.events.describeEndpoint({ Name: 'e' });
  const health = async (endpointName: string, healthy: boolean) =>
    (await run.emulator.control('POST', '/_emulator/events/endpoint-health', { endpointName, healthy })).status;
  const regions = async () => {
    const { json } = await run.emulator.control('GET', '/_emulator/events/history');
    return (json as { events: { region: string }[] }).events.map(({ region }) => region).sort();
  };
  expect(await health('e', false)).toBe(200);
  await put(EndpointId!, { n: 1 });
  expect(await regions()).toEqual([WEST]);
  await run.events.updateEndpoint({
    Name: 'e',
    ReplicationConfig: { State: 'ENABLED' },
    RoleArn: `arn:aws:iam::${ACCOUNT}:role/replicate`,
  });
  await put(EndpointId!, { n: 2 });
  expect(await regions()).toEqual([REGION, WEST, WEST]);
  await run.events.updateEndpoint({ Name: 'e', ReplicationConfig: { State: 'DISABLED' } });
  expect(await health('e', true)).toBe(200);
  await put(EndpointId!, { n: 3 });
  expect(await regions()).toEqual([REGION, REGION, WEST, WEST]);
  expect(await health('none', false)).toBe(404);
});

test('rejects invalid endpoints', async () => {
  expect(await failureOf(create())).toBe('ResourceNotFoundException: Event bus orders does not exist.');
  await makeBuses();
  expect(await failureOf(create({ EventBuses: [BUSES[0], BUSES[0]] }))).toMatch(/different Regions/);
  expect(await failureOf(create({ EventBuses: [BUSES[1], BUSES[0]] }))).toMatch(/first event bus/);
  expect(await failureOf(create({ EventBuses: [BUSES[0]] }))).toMatch(/^ValidationException: 1 validation error/);
  expect(await failureOf(create({ ReplicationConfig: undefined }))).toMatch(/RoleArn is required/);
  await create();
  expect(await failureOf(create())).toBe('ResourceAlreadyExistsException: Endpoint e already exists.');
});
