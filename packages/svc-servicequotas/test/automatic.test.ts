import { fakeService } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import { failureOf, startQuotas, TABLES } from './support.ts';

const MINUTE = 60_000;
interface Entry {
  Source: string;
  DetailType: string;
  Resources: string[];
  Detail: string;
}

/** Starts Service Quotas with an event bus that records its events. */
async function managed(OptInType: 'NotifyOnly' | 'NotifyAndAdjust', ExclusionList?: Record<string, string[]>) {
  const entries: Entry[] = [];
  const events = fakeService('events', {
    PutEvents: ({ Entries }) => {
      entries.push(...(Entries as Entry[]));
      return {};
    },
  });
  const t = await startQuotas({ manifests: [events] });
  await t.quotas.startAutoManagement({ OptInLevel: 'ACCOUNT', OptInType, ExclusionList });
  const told = async (usage: number) => {
    await t.use(usage);
    await t.advance(5 * MINUTE);
    return entries.splice(0).flatMap(({ Resources }) => Resources);
  };
  return { ...t, t, entries, told };
}

const tables = (percent: string) =>
  `Service: dynamodb | Quota Name: Maximum number of tables | Utilization: ${percent}%`;

describe('automatic management', () => {
  test('reports each threshold once until the usage has fallen', async () => {
    await using t = await managed('NotifyOnly', { iam: [] });
    expect(await t.told(1999)).toEqual([]);
    expect(await t.told(2000)).toEqual([tables('80.0')]);
    expect(await t.told(2100)).toEqual([]);
    expect(await t.told(2400)).toEqual([tables('96.0')]);
    expect(await t.told(100)).toEqual([]);
    await t.use(2000);
    await t.advance(5 * MINUTE);
    const [entry] = t.entries;
    expect(entry).toMatchObject({ Source: 'aws.health', DetailType: 'AWS Health Event' });
    expect(JSON.parse(entry!.Detail)).toMatchObject({
      service: 'SERVICEQUOTAS',
      eventTypeCode: 'AWS_SERVICEQUOTAS_THRESHOLD_BREACH',
      affectedEntities: [{ entityValue: tables('80.0') }],
    });
    expect((await t.quotas.getServiceQuota(TABLES)).Quota!.Value).toBe(2500);
  });

  test('raises quotas near their limit, if configured', async () => {
    await using t = await managed('NotifyAndAdjust', { iam: [] });
    expect(await t.told(2400)).toEqual([tables('96.0')]);
    expect((await t.quotas.getServiceQuota(TABLES)).Quota!.Value).toBe(3001);
    const { RequestedQuotas } = await t.quotas.listRequestedServiceQuotaChangeHistory({});
    expect(RequestedQuotas).toMatchObject([{ ...TABLES, RequestType: 'AutomaticManagement', Status: 'APPROVED' }]);
  });

  test('skips excluded quotas and applies changed settings', async () => {
    await using t = await managed('NotifyOnly', { iam: [], dynamodb: ['L-F98FE922', 'L-0'] });
    expect(await t.quotas.getAutoManagementConfiguration({})).toMatchObject({
      OptInLevel: 'ACCOUNT',
      OptInType: 'NotifyOnly',
      OptInStatus: 'ENABLED',
      ExclusionList: {
        iam: [],
        dynamodb: [{ QuotaCode: 'L-F98FE922', QuotaName: 'Maximum number of tables' }, { QuotaCode: 'L-0' }],
      },
    });
    expect(await t.told(2400)).toEqual([]);
    await t.quotas.updateAutoManagement({ OptInType: 'NotifyAndAdjust', ExclusionList: { iam: ['L-FE177D64'] } });
    expect(await t.told(2400)).toEqual([tables('96.0')]);
    expect((await t.quotas.getServiceQuota(TABLES)).Quota!.Value).toBe(3001);
  });

  test('ends, and is rejected if it was not started', async () => {
    await using t = await managed('NotifyOnly');
    await t.quotas.stopAutoManagement({});
    expect(await t.told(2500)).toEqual([]);
    expect(await t.quotas.getAutoManagementConfiguration({})).toMatchObject({ OptInStatus: 'DISABLED' });
    const missing = 'NoSuchResourceException: Automatic Management is not started for this account.';
    expect(await failureOf(t.quotas.stopAutoManagement({}))).toBe(missing);
    expect(await failureOf(t.quotas.updateAutoManagement({ OptInType: 'NotifyOnly' }))).toBe(missing);
    const NotificationArn = 'arn:aws:notifications::123456789012:configuration/a01';
    expect(
      await failureOf(
        t.quotas.startAutoManagement({ OptInLevel: 'ACCOUNT', OptInType: 'NotifyOnly', NotificationArn }),
      ),
    ).toMatch(/^NotImplemented: /);
  });

  test('continues without an event bus', async () => {
    await using t = await startQuotas();
    await t.quotas.startAutoManagement({ OptInLevel: 'ACCOUNT', OptInType: 'NotifyAndAdjust' });
    await t.use(2400);
    await t.advance(5 * MINUTE);
    expect((await t.quotas.getServiceQuota(TABLES)).Quota!.Value).toBe(3001);
  });
});

test('a report lists utilization, the greatest first, for fifteen minutes', async () => {
  await using t = await startQuotas();
  await t.use(1000);
  const started = await t.quotas.startQuotaUtilizationReport({});
  expect(started).toMatchObject({ Status: 'PENDING', ReportId: expect.any(String) });
  const { ReportId } = started;
  const first = await t.quotas.getQuotaUtilizationReport({ ReportId, MaxResults: 1 });
  expect(first).toMatchObject({ ReportId, Status: 'COMPLETED', TotalCount: 2 });
  expect(first.Quotas).toEqual([
    {
      QuotaCode: 'L-FE177D64',
      ServiceCode: 'iam',
      QuotaName: 'Roles per account',
      Utilization: 100,
      DefaultValue: 1000,
      AppliedValue: 1000,
      ServiceName: 'AWS Identity and Access Management (IAM)',
      Adjustable: true,
    },
  ]);
  const { Quotas } = await t.quotas.getQuotaUtilizationReport({ ReportId, NextToken: first.NextToken });
  expect(Quotas).toMatchObject([{ QuotaCode: 'L-F98FE922', Utilization: 40 }]);
  await t.advance(15 * MINUTE);
  const gone =
    'NoSuchResourceException: The request failed because the specified quota utilization report does not exist.';
  expect(await failureOf(t.quotas.getQuotaUtilizationReport({ ReportId }))).toBe(gone);
  await t.quotas.startQuotaUtilizationReport({});
  expect(await failureOf(t.quotas.getQuotaUtilizationReport({ ReportId }))).toBe(gone);
});
