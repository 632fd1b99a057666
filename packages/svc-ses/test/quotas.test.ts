import { enforceQuota } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, startSes } from './support.ts';

const mail = (...ToAddresses: string[]) => ({
  Source: 'ann@example.com',
  Destination: { ToAddresses },
  Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
});
const to = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@example.org`);

test('limits configuration sets and tenants of both APIs', async () => {
  await using t = await startSes();
  for (const code of ['L-10E24536', 'L-E7F21B4C']) await enforceQuota(t.emulator, `ses/${code}`, 1);
  await t.v2.createConfigurationSet({ ConfigurationSetName: 'one' });
  expect(await failureOf(t.ses.createConfigurationSet({ ConfigurationSet: { Name: 'two' } }))).toBe(
    'LimitExceededException: Indicates that a resource could not be created because of service limits.',
  );
  const tooMany = 'LimitExceededException: There are too many instances of the specified resource type.';
  expect(await failureOf(t.v2.createConfigurationSet({ ConfigurationSetName: 'two' }))).toBe(tooMany);
  await t.v2.createTenant({ TenantName: 'one' });
  expect(await failureOf(t.v2.createTenant({ TenantName: 'two' }))).toBe(tooMany);
  expect((await t.v2.listTenants({})).Tenants).toHaveLength(1);
  await t.ses.deleteConfigurationSet({ ConfigurationSetName: 'one' });
  await t.ses.createConfigurationSet({ ConfigurationSet: { Name: 'two' } });
});

test('limits mails per day and per second', async () => {
  await using t = await startSes();
  await t.ses.verifyEmailIdentity({ EmailAddress: 'ann@example.com' });
  await enforceQuota(t.emulator, 'ses/L-CDEF9B6B', 2);
  expect((await t.ses.getSendQuota({})).MaxSendRate).toBe(2);
  await t.ses.sendEmail(mail(...to(2)));
  expect(await failureOf(t.ses.sendEmail(mail(...to(1))))).toBe('Throttling: Maximum sending rate exceeded.');
  await t.emulator.kernel.clock.advance(1000);
  await t.ses.sendEmail(mail(...to(1)));
  await enforceQuota(t.emulator, 'ses/L-804C8AE8', 5);
  await t.emulator.kernel.clock.advance(5000);
  expect(
    await failureOf(
      t.v2.sendEmail({
        FromEmailAddress: 'ann@example.com',
        Destination: { ToAddresses: to(3) },
        Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
      }),
    ),
  ).toBe('TooManyRequestsException: Daily message quota exceeded.');
  await t.emulator.kernel.clock.advance(25 * 60 * 60_000);
  await t.ses.sendEmail(mail(...to(3)));
  expect((await t.ses.getSendQuota({})).SentLast24Hours).toBe(3);
});
