import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, type QuotasTest, REGION, startQuotas, TABLES } from './support.ts';

let t: QuotasTest;
beforeAll(async () => {
  t = await startQuotas();
});
afterAll(() => t[Symbol.asyncDispose]());

const PUT_EVENTS = { ServiceCode: 'events', QuotaCode: 'L-9B653E91' };
const NO_SERVICE = 'NoSuchResourceException: The request failed because the specified service does not exist.';
const NO_QUOTA = 'NoSuchResourceException: The request failed because the specified quota does not exist.';

describe('quotas', () => {
  test('are those declared by services, by code', async () => {
    const first = await t.quotas.listServices({ MaxResults: 3 });
    expect(first.Services).toEqual([
      { ServiceCode: 'dynamodb', ServiceName: 'Amazon DynamoDB' },
      { ServiceCode: 'events', ServiceName: 'Amazon EventBridge (CloudWatch Events)' },
      { ServiceCode: 'iam', ServiceName: 'AWS Identity and Access Management (IAM)' },
    ]);
    const second = await t.quotas.listServices({ NextToken: first.NextToken });
    expect(second.Services!.map(({ ServiceCode }) => ServiceCode)).toEqual(['sqs', 'vpc']);
    const { Quotas } = await t.quotas.listAWSDefaultServiceQuotas({ ServiceCode: 'vpc' });
    expect(Quotas!.map(({ QuotaCode, Value }) => [QuotaCode, Value])).toEqual([
      ['L-0EA8095F', 60],
      ['L-2AEEBF1A', 5],
      ['L-8312C5BB', 168],
    ]);
  });

  test('have the default of the region, its period and unit', async () => {
    const { Quota } = await t.quotas.getAWSDefaultServiceQuota(PUT_EVENTS);
    expect(Quota).toEqual({
      ServiceCode: 'events',
      ServiceName: 'Amazon EventBridge (CloudWatch Events)',
      QuotaArn: `arn:aws:servicequotas:${REGION}::events/L-9B653E91`,
      QuotaCode: 'L-9B653E91',
      QuotaName: 'PutEvents throttle limit',
      Value: 10_000,
      Unit: 'None',
      Adjustable: true,
      GlobalQuota: false,
      Period: { PeriodValue: 1, PeriodUnit: 'SECOND' },
      QuotaAppliedAtLevel: 'ACCOUNT',
    });
    const elsewhere = await t.client({ region: 'eu-west-3' }).getAWSDefaultServiceQuota(PUT_EVENTS);
    expect(elsewhere.Quota!.Value).toBe(600);
    const { Quota: roles } = await t.quotas.getAWSDefaultServiceQuota({ ServiceCode: 'iam', QuotaCode: 'L-FE177D64' });
    expect(roles).toMatchObject({
      QuotaArn: 'arn:aws:servicequotas:::iam/L-FE177D64',
      GlobalQuota: true,
      Unit: 'None',
    });
  });

  test('return the applied value beside the default', async () => {
    await using own = await startQuotas();
    await own.ask(4000);
    const { Quota } = await own.quotas.getServiceQuota(TABLES);
    expect(Quota).toMatchObject({
      Value: 4000,
      QuotaArn: `arn:aws:servicequotas:${REGION}:${ACCOUNT}:dynamodb/L-F98FE922`,
    });
    expect((await own.quotas.getAWSDefaultServiceQuota(TABLES)).Quota!.Value).toBe(2500);
    const { Quotas } = await own.quotas.listServiceQuotas({ ServiceCode: 'dynamodb' });
    expect(Quotas!.map(({ Value }) => Value)).toEqual([4000]);
    const elsewhere = await own.client({ region: 'eu-west-1' }).getServiceQuota(TABLES);
    expect(elsewhere.Quota!.Value).toBe(2500);
  });

  test('are listed by code and level', async () => {
    const codes = async (more: object) =>
      (await t.quotas.listServiceQuotas({ ServiceCode: 'vpc', ...more })).Quotas!.map(({ QuotaCode }) => QuotaCode);
    expect(await codes({ QuotaCode: 'L-2AEEBF1A' })).toEqual(['L-2AEEBF1A']);
    expect(await codes({ QuotaAppliedAtLevel: 'ALL' })).toEqual(['L-0EA8095F', 'L-2AEEBF1A', 'L-8312C5BB']);
    expect(await codes({ QuotaAppliedAtLevel: 'RESOURCE' })).toEqual([]);
  });

  // EKS is a service with the quota L-1194D53C: https://docs.aws.amazon.com/general/latest/gr/eks.html
  test('of services that emu lacks are told apart from those of unknown services', async () => {
    const lacking =
      'NotImplemented: emu does not implement the quotas of Amazon Elastic Kubernetes Service (Amazon EKS).';
    expect(await failureOf(t.quotas.listServiceQuotas({ ServiceCode: 'eks' }))).toBe(lacking);
    expect(await failureOf(t.quotas.listAWSDefaultServiceQuotas({ ServiceCode: 'eks' }))).toBe(lacking);
    const clusters = { ServiceCode: 'eks', QuotaCode: 'L-1194D53C' };
    expect(await failureOf(t.quotas.getServiceQuota(clusters))).toBe(lacking);
    expect(await failureOf(t.quotas.requestServiceQuotaIncrease({ ...clusters, DesiredValue: 200 }))).toBe(lacking);
    const history = (ServiceCode: string) => t.quotas.listRequestedServiceQuotaChangeHistory({ ServiceCode });
    expect((await history('eks')).RequestedQuotas).toEqual([]);
    expect(await failureOf(history('other'))).toBe(NO_SERVICE);
  });

  test('that are unknown are rejected', async () => {
    expect(await failureOf(t.quotas.listServiceQuotas({ ServiceCode: 'DynamoDB' }))).toBe(NO_SERVICE);
    expect(await failureOf(t.quotas.listAWSDefaultServiceQuotas({ ServiceCode: 'other' }))).toBe(NO_SERVICE);
    expect(await failureOf(t.quotas.getServiceQuota({ ...TABLES, QuotaCode: 'L-00000000' }))).toBe(NO_QUOTA);
    expect(await failureOf(t.quotas.getAWSDefaultServiceQuota({ ...TABLES, QuotaCode: 'L-0' }))).toBe(NO_QUOTA);
    expect(await failureOf(t.quotas.getServiceQuota({ ...TABLES, ContextId: 'some-table' }))).toBe(
      'NoSuchResourceException: The request failed because applied value for the specified context Id do not exist.',
    );
    expect(await failureOf(t.quotas.listServices({ NextToken: 'x' }))).toBe(
      'InvalidPaginationTokenException: The pagination token is invalid.',
    );
  });
});

describe('tags', () => {
  const ROLES = `arn:aws:servicequotas::${ACCOUNT}:iam/L-FE177D64`;

  test('are set on regional and global quotas', async () => {
    for (const ResourceARN of [`arn:aws:servicequotas:${REGION}:${ACCOUNT}:dynamodb/L-F98FE922`, ROLES]) {
      const Tags = [
        { Key: 'team', Value: 'orders' },
        { Key: 'zone', Value: 'a' },
      ];
      await t.quotas.tagResource({ ResourceARN, Tags });
      expect((await t.quotas.listTagsForResource({ ResourceARN })).Tags).toEqual(Tags);
      await t.quotas.untagResource({ ResourceARN, TagKeys: ['team', 'other'] });
      expect((await t.quotas.listTagsForResource({ ResourceARN })).Tags).toEqual([Tags[1]]);
    }
    const elsewhere = await t.client({ region: 'eu-west-1' }).listTagsForResource({ ResourceARN: ROLES });
    expect(elsewhere.Tags).toEqual([{ Key: 'zone', Value: 'a' }]);
    await t.quotas.untagResource({ ResourceARN: ROLES, TagKeys: ['zone'] });
    expect((await t.quotas.listTagsForResource({ ResourceARN: ROLES })).Tags).toEqual([]);
  });

  test('are rejected for ARNs of other resources', async () => {
    const tag = (ResourceARN: string, Key = 'a') => t.quotas.tagResource({ ResourceARN, Tags: [{ Key, Value: 'b' }] });
    expect(await failureOf(tag(`arn:aws:servicequotas:${REGION}:${ACCOUNT}:dynamodb/L-0`))).toBe(NO_QUOTA);
    expect(await failureOf(tag(`arn:aws:servicequotas:eu-west-1:${ACCOUNT}:dynamodb/L-F98FE922`))).toBe(NO_QUOTA);
    expect(await failureOf(tag(`arn:aws:servicequotas:${REGION}:${ACCOUNT}:iam/L-FE177D64`))).toBe(NO_QUOTA);
    expect(await failureOf(tag(`arn:aws:sqs:${REGION}:${ACCOUNT}:queue`))).toBe(
      `IllegalArgumentException: arn:aws:sqs:${REGION}:${ACCOUNT}:queue is no ARN of a quota.`,
    );
    expect(await failureOf(tag(ROLES, 'aws:x'))).toBe(
      'IllegalArgumentException: Tag keys must not begin with aws:, which AWS reserves.',
    );
    const Tags = Array.from({ length: 51 }, (_, index) => ({ Key: `k${index}`, Value: '' }));
    expect(await failureOf(t.quotas.tagResource({ ResourceARN: ROLES, Tags }))).toBe(
      'TooManyTagsException: A quota cannot have more than 50 tags.',
    );
  });
});

describe('templates', () => {
  const item = { ServiceCode: 'dynamodb', QuotaCode: TABLES.QuotaCode, AwsRegion: 'eu-west-1' };
  const asks = (client: ReturnType<QuotasTest['client']>) => [
    client.associateServiceQuotaTemplate({}),
    client.disassociateServiceQuotaTemplate({}),
    client.getAssociationForServiceQuotaTemplate({}),
    client.putServiceQuotaIncreaseRequestIntoTemplate({ ...item, DesiredValue: 3000 }),
    client.getServiceQuotaIncreaseRequestFromTemplate(item),
    client.deleteServiceQuotaIncreaseRequestFromTemplate(item),
    client.listServiceQuotaIncreaseRequestsInTemplate({}),
  ];
  const failures = async (client: ReturnType<QuotasTest['client']>) =>
    new Set(await Promise.all(asks(client).map((asked) => failureOf(asked))));

  test('belong to an organization, and to one Region', async () => {
    expect(await failures(t.quotas)).toEqual(
      new Set([
        'NoAvailableOrganizationException: The AWS account making this call is not a member of an organization.',
      ]),
    );
    expect(await failures(t.client({ region: 'eu-west-1' }))).toEqual(
      new Set([
        'TemplatesNotAvailableInRegionException: The Service Quotas template is not available in this AWS Region.',
      ]),
    );
  });

  test('of an organization do not exist', async () => {
    const organizations = fakeService('organizations', { DescribeOrganization: () => ({ Organization: {} }) });
    await using inOne = await startQuotas({ manifests: [organizations] });
    expect(await failures(inOne.quotas)).toEqual(
      new Set(['NotImplemented: emu does not implement servicequotas.templates of an organization.']),
    );
  });
});
