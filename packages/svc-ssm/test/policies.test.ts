import type { SsmParameterPolicyEvent } from '@emu/control-client';
import { expect, test } from 'vitest';
import { arnOf, DAY, failureOf, startSsm } from './support.ts';

const policy = (Type: string, Attributes: object) => ({ Type, Version: '1.0', Attributes });

test('executes notification and expiration policies when due', async () => {
  await using t = await startSsm();
  const start = t.emulator.kernel.clock.now();
  const Policies = JSON.stringify([
    policy('Expiration', { Timestamp: new Date(start + 10 * DAY).toISOString() }),
    policy('ExpirationNotification', { Before: '2', Unit: 'Days' }),
    policy('NoChangeNotification', { After: '5', Unit: 'Days' }),
  ]);
  await t.put('/app/token', 'x', { Tier: 'Advanced', Policies });
  const statuses = async () => {
    const { Parameters } = await t.ssm.describeParameters({});
    return Parameters!
      .flatMap(({ Policies }) => Policies!)
      .map(({ PolicyType, PolicyStatus }) => [PolicyType, PolicyStatus]);
  };
  expect(await statuses()).toEqual([
    ['Expiration', 'Pending'],
    ['ExpirationNotification', 'Pending'],
    ['NoChangeNotification', 'Pending'],
  ]);
  const path = '/_emulator/ssm/parameter-policy-events';
  const listed = async () => (await t.emulator.control('GET', path)).json as { events: SsmParameterPolicyEvent[] };
  const seen = async () => (await listed()).events.map(({ policyType }) => policyType);
  await t.advance(6 * DAY);
  expect(await seen()).toEqual(['NoChangeNotification']);
  await t.advance(3 * DAY);
  expect(await seen()).toEqual(['NoChangeNotification', 'ExpirationNotification']);
  expect((await statuses()).map(([, status]) => status)).toEqual(['Pending', 'Finished', 'Finished']);
  await t.advance(DAY);
  expect(await statuses()).toEqual([]);
  const { events } = await listed();
  expect(events.at(-1)).toMatchObject({
    parameterName: '/app/token',
    parameterArn: arnOf('app/token'),
    policyType: 'Expiration',
  });
  expect((await t.emulator.control('DELETE', path)).json).toEqual({ clearedEvents: 3 });
  expect(await seen()).toEqual([]);
});

test('rejects invalid policies and removes policies by an empty list', async () => {
  await using t = await startSsm();
  const put = (policies: unknown, more: object = {}) =>
    t.put('p', 'x', { Tier: 'Advanced', Overwrite: true, Policies: JSON.stringify(policies), ...more });
  const later = new Date(t.emulator.kernel.clock.now() + DAY).toISOString();
  const expiration = policy('Expiration', { Timestamp: later });
  expect(await failureOf(put([policy('Unknown', {})]))).toBe(
    'InvalidPolicyTypeException: There is no policy of type Unknown.',
  );
  expect(await failureOf(put([policy('Expiration', { Timestamp: '2001-01-01T00:00:00Z' })]))).toMatch(
    /^InvalidPolicyAttributeException: .* in the past\.$/,
  );
  expect(await failureOf(put([policy('NoChangeNotification', { After: 'x', Unit: 'Days' })]))).toMatch(
    /^InvalidPolicyAttributeException/,
  );
  expect(await failureOf(put([expiration, expiration]))).toMatch(/^IncompatiblePolicyException/);
  expect(await failureOf(put([policy('ExpirationNotification', { Before: '1', Unit: 'Hours' })]))).toMatch(
    /^IncompatiblePolicyException/,
  );
  const eleven = Array.from({ length: 11 }, () => policy('NoChangeNotification', { After: '1', Unit: 'Days' }));
  expect(await failureOf(put(eleven))).toMatch(/^PoliciesLimitExceededException/);
  expect(await failureOf(put([expiration], { Tier: 'Standard' }))).toBe(
    'ValidationException: Parameter policies need the advanced-parameter tier.',
  );
  await put([expiration]);
  await put([]);
  await t.advance(2 * DAY);
  expect(await t.value('p')).toBe('x');
});
