import { enforceQuota } from '@emu/gateway/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, arn, type EventsTest, failureOf, plain, REGION, startEvents } from './support.ts';

let run: EventsTest;
beforeEach(async () => {
  run = await startEvents();
});
afterEach(() => run[Symbol.asyncDispose]());

describe('PutEvents', () => {
  test("delivers matching events in AWS's format", async () => {
    const Arn = await run.queue('q');
    await run.rule('orders', { source: ['app'], detail: { total: [{ numeric: ['>', 5] }] } }, [{ Arn }]);
    await run.put({ total: 1 });
    const id = await run.put({ total: 9 }, { Resources: ['arn:x'], Time: new Date('2026-01-02T03:04:05.678Z') });
    expect(await run.received('q')).toEqual([
      `{"version":"0","id":"${id}","detail-type":"Order","source":"app","account":"${ACCOUNT}","time":"2026-01-02T03:04:05Z","region":"${REGION}","resources":["arn:x"],"detail":{"total":9}}`,
    ]);
  });

  test('keeps the spelling of numbers, without spaces', async () => {
    const Arn = await run.queue('q');
    await run.rule('all', { source: ['app'] }, [{ Arn }]);
    await run.events.putEvents({
      Entries: [
        { Source: 'app', DetailType: 'x', Detail: '{ "a" : 1.0,\n "b": 12345678901234567890, "c": "a  b\\" " }' },
      ],
    });
    expect((await run.received('q'))[0]).toContain('"detail":{"a":1.0,"b":12345678901234567890,"c":"a  b\\" "}}');
  });

  test.each([
    [{ Source: undefined }, 'InvalidArgument', 'Parameter Source is not valid. Reason: Source is a required argument.'],
    [{ Detail: undefined }, 'InvalidArgument', 'Parameter Detail is not valid. Reason: Detail is a required argument.'],
    [
      { DetailType: undefined },
      'InvalidArgument',
      'Parameter DetailType is not valid. Reason: DetailType is a required argument.',
    ],
    [{ Detail: 'text' }, 'MalformedDetail', 'Detail is malformed.'],
    [{ Detail: '"text"' }, 'MalformedDetail', 'Detail is malformed.'],
    [{ Detail: '[1]' }, 'MalformedDetail', 'Detail is malformed.'],
    [{ Detail: '{"a":' }, 'MalformedDetail', 'Detail is malformed.'],
    [{ Source: 'aws.ec2' }, 'NotAuthorizedForSourceException', 'Not authorized for the source.'],
  ])('rejects only %j', async (wrong, ErrorCode, ErrorMessage) => {
    const good = { Source: 'app', DetailType: 'x', Detail: '{}' };
    const { Entries, FailedEntryCount } = await run.events.putEvents({ Entries: [good, { ...good, ...wrong }] });
    expect(FailedEntryCount).toBe(1);
    expect(Entries).toEqual([{ EventId: expect.any(String) }, { ErrorCode, ErrorMessage }]);
  });

  test('rejects too many and too large entries', async () => {
    const entry = { Source: 'app', DetailType: 'x', Detail: '{}' };
    expect(await failureOf(run.events.putEvents({ Entries: Array(11).fill(entry) }))).toMatch(
      /^ValidationException: 1 validation error detected: Value '\[PutEventsRequestEntry\(time=null, source=[^,]*, resources=null, .*\)\]' at 'entries' failed to satisfy constraint: Member must have length less than or equal to 10$/,
    );
    const Detail = JSON.stringify({ text: 'x'.repeat(1_048_576) });
    expect(await failureOf(run.events.putEvents({ Entries: [{ ...entry, Detail }] }))).toBe(
      'ValidationException: Total size of the entries in the request is over the limit.',
    );
  });

  test('accepts entries for an unknown bus, and delivers the rest', async () => {
    const Arn = await run.queue('q');
    await run.rule('all', { source: ['app'] }, [{ Arn }]);
    const entry = { Source: 'app', DetailType: 'x', Detail: '{}' };
    const { FailedEntryCount } = await run.events.putEvents({ Entries: [entry, { ...entry, EventBusName: 'none' }] });
    expect(FailedEntryCount).toBe(0);
    await run.received('q');
  });
});

describe('TestEventPattern', () => {
  const event = {
    id: '1',
    account: ACCOUNT,
    source: 'app',
    time: '2026-01-01T00:00:00Z',
    region: REGION,
    resources: [],
    'detail-type': 'x',
    detail: { a: 'b' },
  };
  const check = async (pattern: unknown, given: unknown = event) =>
    run.events.testEventPattern({
      EventPattern: typeof pattern === 'string' ? pattern : JSON.stringify(pattern),
      Event: typeof given === 'string' ? given : JSON.stringify(given),
    });

  test('returns whether a pattern matches', async () => {
    expect((await check({ detail: { a: [{ prefix: 'b' }] } })).Result).toBe(true);
    expect((await check({ detail: { a: ['c'] } })).Result).toBe(false);
  });

  test('rejects invalid patterns and events', async () => {
    expect(await failureOf(check({ source: 'app' }))).toBe(
      'InvalidEventPatternException: Event pattern is not valid. Reason: "source" must be an object or an array\n at [Source: (String)"{"source":"app"}"; line: 1, column: 12]',
    );
    expect(await failureOf(check({ source: ['app'] }, 'text'))).toBe(
      'ValidationException: Parameter Event is not valid.',
    );
    expect(await failureOf(check({ source: ['app'] }, { source: 'app' }))).toMatch(/^ValidationException/);
  });
});

describe('rules', () => {
  test('are created, described, listed, updated and deleted', async () => {
    const { events } = run;
    const EventPattern = '{"source":["app"]}';
    const made = await events.putRule({ Name: 'r', EventPattern, Description: 'd', Tags: [{ Key: 'a', Value: 'b' }] });
    expect(made.RuleArn).toBe(arn('rule/r'));
    const described = {
      Name: 'r',
      Arn: arn('rule/r'),
      EventPattern,
      State: 'ENABLED',
      Description: 'd',
      EventBusName: 'default',
    };
    expect(plain(await events.describeRule({ Name: 'r' }))).toEqual({ ...described, CreatedBy: ACCOUNT });
    expect((await events.listRules({})).Rules).toEqual([described]);
    await events.disableRule({ Name: 'r' });
    await events.putRule({ Name: 'r', EventPattern: '{"source":["b"]}' });
    expect(await events.describeRule({ Name: 'r' })).toMatchObject({
      State: 'DISABLED',
      EventPattern: '{"source":["b"]}',
    });
    await events.enableRule({ Name: 'r' });
    expect((await events.describeRule({ Name: 'r' })).State).toBe('ENABLED');
    expect((await events.listTagsForResource({ ResourceARN: arn('rule/r') })).Tags).toEqual([{ Key: 'a', Value: 'b' }]);
    await events.deleteRule({ Name: 'r' });
    await events.deleteRule({ Name: 'r' });
    expect(await failureOf(events.describeRule({ Name: 'r' }))).toBe(
      'ResourceNotFoundException: Rule r does not exist on EventBus default.',
    );
  });

  test('are validated', async () => {
    const { events } = run;
    // Created at its first use.
    await events.describeEventBus({});
    await events.createEventBus({ Name: 'custom' });
    const put = (input: object) => failureOf(events.putRule({ Name: 'r', ...input }));
    expect(await put({})).toBe(
      'ValidationException: Parameter(s) EventPattern or ScheduleExpression must be specified.',
    );
    expect(await put({ ScheduleExpression: 'rate(1 minute)', EventBusName: 'custom' })).toBe(
      'ValidationException: ScheduleExpression is supported only on the default event bus.',
    );
    for (const ScheduleExpression of [
      'cron(INVALID)',
      'cron(0 1 * * * *)',
      'rate(1 minutes)',
      `rate(${'9'.repeat(20)} minutes)`,
    ])
      expect(await put({ ScheduleExpression })).toBe('ValidationException: Parameter ScheduleExpression is not valid.');
    expect(await put({ EventPattern: '{"a":[]}' })).toMatch(
      /^InvalidEventPatternException: Event pattern is not valid/,
    );
    expect(await put({ EventPattern: '{"a":["b"]}', EventBusName: 'none' })).toBe(
      'ResourceNotFoundException: Event bus none does not exist.',
    );
    for (const operation of ['enableRule', 'disableRule'] as const)
      expect(await failureOf(events[operation]({ Name: 'none' }))).toMatch(/^ResourceNotFoundException: Rule none/);
  });

  test('are listed in pages', async () => {
    for (const name of ['a1', 'a2', 'a3', 'b1'])
      await run.events.putRule({ Name: name, EventPattern: '{"source":["x"]}' });
    const first = await run.events.listRules({ NamePrefix: 'a', Limit: 2 });
    expect(first.Rules!.map(({ Name }) => Name)).toEqual(['a1', 'a2']);
    const { NextToken } = first;
    const second = await run.events.listRules({ NamePrefix: 'a', Limit: 2, NextToken });
    expect(second.Rules!.map(({ Name }) => Name)).toEqual(['a3']);
    expect(second.NextToken).toBeUndefined();
    expect(await failureOf(run.events.listRules({ NextToken: '!' }))).toMatch(/^ValidationException/);
    expect(await failureOf(run.events.listEventBuses({ NextToken }))).toMatch(/^ValidationException/);
  });

  test('that are disabled do not run', async () => {
    const Arn = await run.queue('q');
    await run.rule('r', { source: ['app'] }, [{ Arn }]);
    await run.events.disableRule({ Name: 'r' });
    await run.put({});
    await run.events.enableRule({ Name: 'r' });
    const id = await run.put({});
    expect(JSON.parse((await run.received('q'))[0]!).id).toBe(id);
  });
});

describe('targets', () => {
  const Rule = 'r';
  beforeEach(async () => {
    await run.events.putRule({ Name: Rule, EventPattern: '{"source":["app"]}' });
  });
  const queue = (name: string) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;

  test('are put, listed, found and removed', async () => {
    const { events } = run;
    expect(plain(await events.putTargets({ Rule, Targets: [{ Id: 'a', Arn: queue('q') }] }))).toEqual({
      FailedEntryCount: 0,
      FailedEntries: [],
    });
    await events.putTargets({ Rule, Targets: [{ Id: 'a', Arn: queue('q'), InputPath: '$.detail' }] });
    expect((await events.listTargetsByRule({ Rule })).Targets).toEqual([
      { Id: 'a', Arn: queue('q'), InputPath: '$.detail' },
    ]);
    expect((await events.listRuleNamesByTarget({ TargetArn: queue('q') })).RuleNames).toEqual([Rule]);
    expect((await events.listRuleNamesByTarget({ TargetArn: queue('x') })).RuleNames).toEqual([]);
    expect(await failureOf(events.deleteRule({ Name: Rule }))).toBe(
      "ValidationException: Rule can't be deleted since it has targets.",
    );
    expect(plain(await events.removeTargets({ Rule, Ids: ['a', 'none'] }))).toMatchObject({
      FailedEntryCount: 1,
      FailedEntries: [{ TargetId: 'none', ErrorCode: 'ResourceNotFoundException' }],
    });
    expect((await events.listTargetsByRule({ Rule })).Targets).toEqual([]);
    await events.deleteRule({ Name: Rule });
  });

  test.each([
    [{ Arn: 'nonsense' }, 'Parameter nonsense is not valid. Reason: Provided Arn is not in correct format.'],
    [
      { Arn: queue('q'), Input: '"a"', InputPath: '$.detail' },
      'Only one of Input, InputPath, or InputTransformer must be provided for target t.',
    ],
    [{ Arn: queue('q'), Input: '{' }, 'JSON syntax error in input for target t.'],
    [
      { Arn: queue('q'), InputTransformer: { InputPathsMap: { a: '$.detail' }, InputTemplate: '"<a> <b>"' } },
      'InputTemplate for target t contains invalid placeholder b.',
    ],
    [{ Arn: queue('q.fifo') }, 'Parameter(s) SqsParameters must be specified for target: t.'],
    [
      { Arn: `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:m` },
      `RoleArn is required for target arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:m.`,
    ],
    [{ Arn: 'arn:aws:s3:::bucket' }, 's3 is not a supported service for a target.'],
    ...[`us-west-2:${ACCOUNT}`, `${REGION}:000000000002`].map((place): [{ Arn: string }, string] => [
      { Arn: `arn:aws:events:${place}:event-bus/default` },
      `RoleArn is required for target arn:aws:events:${place}:event-bus/default.`,
    ]),
  ])('rejects %j', async (target, message) => {
    expect(await failureOf(run.events.putTargets({ Rule, Targets: [{ Id: 't', ...target }] }))).toBe(
      `ValidationException: ${message}`,
    );
    expect((await run.events.listTargetsByRule({ Rule })).Targets).toEqual([]);
  });

  test('are checked before the rule is looked up, and after the bus', async () => {
    const put = (Arn: string, more: object = {}) =>
      failureOf(run.events.putTargets({ Rule: 'none', Targets: [{ Id: 't', Arn }], ...more }));
    expect(await put('nonsense')).toBe(
      'ValidationException: Parameter nonsense is not valid. Reason: Provided Arn is not in correct format.',
    );
    expect(await put(queue('q'))).toBe('ResourceNotFoundException: Rule none does not exist on EventBus default.');
    expect(await put('nonsense', { EventBusName: 'none' })).toBe(
      'ResourceNotFoundException: Event bus none does not exist.',
    );
  });

  test('are limited to five if the quota is enforced, with known ids', async () => {
    await enforceQuota(run.emulator, 'events/L-388D1D08');
    const Targets = Array.from({ length: 6 }, (_, index) => ({ Id: `t${index}`, Arn: queue('q') }));
    expect(await failureOf(run.events.putTargets({ Rule, Targets }))).toBe(
      'LimitExceededException: The requested resource exceeds the maximum number allowed.',
    );
    expect(await failureOf(run.events.putTargets({ Rule, Targets: [{ Id: '!@#', Arn: queue('q') }] }))).toBe(
      "ValidationException: 1 validation error detected: Value '!@#' at 'targets.1.member.id' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+",
    );
  });
});

describe('buses', () => {
  test('are created, described, listed, updated and deleted', async () => {
    const { events } = run;
    const { EventBusArn } = await events.createEventBus({ Name: 'orders', Description: 'd' });
    expect(EventBusArn).toBe(arn('event-bus/orders'));
    const now = new Date(run.emulator.kernel.clock.now());
    const described = { Name: 'orders', Arn: EventBusArn, Description: 'd', CreationTime: now, LastModifiedTime: now };
    expect(plain(await events.describeEventBus({ Name: 'orders' }))).toEqual(described);
    expect(plain(await events.describeEventBus({ Name: EventBusArn }))).toEqual(described);
    expect((await events.listEventBuses({})).EventBuses!.map(({ Name }) => Name)).toEqual(['default', 'orders']);
    await run.advance(1000);
    await events.updateEventBus({ Name: 'orders', Description: 'e' });
    expect(await events.describeEventBus({ Name: 'orders' })).toMatchObject({
      Description: 'e',
      LastModifiedTime: new Date(now.getTime() + 1000),
    });
    expect(await failureOf(events.createEventBus({ Name: 'orders' }))).toBe(
      'ResourceAlreadyExistsException: Event bus orders already exists.',
    );
    expect(await failureOf(events.createEventBus({ Name: 'team/bus' }))).toBe(
      "ValidationException: Event bus name must not contain '/'.",
    );
    expect(
      await failureOf(events.createEventBus({ Name: 'team', EventSourceName: 'aws.partner/example.com/team' })),
    ).toBe('ValidationException: Event bus name must match event source name.');
    await events.deleteEventBus({ Name: 'orders' });
    expect(await failureOf(events.describeEventBus({ Name: 'orders' }))).toBe(
      'ResourceNotFoundException: Event bus orders does not exist.',
    );
    expect(plain(await events.deleteEventBus({ Name: 'orders' }))).toEqual({});
    expect(await failureOf(events.deleteEventBus({ Name: 'default' }))).toBe(
      'ValidationException: Cannot delete event bus default.',
    );
  });

  test('do not implement rules for all management events of CloudTrail', async () => {
    // The default bus is created at its first use.
    await run.events.describeEventBus({});
    const rule = run.events.putRule({
      Name: 'r',
      EventPattern: '{"source":["app"]}',
      State: 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS',
    });
    expect(await failureOf(rule)).toMatch(/^NotImplemented: /);
  });

  test('have rules of their own', async () => {
    const { events } = run;
    await events.createEventBus({ Name: 'orders' });
    const Arn = await run.queue('q');
    await run.rule('r', { source: ['app'] }, [{ Arn }], 'orders');
    expect((await events.describeRule({ Name: 'r', EventBusName: 'orders' })).Arn).toBe(arn('rule/orders/r'));
    await run.put({}, {});
    await run.put({ here: true }, { EventBusName: arn('event-bus/orders') });
    expect(JSON.parse((await run.received('q'))[0]!).detail).toEqual({ here: true });
    expect(await failureOf(events.deleteEventBus({ Name: 'orders' }))).toMatch(/^ValidationException/);
  });

  test('have permissions', async () => {
    const { events } = run;
    const policy = async () => JSON.parse((await events.describeEventBus({})).Policy ?? 'null');
    const put = (StatementId: string, Principal: string, more: object = {}) =>
      events.putPermission({ Action: 'events:PutEvents', StatementId, Principal, ...more });
    await put('one', '000000000001');
    await put('org', '*', { Condition: { Type: 'StringEquals', Key: 'aws:PrincipalOrgID', Value: 'o-1' } });
    const statement = { Effect: 'Allow', Action: 'events:PutEvents', Resource: arn('event-bus/default') };
    const org = {
      Sid: 'org',
      ...statement,
      Principal: '*',
      Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } },
    };
    expect(await policy()).toEqual({
      Version: '2012-10-17',
      Statement: [{ Sid: 'one', ...statement, Principal: { AWS: 'arn:aws:iam::000000000001:root' } }, org],
    });
    expect(await failureOf(events.removePermission({ StatementId: 'none' }))).toBe(
      'ResourceNotFoundException: Statement with the provided id does not exist.',
    );
    await events.removePermission({ StatementId: 'one' });
    expect((await policy()).Statement).toEqual([org]);
    await events.removePermission({ RemoveAllPermissions: true });
    expect(await policy()).toBeNull();
    expect(await failureOf(events.removePermission({ StatementId: 'one' }))).toBe(
      'ResourceNotFoundException: Statement with the provided id does not exist.',
    );
    expect(await failureOf(put('two', '000000000001', { Action: 'events:PutPermission' }))).toBe(
      "ValidationException: Provided value in parameter 'action' is not supported.",
    );
    expect(await failureOf(events.putPermission({ EventBusName: 'none', Policy: '{}' }))).toMatch(/^ResourceNotFound/);
    expect(await failureOf(events.putPermission({ Policy: '{}' }))).toMatch(/^ValidationException/);
  });

  test('and rules have tags', async () => {
    const { events } = run;
    await events.createEventBus({ Name: 'orders', Tags: [{ Key: 'a', Value: '1' }] });
    await events.putRule({ Name: 'r', EventPattern: '{"source":["x"]}' });
    for (const ResourceARN of [arn('event-bus/orders'), arn('rule/r'), arn('event-bus/default')]) {
      await events.tagResource({
        ResourceARN,
        Tags: [
          { Key: 'b', Value: '2' },
          { Key: 'a', Value: '3' },
        ],
      });
      await events.untagResource({ ResourceARN, TagKeys: ['b', 'none'] });
      expect((await events.listTagsForResource({ ResourceARN })).Tags).toEqual([{ Key: 'a', Value: '3' }]);
    }
    expect(await failureOf(events.listTagsForResource({ ResourceARN: arn('rule/none') }))).toBe(
      'ResourceNotFoundException: Rule none does not exist on EventBus default.',
    );
    const elsewhere = arn('rule/r').replace(/:[a-z]+-[a-z]+-\d:/, ':eu-north-1:');
    expect(await failureOf(events.untagResource({ ResourceARN: elsewhere, TagKeys: ['a'] }))).toMatch(
      /^ResourceNotFoundException/,
    );
    expect(await failureOf(events.tagResource({ ResourceARN: arn('event-bus/none'), Tags: [] }))).toBe(
      'ResourceNotFoundException: Event bus none does not exist.',
    );
  });
});

describe('schedules', () => {
  test('with a rate run on the clock', async () => {
    const Arn = await run.queue('q');
    await run.events.putRule({ Name: 'r', ScheduleExpression: 'rate(5 minutes)' });
    await run.events.putTargets({ Rule: 'r', Targets: [{ Id: 't', Arn }] });
    await run.advance(299_000);
    await run.received('q', 0);
    await run.advance(601_000);
    const bodies = (await run.received('q', 3)).map((body) => JSON.parse(body));
    expect(bodies[0]).toMatchObject({
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: ACCOUNT,
      region: REGION,
      resources: [arn('rule/r')],
      detail: {},
    });
    await run.events.disableRule({ Name: 'r' });
    await run.advance(3_600_000);
    await run.received('q', 0);
  });

  test('are fired by the control route, which returns the outcome', async () => {
    const Arn = await run.queue('q');
    await run.events.putRule({ Name: 'r', ScheduleExpression: 'cron(0 10 * * ? *)' });
    await run.events.putTargets({ Rule: 'r', Targets: [{ Id: 't', Arn }] });
    const fired = await run.emulator.control('POST', '/_emulator/events/fire-rule', { ruleName: 'r' });
    expect(fired).toMatchObject({
      status: 200,
      json: { eventId: expect.any(String), deliveries: [{ status: 'delivered', targetArn: Arn, attempts: 1 }] },
    });
    await run.received('q');
    const { json } = await run.emulator.control('GET', '/_emulator/events/history');
    expect(json).toMatchObject({
      events: [{ eventId: (fired.json as { eventId: string }).eventId, source: 'aws.events', eventBusName: 'default' }],
      deliveries: [{ ruleName: 'r', ruleArn: arn('rule/r'), targetId: 't' }],
    });
    for (const [body, status] of [
      [{ ruleName: 'none' }, 404],
      [{}, 400],
      [{ ruleName: 1 }, 400],
      [{ ruleName: 'r', accountId: 'x' }, 400],
      [{ ruleName: 'r', other: 'x' }, 400],
    ] as const)
      expect((await run.emulator.control('POST', '/_emulator/events/fire-rule', body)).status).toBe(status);
  });
});
