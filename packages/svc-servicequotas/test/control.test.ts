import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, type QuotasTest, REGION, startQuotas, TABLES } from './support.ts';

let t: QuotasTest;
beforeAll(async () => {
  t = await startQuotas();
});
afterAll(() => t[Symbol.asyncDispose]());

const refused = (message: string) => ({ status: 400, json: { error: { code: 'InvalidRequest', message } } });
const TABLES_PATH = 'quotas/dynamodb/L-F98FE922';

test('quotas have default and applied value, usage and enforcement', async () => {
  await t.use(7);
  const { json } = await t.control('GET', 'quotas?serviceCode=dynamodb');
  expect(json).toEqual({
    quotas: [
      {
        accountId: ACCOUNT,
        region: REGION,
        serviceCode: 'dynamodb',
        quotaCode: 'L-F98FE922',
        quotaName: 'Maximum number of tables',
        unit: 'None',
        adjustable: true,
        defaultValue: 2500,
        appliedValue: 2500,
        usage: 7,
        enforceable: true,
        enforced: false,
      },
    ],
  });
  const all = await t.control('GET', 'quotas?accountId=000000000002&region=eu-west-1');
  const { quotas } = all.json as { quotas: { accountId: string; region: string; usage?: number }[] };
  expect(quotas).toHaveLength(7);
  expect(quotas[0]).toMatchObject({ accountId: '000000000002', region: 'eu-west-1', usage: 0 });
  expect(quotas[1]).not.toHaveProperty('usage');
});

test('a value below the default can be set in one account and region, and removed', async () => {
  const there = { accountId: '000000000002', region: 'eu-west-1' };
  const set = await t.control('PUT', TABLES_PATH, { ...there, value: 3, enforce: true });
  expect(set).toMatchObject({ status: 200, json: { ...there, defaultValue: 2500, appliedValue: 3, enforced: true } });
  const client = t.client({ accessKeyId: '000000000002', region: 'eu-west-1' });
  expect((await client.getServiceQuota(TABLES)).Quota!.Value).toBe(3);
  expect((await t.quotas.getServiceQuota(TABLES)).Quota!.Value).toBe(2500);
  expect((await t.control('GET', 'enforcement')).json).toEqual({
    enforceAll: false,
    overrides: [{ serviceCode: 'dynamodb', quotaCode: 'L-F98FE922', enforce: true, accountId: '000000000002' }],
  });
  const back = await t.control('DELETE', `${TABLES_PATH}?accountId=000000000002&region=eu-west-1`);
  expect(back).toMatchObject({ status: 200, json: { appliedValue: 2500, enforced: false } });
  expect((await t.control('GET', 'enforcement')).json).toEqual({ enforceAll: false, overrides: [] });
});

test('enforcement can be set for all quotas and overridden for some', async () => {
  const overrides = [{ serviceCode: 'dynamodb', quotaCode: 'L-F98FE922', enforce: false }];
  const on = { enforceAll: true, overrides };
  expect(await t.control('PUT', 'enforcement', on)).toEqual({ status: 200, json: on });
  expect((await t.control('GET', 'quotas?serviceCode=vpc')).json).toMatchObject({
    quotas: [{ enforced: true }, {}, { enforced: false }],
  });
  expect((await t.control('GET', 'quotas?serviceCode=dynamodb')).json).toMatchObject({ quotas: [{ enforced: false }] });
  expect((await t.control('PUT', TABLES_PATH, { enforce: null })).json).toMatchObject({ enforced: true });
  expect((await t.control('PUT', 'enforcement', { enforceAll: false })).json).toEqual({
    enforceAll: false,
    overrides: [],
  });
});

test('quotas that emu does not enforce are listed and have values, but enforcing them is rejected', async () => {
  const LISTED = 'quotas/vpc/L-8312C5BB';
  await t.control('PUT', 'enforcement', { enforceAll: true });
  const { json } = await t.control('PUT', LISTED, { value: 24 });
  expect(json).toMatchObject({ appliedValue: 24, defaultValue: 168, enforceable: false, enforced: false });
  const refusal = refused('emu cannot enforce the quota vpc/L-8312C5BB.');
  expect(await t.control('PUT', LISTED, { enforce: true })).toEqual(refusal);
  const overrides = [{ serviceCode: 'vpc', quotaCode: 'L-8312C5BB', enforce: true }];
  expect(await t.control('PUT', 'enforcement', { overrides })).toEqual(refusal);
  expect((await t.control('DELETE', LISTED)).json).toMatchObject({ appliedValue: 168 });
  await t.control('PUT', 'enforcement', { enforceAll: false });
});

test('lists requests of all accounts newest first; the approval mode can be changed', async () => {
  expect((await t.control('GET', 'request-approval')).json).toEqual({ mode: 'auto' });
  expect(await t.control('PUT', 'request-approval', { mode: 'manual' })).toEqual({
    status: 200,
    json: { mode: 'manual' },
  });
  const first = await t.ask(3000);
  await t.advance(1000);
  const other = t.client({ accessKeyId: '000000000002', region: 'eu-west-1' });
  const { RequestedQuota: second } = await other.requestServiceQuotaIncrease({ ...TABLES, DesiredValue: 4000 });
  await t.control('POST', `requests/${second!.Id}/deny`);
  const ids = async (query: string) => {
    const { json } = await t.control('GET', `requests${query}`);
    return (json as { requests: { id: string }[] }).requests.map(({ id }) => id);
  };
  expect(await ids('')).toEqual([second!.Id, first.Id]);
  expect(await ids(`?accountId=${ACCOUNT}`)).toEqual([first.Id]);
  expect(await ids('?status=DENIED')).toEqual([second!.Id]);
  expect((await t.control('GET', 'request-approval')).json).toEqual({ mode: 'manual' });
});

test('describes errors in requests', async () => {
  expect(await t.control('PUT', 'quotas/sqs/L-0', {})).toMatchObject({
    status: 404,
    json: { error: { code: 'QuotaNotFound' } },
  });
  expect(await t.control('POST', 'requests/none/approve')).toMatchObject({
    status: 404,
    json: { error: { code: 'RequestNotFound' } },
  });
  expect(await t.control('GET', 'requests?status=OPEN')).toEqual(
    refused(
      'status must be one of PENDING, CASE_OPENED, APPROVED, DENIED, CASE_CLOSED, NOT_APPROVED, INVALID_REQUEST.',
    ),
  );
  expect(await t.control('GET', 'requests?accountId=1')).toEqual(refused('accountId must have twelve digits.'));
  expect(await t.control('GET', 'quotas?accountId=1')).toEqual(refused('accountId must have twelve digits.'));
  expect(await t.control('DELETE', 'quotas/sqs/L-0')).toMatchObject({ status: 404 });
  expect(await t.control('POST', 'requests/none/deny')).toMatchObject({ status: 404 });
  expect(await t.control('PUT', TABLES_PATH, { value: -1 })).toEqual(
    refused('value must be a number that is not negative.'),
  );
  expect(await t.control('PUT', TABLES_PATH, { enforce: 'yes' })).toEqual(
    refused('enforce must be true, false or null.'),
  );
  expect(await t.control('PUT', TABLES_PATH, { accountId: '1' })).toEqual(
    refused('accountId must have twelve digits.'),
  );
  expect(await t.control('PUT', TABLES_PATH, { values: 1 })).toEqual(refused('values is not a member of the request.'));
  expect(await t.control('PUT', TABLES_PATH, [])).toEqual(refused('The body must be a JSON object.'));
  expect(await t.control('PUT', 'request-approval', { mode: 'x' })).toEqual(refused('mode must be auto or manual.'));
  const overrides = [{ serviceCode: 'sqs', quotaCode: 'L-0', enforce: true }];
  expect(await t.control('PUT', 'enforcement', { overrides })).toEqual(
    refused('emu cannot enforce the quota sqs/L-0.'),
  );
  const { Id } = await t
    .client({ region: 'eu-west-2' })
    .requestServiceQuotaIncrease({ ...TABLES, DesiredValue: 3000 })
    .then(({ RequestedQuota }) => RequestedQuota!);
  expect(await t.control('POST', `requests/${Id}/deny`, { status: 'APPROVED' })).toEqual(
    refused('status must be one of DENIED, NOT_APPROVED, CASE_CLOSED, INVALID_REQUEST.'),
  );
});
