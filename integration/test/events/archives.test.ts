import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { arn, type EventsTest, failureOf, plain, startEvents } from './support.ts';

let run: EventsTest;
beforeEach(async () => {
  run = await startEvents();
});
afterEach(() => run[Symbol.asyncDispose]());

const DAY = 86_400_000;
const BUS = arn('event-bus/default');
const START = new Date('2000-01-01T00:00:00Z');
const END = new Date('2100-01-01T00:00:00Z');

describe('archives', () => {
  test('keep matching events of a bus from then on', async () => {
    await run.put({ n: 0 });
    const made = await run.events.createArchive({
      ArchiveName: 'a',
      EventSourceArn: BUS,
      Description: 'orders',
      EventPattern: '{"source":["app"]}',
      RetentionDays: 1,
    });
    expect(plain(made)).toEqual({
      ArchiveArn: arn('archive/a'),
      State: 'ENABLED',
      CreationTime: expect.any(Date),
    });
    await run.put({ n: 1 });
    await run.put({ n: 2 }, { Source: 'other' });
    expect(plain(await run.events.describeArchive({ ArchiveName: 'a' }))).toEqual({
      ArchiveArn: arn('archive/a'),
      ArchiveName: 'a',
      EventSourceArn: BUS,
      Description: 'orders',
      EventPattern: '{"source":["app"]}',
      State: 'ENABLED',
      RetentionDays: 1,
      SizeBytes: expect.any(Number),
      EventCount: 1,
      CreationTime: expect.any(Date),
    });
  });

  test('remove events after their retention, also after it was shortened', async () => {
    await run.events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS, RetentionDays: 3 });
    const held = async () => {
      const { EventCount, SizeBytes } = await run.events.describeArchive({ ArchiveName: 'a' });
      return { EventCount, full: SizeBytes! > 0 };
    };
    await run.put({ n: 1 });
    await run.advance(2 * DAY);
    await run.put({ n: 2 });
    expect(await held()).toEqual({ EventCount: 2, full: true });
    await run.advance(DAY);
    expect(await held()).toEqual({ EventCount: 1, full: true });
    await run.events.updateArchive({ ArchiveName: 'a', RetentionDays: 1 });
    expect(await held()).toEqual({ EventCount: 0, full: false });
    await run.events.updateArchive({ ArchiveName: 'a', RetentionDays: 0 });
    await run.put({ n: 3 });
    await run.advance(1000 * DAY);
    expect(await held()).toEqual({ EventCount: 1, full: true });
  });

  test('are listed by prefix, bus and state, in pages', async () => {
    await run.events.createEventBus({ Name: 'b' });
    for (const ArchiveName of ['a1', 'a2', 'b1'])
      await run.events.createArchive({
        ArchiveName,
        EventSourceArn: ArchiveName === 'b1' ? arn('event-bus/b') : BUS,
      });
    const names = async (input: object) =>
      (await run.events.listArchives(input)).Archives!.map(({ ArchiveName }) => ArchiveName);
    expect(await names({})).toEqual(['a1', 'a2', 'b1']);
    expect(await names({ NamePrefix: 'a' })).toEqual(['a1', 'a2']);
    expect(await names({ EventSourceArn: arn('event-bus/b') })).toEqual(['b1']);
    expect(await names({ State: 'ENABLED' })).toEqual(['a1', 'a2', 'b1']);
    expect(await names({ State: 'DISABLED' })).toEqual([]);
    const { NextToken } = await run.events.listArchives({ Limit: 2 });
    expect(await names({ NextToken })).toEqual(['b1']);
    expect(await failureOf(run.events.listArchives({ NamePrefix: 'a', State: 'ENABLED' }))).toBe(
      'ValidationException: At most one filter is allowed for ListArchives. Use either : State, EventSourceArn, or NamePrefix.',
    );
    expect(await failureOf(run.events.listArchives({ EventSourceArn: arn('event-bus/none') }))).toBe(
      'ResourceNotFoundException: Event bus none does not exist.',
    );
  });

  test('are fed by a managed rule', async () => {
    const { events } = run;
    const EventPattern = '{"source":["app"]}';
    await events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS, EventPattern });
    const Name = 'Events-Archive-a';
    const described = await events.describeRule({ Name });
    expect(described).toMatchObject({ State: 'ENABLED', ManagedBy: 'prod.vhs.events.aws.internal' });
    expect(JSON.parse(described.EventPattern!)).toEqual({ source: ['app'], 'replay-name': [{ exists: false }] });
    expect((await events.listTargetsByRule({ Rule: Name })).Targets).toMatchObject([{ Id: Name }]);
    const refused = `ManagedRuleException: ${Name} is a managed rule. Set 'force' parameter to true to override.`;
    expect(await failureOf(events.deleteRule({ Name }))).toBe(refused);
    expect(await failureOf(events.disableRule({ Name }))).toBe(refused);
    expect(await failureOf(events.putRule({ Name, EventPattern }))).toBe(refused);
    expect(await failureOf(events.removeTargets({ Rule: Name, Ids: [Name] }))).toBe(refused);
    await events.deleteArchive({ ArchiveName: 'a' });
    expect((await events.listRules({})).Rules).toEqual([]);
    await events.createArchive({ ArchiveName: 'b', EventSourceArn: BUS });
    await run.put({ n: 1 });
    await events.deleteRule({ Name: 'Events-Archive-b', Force: true });
    await run.put({ n: 2 });
    expect(await events.describeArchive({ ArchiveName: 'b' })).toMatchObject({ State: 'DISABLED', EventCount: 1 });
  });

  test('are deleted with their events', async () => {
    await run.events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS });
    await run.put({ n: 1 });
    await run.events.deleteArchive({ ArchiveName: 'a' });
    const gone = 'ResourceNotFoundException: Archive a does not exist.';
    expect(await failureOf(run.events.describeArchive({ ArchiveName: 'a' }))).toBe(gone);
    expect(await failureOf(run.events.deleteArchive({ ArchiveName: 'a' }))).toBe(gone);
    expect(await failureOf(run.events.updateArchive({ ArchiveName: 'a', RetentionDays: 1 }))).toBe(gone);
    await run.events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS });
    expect((await run.events.describeArchive({ ArchiveName: 'a' })).EventCount).toBe(0);
  });

  test('reject invalid parameters', async () => {
    // Created at its first use.
    await run.events.describeEventBus({});
    const create = (input: object) =>
      failureOf(run.events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS, ...input }));
    expect(await create({ EventSourceArn: arn('event-bus/none') })).toBe(
      'ResourceNotFoundException: Event bus none does not exist.',
    );
    expect(await create({ EventSourceArn: arn('rule/none') })).toBe(
      'ValidationException: Parameter EventSourceArn is not valid. Reason: Must contain an event bus ARN.',
    );
    expect(await create({ EventPattern: '{"source":"app"}' })).toMatch(/^InvalidEventPatternException/);
    await run.events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS });
    expect(await create({})).toBe('ResourceAlreadyExistsException: Archive a already exists.');
    expect(await failureOf(run.events.updateArchive({ ArchiveName: 'none' }))).toBe(
      'ValidationException: At least one of EventPattern, RetentionDays or Description must be provided.',
    );
  });
});

describe('replays', () => {
  const start = (input: object = {}) =>
    run.events.startReplay({
      ReplayName: 'r',
      EventSourceArn: arn('archive/a'),
      EventStartTime: START,
      EventEndTime: END,
      Destination: { Arn: BUS },
      ...input,
    });
  const stateOf = async (ReplayName = 'r') => (await run.events.describeReplay({ ReplayName })).State;

  test('send archived events again, in order, to the requested rules', async () => {
    await run.events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS });
    const before = await run.queue('before');
    const other = await run.queue('other');
    for (const n of [1, 2, 3]) await run.put({ n }, { Time: new Date(Date.UTC(2026, 0, n)) });
    await run.rule('mine', { source: ['app'] }, [{ Arn: before }]);
    await run.rule('yours', { source: ['app'] }, [{ Arn: other }]);
    const started = await start({
      Description: 'again',
      EventStartTime: new Date(Date.UTC(2026, 0, 2)),
      Destination: { Arn: BUS, FilterArns: [arn('rule/mine')] },
    });
    expect(plain(started)).toEqual({
      ReplayArn: arn('replay/r'),
      State: 'STARTING',
      ReplayStartTime: expect.any(Date),
    });
    await run.advance(1000);
    const bodies = (await run.received('before', 2)).map((body) => JSON.parse(body) as Record<string, unknown>);
    expect(bodies.map(({ detail }) => detail)).toEqual([{ n: 2 }, { n: 3 }]);
    expect(bodies[0]).toMatchObject({ 'replay-name': 'r', source: 'app', time: '2026-01-02T00:00:00Z' });
    await run.received('other', 0);
    expect(plain(await run.events.describeReplay({ ReplayName: 'r' }))).toEqual({
      ReplayName: 'r',
      ReplayArn: arn('replay/r'),
      Description: 'again',
      State: 'COMPLETED',
      EventSourceArn: arn('archive/a'),
      Destination: { Arn: BUS, FilterArns: [arn('rule/mine')] },
      EventStartTime: new Date(Date.UTC(2026, 0, 2)),
      EventEndTime: END,
      EventLastReplayedTime: new Date(Date.UTC(2026, 0, 3)),
      ReplayStartTime: expect.any(Date),
      ReplayEndTime: expect.any(Date),
    });
    // Replayed events are not archived again.
    expect((await run.events.describeArchive({ ArchiveName: 'a' })).EventCount).toBe(3);
  });

  test('can be cancelled', async () => {
    await run.events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS });
    await run.put({ n: 1 });
    const queue = await run.queue('q');
    await run.rule('mine', { source: ['app'] }, [{ Arn: queue }]);
    await start();
    const cancelled = await run.events.cancelReplay({ ReplayName: 'r' });
    expect(plain(cancelled)).toEqual({ ReplayArn: arn('replay/r'), State: 'CANCELLING' });
    expect(await stateOf()).toBe('CANCELLING');
    await run.advance(1000);
    expect(await stateOf()).toBe('CANCELLED');
    await run.received('q', 0);
    expect(await failureOf(run.events.cancelReplay({ ReplayName: 'r' }))).toMatch(/^IllegalStatusException/);
  });

  test('are listed, and removed after 90 days', async () => {
    await run.events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS });
    for (const ReplayName of ['r1', 'r2', 's']) await start({ ReplayName });
    const names = async (input: object) =>
      (await run.events.listReplays(input)).Replays!.map(({ ReplayName }) => ReplayName);
    expect(await names({ NamePrefix: 'r' })).toEqual(['r1', 'r2']);
    expect(await names({ State: 'STARTING' })).toEqual(['r1', 'r2', 's']);
    await run.advance(1000);
    await expect.poll(() => names({ State: 'COMPLETED' })).toEqual(['r1', 'r2', 's']);
    expect(await names({ EventSourceArn: arn('archive/a') })).toEqual(['r1', 'r2', 's']);
    expect(await names({ EventSourceArn: arn('archive/b') })).toEqual([]);
    expect(await failureOf(names({ EventSourceArn: arn('archive/a'), State: 'COMPLETED' }))).toBe(
      'ValidationException: At most one filter is allowed for ListReplays. Use either : State, EventSourceArn, or NamePrefix.',
    );
    const { NextToken } = await run.events.listReplays({ Limit: 2 });
    expect(await names({ NextToken })).toEqual(['s']);
    await run.advance(90 * DAY);
    expect(await names({})).toEqual([]);
    expect(await failureOf(run.events.describeReplay({ ReplayName: 's' }))).toBe(
      'ResourceNotFoundException: Replay s does not exist.',
    );
  });

  test('reject invalid replays', async () => {
    // Created at its first use.
    await run.events.describeEventBus({});
    await run.events.createEventBus({ Name: 'b' });
    const refused = (input: object) => failureOf(start(input));
    expect(await refused({})).toBe(
      'ValidationException: Parameter EventSourceArn is not valid. Reason: Archive a does not exist.',
    );
    await run.events.createArchive({ ArchiveName: 'a', EventSourceArn: BUS });
    expect(await refused({ Destination: { Arn: arn('event-bus/none') } })).toBe(
      'ResourceNotFoundException: Event bus none does not exist.',
    );
    expect(await refused({ Destination: { Arn: arn('event-bus/b') } })).toBe(
      'ValidationException: Parameter Destination.Arn is not valid. Reason: Cross event bus replay is not permitted.',
    );
    expect(await refused({ EventEndTime: START })).toBe(
      'ValidationException: Parameter EventEndTime is not valid. Reason: EventStartTime must be before EventEndTime.',
    );
    for (let index = 0; index < 10; index++) await start({ ReplayName: `r${index}` });
    expect(await refused({ ReplayName: 'r1' })).toBe('ResourceAlreadyExistsException: Replay r1 already exists.');
    expect(await refused({ ReplayName: 'more' })).toBe(
      'LimitExceededException: The requested resource exceeds the maximum number allowed.',
    );
  });
});
