import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, type QuotasTest, REGION, startQuotas, TABLES } from './support.ts';

const DAY = 24 * 60 * 60 * 1000;
const appliedTo = async (t: QuotasTest) => (await t.quotas.getServiceQuota(TABLES)).Quota!.Value;
const statusOf = async (t: QuotasTest, RequestId: string) =>
  (await t.quotas.getRequestedServiceQuotaChange({ RequestId })).RequestedQuota!.Status;

describe('increase requests in immediate mode', () => {
  let t: QuotasTest;
  beforeAll(async () => {
    t = await startQuotas();
  });
  afterAll(() => t[Symbol.asyncDispose]());

  test('are approved and applied', async () => {
    const request = await t.ask(3000);
    expect(request).toMatchObject({
      Id: expect.stringMatching(/^[0-9a-f]{32}[A-Za-z0-9]{8}$/),
      ...TABLES,
      ServiceName: 'Amazon DynamoDB',
      QuotaName: 'Maximum number of tables',
      DesiredValue: 3000,
      Status: 'APPROVED',
      Requester: JSON.stringify({ accountId: ACCOUNT, callerArn: `arn:aws:iam::${ACCOUNT}:root` }),
      QuotaArn: `arn:aws:servicequotas:${REGION}:${ACCOUNT}:dynamodb/L-F98FE922`,
      GlobalQuota: false,
      Unit: 'None',
      QuotaRequestedAtLevel: 'ACCOUNT',
    });
    expect(await appliedTo(t)).toBe(3000);
    expect(await statusOf(t, request.Id)).toBe('APPROVED');
  });

  test("above AWS's maximum are not approved, and denied without a case", async () => {
    const refused = await t.ask(10_001);
    expect(refused).toMatchObject({ Status: 'NOT_APPROVED', CaseId: expect.stringMatching(/^\d{10}$/) });
    const denied = await t.ask(10_001, { SupportCaseAllowed: false });
    expect(denied.Status).toBe('DENIED');
    expect(denied).not.toHaveProperty('CaseId');
    expect((await t.ask(10_000)).Status).toBe('APPROVED');
  });

  test('apply in every region for a global quota', async () => {
    const roles = { ServiceCode: 'iam', QuotaCode: 'L-FE177D64' };
    const { RequestedQuota } = await t.quotas.requestServiceQuotaIncrease({ ...roles, DesiredValue: 2000 });
    expect(RequestedQuota).toMatchObject({
      GlobalQuota: true,
      QuotaArn: `arn:aws:servicequotas::${ACCOUNT}:iam/L-FE177D64`,
    });
    expect((await t.client({ region: 'eu-west-1' }).getServiceQuota(roles)).Quota!.Value).toBe(2000);
  });

  test('limit rules times security groups to 1,000', async () => {
    const ask = async (QuotaCode: string, DesiredValue: number) => {
      const { RequestedQuota } = await t.quotas.requestServiceQuotaIncrease({
        ServiceCode: 'vpc',
        QuotaCode,
        DesiredValue,
      });
      return RequestedQuota!.Status;
    };
    expect(await ask('L-0EA8095F', 201)).toBe('NOT_APPROVED');
    expect(await ask('L-0EA8095F', 200)).toBe('APPROVED');
    expect(await ask('L-2AEEBF1A', 6)).toBe('NOT_APPROVED');
  });

  test('are rejected for quotas that cannot be raised', async () => {
    const current = await appliedTo(t);
    expect(await failureOf(t.ask(current!))).toBe(
      'IllegalArgumentException: You must provide a quota value greater than the current quota value',
    );
    const inFlight = { ServiceCode: 'sqs', QuotaCode: 'L-C491D5A4', DesiredValue: 200_000 };
    expect(await failureOf(t.quotas.requestServiceQuotaIncrease(inFlight))).toBe(
      'IllegalArgumentException: The quota L-C491D5A4 of sqs is not adjustable.',
    );
    expect(await failureOf(t.ask(3, { QuotaCode: 'L-0' }))).toBe(
      'NoSuchResourceException: The request failed because the specified quota does not exist.',
    );
    expect(await failureOf(t.ask(20_000, { ContextId: 'table' }))).toMatch(/^NoSuchResourceException: /);
    expect(await failureOf(statusOf(t, 'unknown'))).toBe(
      'NoSuchResourceException: The request failed because the specified quota increase request does not exist.',
    );
  });
});

describe('increase requests in manual mode', () => {
  test('are pending until they are approved, one per quota', async () => {
    await using t = await startQuotas({ requests: 'manual' });
    const { Id, Status } = await t.ask(3000);
    expect([Status, await appliedTo(t)]).toEqual(['PENDING', 2500]);
    expect(await failureOf(t.ask(3500))).toBe(
      'ResourceAlreadyExistsException: Only one open service quota increase request is allowed per quota.',
    );
    await t.advance(1000);
    const approved = await t.control('POST', `requests/${Id}/approve`);
    expect(approved).toMatchObject({ status: 200, json: { id: Id, status: 'APPROVED', accountId: ACCOUNT } });
    const { created, lastUpdated } = approved.json as { created: string; lastUpdated: string };
    expect(Date.parse(lastUpdated) - Date.parse(created)).toBe(1000);
    expect([await statusOf(t, Id), await appliedTo(t)]).toEqual(['APPROVED', 3000]);
    expect(await t.control('POST', `requests/${Id}/approve`)).toMatchObject({ status: 409 });
    expect((await t.ask(3500)).Status).toBe('PENDING');
  });

  test('never lower the applied value', async () => {
    await using t = await startQuotas({ requests: 'manual' });
    const { Id } = await t.ask(3000);
    await t.control('PUT', 'quotas/dynamodb/L-F98FE922', { value: 5000 });
    expect(await t.control('POST', `requests/${Id}/approve`)).toMatchObject({ json: { status: 'APPROVED' } });
    expect(await appliedTo(t)).toBe(5000);
  });

  test("are not approved above AWS's maximum", async () => {
    await using t = await startQuotas({ requests: 'manual' });
    const { Id } = await t.ask(10_001);
    expect(await t.control('POST', `requests/${Id}/approve`)).toEqual({
      status: 409,
      json: {
        error: {
          code: 'RequestConflict',
          message: '10001 is more than 10000, the greatest value of dynamodb/L-F98FE922.',
        },
      },
    });
    expect([await statusOf(t, Id), await appliedTo(t)]).toEqual(['PENDING', 2500]);
  });

  test.each(['DENIED', 'NOT_APPROVED', 'CASE_CLOSED', 'INVALID_REQUEST'])('are denied as %s', async (status) => {
    await using t = await startQuotas({ requests: 'manual' });
    const { Id } = await t.ask(3000);
    const body = status === 'DENIED' ? undefined : { status };
    expect(await t.control('POST', `requests/${Id}/deny`, body)).toMatchObject({ status: 200, json: { status } });
    expect([await statusOf(t, Id), await appliedTo(t)]).toEqual([status, 2500]);
    expect(await t.control('POST', `requests/${Id}/deny`)).toMatchObject({ status: 409 });
    expect(await t.control('POST', `requests/${Id}/approve`)).toMatchObject({ status: 409 });
  });

  test('receive a support case, and can then be approved but not denied', async () => {
    await using t = await startQuotas({ requests: 'manual' });
    const { Id: RequestId } = await t.ask(3000);
    await t.quotas.createSupportCase({ RequestId });
    const { RequestedQuota } = await t.quotas.getRequestedServiceQuotaChange({ RequestId });
    expect(RequestedQuota).toMatchObject({ Status: 'CASE_OPENED', CaseId: expect.stringMatching(/^\d{10}$/) });
    expect(await failureOf(t.quotas.createSupportCase({ RequestId }))).toBe(
      'ResourceAlreadyExistsException: A support case exists for the quota increase request.',
    );
    expect(await t.control('POST', `requests/${RequestId}/deny`)).toMatchObject({ status: 409 });
    expect(await t.control('POST', `requests/${RequestId}/approve`)).toMatchObject({ json: { status: 'APPROVED' } });
    const { Id } = await t.ask(4000);
    await t.control('POST', `requests/${Id}/deny`);
    expect(await failureOf(t.quotas.createSupportCase({ RequestId: Id }))).toBe(
      'InvalidResourceStateException: A support case is created only for requests that are PENDING; the status is DENIED.',
    );
  });

  test('are limited to twenty per account', async () => {
    await using t = await startQuotas({ requests: 'manual' });
    const regions = Array.from({ length: 20 }, (_, index) => `eu-west-${index + 1}`);
    const ask = (region: string) => t.client({ region }).requestServiceQuotaIncrease({ ...TABLES, DesiredValue: 3000 });
    for (const region of regions) await ask(region);
    expect(await failureOf(ask(REGION))).toMatch(/^QuotaExceededException: You have exceeded your service quota\./);
  });

  test('of a global quota are shared by all regions', async () => {
    await using t = await startQuotas({ requests: 'manual' });
    const ask = (region: string) =>
      t
        .client({ region })
        .requestServiceQuotaIncrease({ ServiceCode: 'iam', QuotaCode: 'L-FE177D64', DesiredValue: 3000 });
    await ask(REGION);
    expect(await failureOf(ask('eu-west-1'))).toMatch(/^ResourceAlreadyExistsException: /);
  });
});

test('the history lists requests newest first, by quota and status, for 90 days', async () => {
  await using t = await startQuotas({ requests: 'manual' });
  const first = await t.ask(3000);
  await t.control('POST', `requests/${first.Id}/deny`);
  await t.advance(1000);
  const second = await t.ask(3000);
  await t.quotas.requestServiceQuotaIncrease({ ServiceCode: 'vpc', QuotaCode: 'L-2AEEBF1A', DesiredValue: 6 });
  const ids = async (input: object) => {
    const { RequestedQuotas } = await t.quotas.listRequestedServiceQuotaChangeHistory(input);
    return RequestedQuotas!.map(({ Id }) => Id);
  };
  expect((await ids({})).length).toBe(3);
  expect(await ids({ ServiceCode: 'dynamodb' })).toEqual([second.Id, first.Id]);
  expect(await ids({ Status: 'DENIED' })).toEqual([first.Id]);
  expect(await ids({ QuotaRequestedAtLevel: 'RESOURCE' })).toEqual([]);
  expect(await failureOf(ids({ ServiceCode: 'other' }))).toMatch(/^NoSuchResourceException: /);
  const page = await t.quotas.listRequestedServiceQuotaChangeHistoryByQuota({ ...TABLES, MaxResults: 1 });
  expect(page.RequestedQuotas!.map(({ Id }) => Id)).toEqual([second.Id]);
  const { NextToken } = page;
  const rest = await t.quotas.listRequestedServiceQuotaChangeHistoryByQuota({ ...TABLES, NextToken });
  expect(rest.RequestedQuotas!.map(({ Id }) => Id)).toEqual([first.Id]);
  expect(
    await failureOf(t.quotas.listRequestedServiceQuotaChangeHistoryByQuota({ ...TABLES, QuotaCode: 'L-0' })),
  ).toMatch(/^NoSuchResourceException: /);
  await t.advance(90 * DAY);
  expect(await ids({ ServiceCode: 'dynamodb' })).toEqual([second.Id]);
});
