import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchesFilter } from '../src/jobs/export-rows.ts';
import { ACCOUNT, failureOf, REGION, type SesTest, START, startSes } from './support.ts';

let t: SesTest;

beforeAll(async () => {
  t = await startSes();
  await t.v2.createEmailIdentity({ EmailIdentity: 'example.com' });
  await t.v2.createConfigurationSet({ ConfigurationSetName: 'set' });
  const send = (address: string, subject: string) =>
    t.v2.sendEmail({
      FromEmailAddress: 'Shop <shop@example.com>',
      ConfigurationSetName: 'set',
      Destination: { ToAddresses: [address] },
      Content: { Simple: { Subject: { Data: subject }, Body: { Text: { Data: 'text' } } } },
    });
  await send('success@simulator.amazonses.com', 'Your order, "two" of them');
  await send('bounce@simulator.amazonses.com', '=1+1');
  await send('ann@example.org', 'News');
});
afterAll(() => t[Symbol.asyncDispose]());

const whole = { StartDate: new Date(START), EndDate: new Date(Date.parse(START) + 24 * 60 * 60_000) };
const metrics = {
  ...whole,
  Namespace: 'VDM' as const,
  Dimensions: { EMAIL_IDENTITY: ['example.com'], ISP: ['*'] },
  Metrics: [
    { Name: 'PERMANENT_BOUNCE' as const, Aggregation: 'VOLUME' as const },
    { Name: 'PERMANENT_BOUNCE' as const, Aggregation: 'RATE' as const },
  ],
};

/** Runs a job to its end. */
async function exported(source: object, DataFormat: 'CSV' | 'JSON') {
  const { JobId } = await t.v2.createExportJob({ ExportDataSource: source, ExportDestination: { DataFormat } });
  expect(await t.v2.getExportJob({ JobId })).toMatchObject({ JobStatus: 'CREATED', ExportDestination: { DataFormat } });
  await t.emulator.kernel.clock.advance(1000);
  const job = await t.v2.getExportJob({ JobId });
  expect(job.JobStatus).toBe('COMPLETED');
  const { status, body } = await t.open(job.ExportDestination!.S3Url!);
  expect(status).toBe(200);
  return { job, body };
}

describe('exports', () => {
  test('exports metrics as volumes and rates by dimension values', async () => {
    const { job, body } = await exported({ MetricsDataSource: metrics }, 'CSV');
    expect(job).toMatchObject({
      ExportSourceType: 'METRICS_DATA',
      ExportDataSource: { MetricsDataSource: metrics },
      Statistics: { ExportedRecordsCount: 4 },
    });
    const day = '2026-01-01T00:00:00.000Z';
    expect(body.trim().split('\n')).toEqual([
      'Timestamp,EMAIL_IDENTITY,ISP,Metric,Aggregation,Value',
      `${day},example.com,example.org,PERMANENT_BOUNCE,VOLUME,0`,
      `${day},example.com,example.org,PERMANENT_BOUNCE,RATE,0`,
      `${day},example.com,simulator.amazonses.com,PERMANENT_BOUNCE,VOLUME,1`,
      `${day},example.com,simulator.amazonses.com,PERMANENT_BOUNCE,RATE,0.5`,
    ]);
    const other = { ...metrics, Dimensions: { EMAIL_IDENTITY: ['other.example'] } };
    expect((await exported({ MetricsDataSource: other }, 'JSON')).body).toBe('');
  });

  test('exports message insights by filters', async () => {
    const all = await exported({ MessageInsightsDataSource: whole }, 'CSV');
    expect(all.job.Statistics).toEqual({ ProcessedRecordsCount: 3, ExportedRecordsCount: 3 });
    // Spreadsheet programs would interpret text that starts like a formula.
    expect(all.body).toContain(`,'=1+1,bounce@simulator.amazonses.com,`);
    expect(all.body).toContain('"Your order, ""two"" of them"');
    const rowsOf = async (source: object) =>
      (await exported({ MessageInsightsDataSource: { ...whole, ...source } }, 'JSON')).body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, string>);
    const bounced = await rowsOf({ Include: { LastDeliveryEvent: ['PERMANENT_BOUNCE'] } });
    expect(bounced).toMatchObject([{ Destination: 'bounce@simulator.amazonses.com', Isp: 'simulator.amazonses.com' }]);
    const insights = await t.v2.getMessageInsights({ MessageId: bounced[0]!.MessageId });
    expect(insights.Insights![0]!.Events!.map(({ Type }) => Type)).toContain('BOUNCE');
    const simulated = { Isp: ['simulator.amazonses.com'] };
    const subjects = async (source: object) => (await rowsOf(source)).map(({ Subject }) => Subject);
    expect(await subjects({ Exclude: simulated })).toEqual(['News']);
    expect(await subjects({ Include: { ...simulated, Subject: ['Your*'] } })).toEqual(['Your order, "two" of them']);
    expect(await subjects({ Include: { FromEmailAddress: ['*@example.com'], Destination: ['ann*'] } })).toEqual([
      'News',
    ]);
    expect(await subjects({ MaxResults: 1 })).toHaveLength(1);
    expect(await subjects({ Include: { LastEngagementEvent: ['OPEN'] } })).toEqual([]);
  });

  test('supports filters with wildcards', () => {
    expect(matchesFilter('a*', 'abc')).toBe(true);
    expect(matchesFilter('*c', 'abc')).toBe(true);
    expect(matchesFilter('*b*', 'abc')).toBe(true);
    expect(matchesFilter('*', 'abc')).toBe(true);
    expect(matchesFilter('b', 'abc')).toBe(false);
    expect(matchesFilter('a\\*', 'abc')).toBe(false);
    expect(matchesFilter('a\\*', 'a*')).toBe(true);
    expect(matchesFilter('a\\\\*', 'a\\bc')).toBe(true);
  });

  test('are listed, and cancelled while running', async () => {
    const { v2 } = t;
    const { JobId } = await v2.createExportJob({
      ExportDataSource: { MetricsDataSource: metrics },
      ExportDestination: { DataFormat: 'CSV' },
    });
    await v2.cancelExportJob({ JobId });
    await t.emulator.kernel.clock.advance(5000);
    const job = await v2.getExportJob({ JobId });
    expect(job).toMatchObject({ JobStatus: 'CANCELLED', ExportDestination: { DataFormat: 'CSV' } });
    expect(job.ExportDestination!.S3Url).toBeUndefined();
    expect(await failureOf(v2.cancelExportJob({ JobId }))).toBe(
      `BadRequestException: Export job <${JobId}> is CANCELLED and cannot be cancelled.`,
    );
    expect((await v2.listExportJobs({ JobStatus: 'CANCELLED' })).ExportJobs).toMatchObject([{ JobId }]);
    const insights = (await v2.listExportJobs({ ExportSourceType: 'MESSAGE_INSIGHTS' })).ExportJobs!;
    expect(insights.length).toBeGreaterThan(1);
    const page = await v2.listExportJobs({ ExportSourceType: 'MESSAGE_INSIGHTS', PageSize: 1 });
    const rest = await v2.listExportJobs({ ExportSourceType: 'MESSAGE_INSIGHTS', NextToken: page.NextToken });
    expect([...page.ExportJobs!, ...rest.ExportJobs!]).toEqual(insights);
    const none = 'NotFoundException: Export job <no> does not exist.';
    expect(await failureOf(v2.getExportJob({ JobId: 'no' }))).toBe(none);
    expect(await failureOf(v2.cancelExportJob({ JobId: 'no' }))).toBe(none);
  });

  test('reject invalid sources', async () => {
    const start = (ExportDataSource: object, destination = {}) =>
      failureOf(
        t.v2.createExportJob({ ExportDataSource, ExportDestination: { DataFormat: 'CSV' as const, ...destination } }),
      );
    const one = 'BadRequestException: An export has exactly one data source.';
    expect(await start({})).toBe(one);
    expect(await start({ MetricsDataSource: metrics, MessageInsightsDataSource: whole })).toBe(one);
    expect(await start({ MessageInsightsDataSource: { ...whole, EndDate: whole.StartDate } })).toBe(
      'BadRequestException: The StartDate must be before the EndDate.',
    );
    expect(await start({ MetricsDataSource: { ...metrics, Metrics: [{ Aggregation: 'RATE' }] } })).toBe(
      'BadRequestException: A metric needs a Name.',
    );
    expect(await start({ MetricsDataSource: metrics }, { S3Url: 's3://bucket/key' })).toBe(
      'BadRequestException: The S3Url of an export is not chosen by its client.',
    );
  });
});

describe('deliverability', () => {
  test('recommends missing domain settings, if enabled', async () => {
    const { v2 } = t;
    expect((await v2.listRecommendations({})).Recommendations).toEqual([]);
    await v2.putAccountVdmAttributes({ VdmAttributes: { VdmEnabled: 'ENABLED' } });
    const ResourceArn = `arn:aws:ses:${REGION}:${ACCOUNT}:identity/example.com`;
    const types = async () => (await v2.listRecommendations({})).Recommendations!.map(({ Type }) => Type);
    expect(await types()).toEqual(['SPF']);
    await v2.putEmailIdentityMailFromAttributes({ EmailIdentity: 'example.com', MailFromDomain: 'mail.example.com' });
    await v2.putEmailIdentityDkimAttributes({ EmailIdentity: 'example.com', SigningEnabled: false });
    expect((await v2.listRecommendations({ Filter: { IMPACT: 'HIGH' } })).Recommendations).toMatchObject([
      { ResourceArn, Type: 'DKIM', Status: 'OPEN', Description: 'DKIM verification is not enabled.' },
    ]);
    expect((await v2.listRecommendations({ Filter: { STATUS: 'FIXED' } })).Recommendations).toEqual([]);
    await v2.putEmailIdentityDkimAttributes({ EmailIdentity: 'example.com', SigningEnabled: true });
    expect(await types()).toEqual([]);
  });

  test('tests send a mail and report no figures', async () => {
    const { v2 } = t;
    const FromEmailAddress = 'shop@example.com';
    const Content = { Simple: { Subject: { Data: 'Offer' }, Body: { Text: { Data: 'Buy.' } } } };
    const { ReportId, DeliverabilityTestStatus } = await v2.createDeliverabilityTestReport({
      ReportName: 'spring',
      FromEmailAddress,
      Content,
      Tags: [{ Key: 'team', Value: 'a' }],
    });
    expect(DeliverabilityTestStatus).toBe('IN_PROGRESS');
    const report = await v2.getDeliverabilityTestReport({ ReportId });
    expect(report).toMatchObject({
      DeliverabilityTestReport: { ReportId, ReportName: 'spring', Subject: 'Offer', FromEmailAddress },
      OverallPlacement: {},
      IspPlacements: [],
      Tags: [{ Key: 'team', Value: 'a' }],
    });
    expect(report.Message).toContain('Buy.');
    const { emails } = await t.get<{ emails: { subject: string; operation: string }[] }>('/emails');
    expect(emails).toContainEqual(
      expect.objectContaining({ subject: 'Offer', operation: 'CreateDeliverabilityTestReport' }),
    );
    await t.emulator.kernel.clock.advance(1000);
    expect((await v2.listDeliverabilityTestReports({})).DeliverabilityTestReports).toMatchObject([
      { ReportId, DeliverabilityTestStatus: 'COMPLETED' },
    ]);
    const ResourceArn = `arn:aws:ses:${REGION}:${ACCOUNT}:deliverability-test-report/${ReportId}`;
    await v2.tagResource({ ResourceArn, Tags: [{ Key: 'team', Value: 'b' }] });
    expect((await v2.getDeliverabilityTestReport({ ReportId })).Tags).toEqual([{ Key: 'team', Value: 'b' }]);
    expect(
      await failureOf(v2.createDeliverabilityTestReport({ FromEmailAddress: 'x@other.example', Content })),
    ).toMatch(/^MessageRejected: Email address is not verified/);
    const missing = { Template: { TemplateContent: { Subject: '{{who}}', Text: 't' }, TemplateData: '{}' } };
    expect(await failureOf(v2.createDeliverabilityTestReport({ FromEmailAddress, Content: missing }))).toBe(
      'BadRequestException: The content could not be rendered.',
    );
    expect((await v2.listDeliverabilityTestReports({})).DeliverabilityTestReports).toHaveLength(1);
    expect(await failureOf(v2.getDeliverabilityTestReport({ ReportId: 'no' }))).toBe(
      'NotFoundException: Deliverability test report <no> does not exist.',
    );
  });

  test('reports the days of a subscribed domain and no campaigns', async () => {
    const { v2 } = t;
    const time = { StartDate: new Date('2026-01-01'), EndDate: new Date('2026-01-03') };
    const none = 'NotFoundException: Domain <example.com> is not subscribed to the Deliverability dashboard.';
    expect(await failureOf(v2.getDomainStatisticsReport({ Domain: 'example.com', ...time }))).toBe(none);
    await v2.putDeliverabilityDashboardOption({
      DashboardEnabled: true,
      SubscribedDomains: [{ Domain: 'example.com' }],
    });
    const report = await v2.getDomainStatisticsReport({ Domain: 'example.com', ...time });
    expect(report.DailyVolumes!.map(({ StartDate }) => StartDate!.toISOString().slice(0, 10))).toEqual([
      '2026-01-01',
      '2026-01-02',
      '2026-01-03',
    ]);
    expect(
      await failureOf(
        v2.getDomainStatisticsReport({ Domain: 'example.com', StartDate: time.EndDate, EndDate: time.StartDate }),
      ),
    ).toMatch(/^BadRequestException: The StartDate must not be after/);
    const campaigns = { SubscribedDomain: 'example.com', ...time };
    expect((await v2.listDomainDeliverabilityCampaigns(campaigns)).DomainDeliverabilityCampaigns).toEqual([]);
    expect(await failureOf(v2.listDomainDeliverabilityCampaigns({ ...campaigns, SubscribedDomain: 'x.example' }))).toBe(
      'NotFoundException: Domain <x.example> is not subscribed to the Deliverability dashboard.',
    );
    expect(await failureOf(v2.getDomainDeliverabilityCampaign({ CampaignId: 'no' }))).toBe(
      'NotFoundException: Campaign <no> does not exist.',
    );
  });
});
