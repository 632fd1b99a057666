import type { DeepReadonly } from '@emu/core/service';
import type {
  DeliverabilityTestReport,
  DomainDeliverabilityCampaign,
  InputOf,
  OutputOf,
  Recommendation,
} from '@emu/service-types/sesv2';
import type { Identity, SesContext } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { submit } from '../../mail/submit.ts';
import { v2Paging } from '../../paging.ts';
import type { TestReportRecord } from '../../records.ts';
import { identityType } from '../../resources.ts';
import type { SesState } from '../../state.ts';
import { tagging } from '../../tags.ts';
import { requestFacts } from '../submission.ts';
import { contentOf } from './sending.ts';

const DAY = 24 * 60 * 60_000;
const MAX_DAYS = 60;

/** Returns recommendations for an identity's settings. */
function recommendationsFor(identity: Identity, state: SesState, now: number): Recommendation[] {
  if (identity.type !== 'DOMAIN') return [];
  const open = (
    Type: NonNullable<Recommendation['Type']>,
    Impact: NonNullable<Recommendation['Impact']>,
    Description: string,
  ): Recommendation => ({
    ResourceArn: identityType.arn({ name: identity.name }, state),
    Type,
    Description,
    Status: 'OPEN',
    CreatedTimestamp: new Date(identity.createdAt),
    LastUpdatedTimestamp: new Date(now),
    Impact,
  });
  const { dkim, mailFrom } = identity;
  const signs = dkim.enabled && dkim.status === 'SUCCESS';
  return [
    ...(signs ? [] : [open('DKIM', 'HIGH', 'DKIM verification is not enabled.')]),
    ...(signs && dkim.length === 'RSA_1024_BIT'
      ? [open('DKIM', 'LOW', 'The DKIM signing key length is below 2048 bits.')]
      : []),
    ...(mailFrom?.status === 'SUCCESS' ? [] : [open('SPF', 'LOW', 'The MAIL FROM record is not aligned.')]),
  ];
}

/**
 * Lists the findings of Virtual Deliverability Manager, if enabled, in the settings of domains.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListRecommendations.html
 */
export function ListRecommendations(
  input: InputOf<'ListRecommendations'>,
  ctx: SesContext,
): OutputOf<'ListRecommendations'> {
  const { state, clock } = ctx;
  const { TYPE, IMPACT, STATUS, RESOURCE_ARN } = input.Filter ?? {};
  const is = (wanted: string | undefined, value: string | undefined) => wanted === undefined || wanted === value;
  const enabled = state.account.vdm?.VdmEnabled === 'ENABLED';
  const found = (enabled ? state.identities.list() : [])
    .flatMap((identity) => recommendationsFor(identity, state, clock.now()))
    .filter(
      ({ Type, Impact, Status, ResourceArn }) =>
        is(TYPE, Type) && is(IMPACT, Impact) && is(STATUS, Status) && is(RESOURCE_ARN, ResourceArn),
    );
  return v2Paging
    .page('ListRecommendations', input, found, ({ ResourceArn, Type }) => `${ResourceArn} ${Type}`)
    .list((recommendation) => recommendation);
}

/** Milliseconds until a test is complete. */
const TEST_TIME = 1000;
/** Simulator address in place of AWS's test mailboxes. */
const PANEL = 'success@simulator.amazonses.com';

type Report = DeepReadonly<TestReportRecord>;

const describeReport = (report: Report, now: number): DeliverabilityTestReport => ({
  ReportId: report.name,
  ...(report.title !== undefined && { ReportName: report.title }),
  ...(report.subject !== undefined && { Subject: report.subject }),
  FromEmailAddress: report.from,
  CreateDate: new Date(report.createdAt),
  DeliverabilityTestStatus: now - report.createdAt < TEST_TIME ? 'IN_PROGRESS' : 'COMPLETED',
});

/**
 * Sends a mail for an inbox placement test. It goes to the mailbox simulator, so the report contains no placement.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateDeliverabilityTestReport.html
 */
export async function CreateDeliverabilityTestReport(
  { ReportName, FromEmailAddress, Content, Tags }: InputOf<'CreateDeliverabilityTestReport'>,
  ctx: SesContext,
): Promise<OutputOf<'CreateDeliverabilityTestReport'>> {
  const { state, ids, clock } = ctx;
  const tags = tagging.merge(undefined, Tags);
  const messageId = await submit(state, {
    ...requestFacts(ctx),
    source: FromEmailAddress,
    recipients: { to: [PANEL], cc: [], bcc: [] },
    tags: [],
    content: await contentOf(Content, ctx),
  });
  const mail = state.sent.get(messageId);
  // Nothing was sent because the template lacks a variable.
  if (!mail) throw badRequest('The content could not be rendered.');
  const ReportId = ids.uuid();
  const report: TestReportRecord = {
    name: ReportId,
    ...(ReportName !== undefined && { title: ReportName }),
    from: FromEmailAddress,
    ...(mail.subject !== undefined && { subject: mail.subject }),
    message: mail.raw.toString('utf8'),
    tags,
    createdAt: clock.now(),
  };
  state.testReports.put(ReportId, report);
  return { ReportId, DeliverabilityTestStatus: 'IN_PROGRESS' };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetDeliverabilityTestReport.html */
export function GetDeliverabilityTestReport(
  { ReportId }: InputOf<'GetDeliverabilityTestReport'>,
  { state, clock }: SesContext,
): OutputOf<'GetDeliverabilityTestReport'> {
  const report = state.testReports.get(ReportId);
  if (!report) throw notFound(`Deliverability test report <${ReportId}> does not exist.`);
  return {
    DeliverabilityTestReport: describeReport(report, clock.now()),
    OverallPlacement: {},
    IspPlacements: [],
    Message: report.message,
    Tags: report.tags.map((tag) => ({ ...tag })),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListDeliverabilityTestReports.html */
export function ListDeliverabilityTestReports(
  input: InputOf<'ListDeliverabilityTestReports'>,
  { state, clock }: SesContext,
): OutputOf<'ListDeliverabilityTestReports'> {
  return v2Paging
    .page('ListDeliverabilityTestReports', input, state.testReports.list(), ({ name }) => name)
    .list((report) => describeReport(report, clock.now()));
}

/**
 * Checks that the dashboard covers a domain in a period.
 * @throws AwsError if it does not
 */
function checkTracked(name: string, from: Date, to: Date, state: SesState): void {
  const { enabled = false, domains = [] } = state.account.dashboard ?? {};
  if (!enabled || !domains.some(({ Domain }) => Domain?.toLowerCase() === name.toLowerCase()))
    throw notFound(`Domain <${name}> is not subscribed to the Deliverability dashboard.`);
  const time = to.getTime() - from.getTime();
  if (time < 0 || time > MAX_DAYS * DAY)
    throw badRequest(`The StartDate must not be after the EndDate, nor more than ${MAX_DAYS} days before it.`);
}

/**
 * Lists the days of a domain's report without figures, as AWS does for domains unknown to mailbox providers.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetDomainStatisticsReport.html
 */
export function GetDomainStatisticsReport(
  { Domain, StartDate, EndDate }: InputOf<'GetDomainStatisticsReport'>,
  { state }: SesContext,
): OutputOf<'GetDomainStatisticsReport'> {
  checkTracked(Domain, StartDate, EndDate, state);
  const first = StartDate.getTime() - (StartDate.getTime() % DAY);
  const days = Math.floor((EndDate.getTime() - first) / DAY) + 1;
  return {
    OverallVolume: {},
    DailyVolumes: Array.from({ length: days }, (_, day) => ({ StartDate: new Date(first + day * DAY) })),
  };
}

/**
 * Returns an empty list: campaigns are detected at mailbox providers, which emu does not have.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListDomainDeliverabilityCampaigns.html
 */
export function ListDomainDeliverabilityCampaigns(
  input: InputOf<'ListDomainDeliverabilityCampaigns'>,
  { state }: SesContext,
): OutputOf<'ListDomainDeliverabilityCampaigns'> {
  checkTracked(input.SubscribedDomain, input.StartDate, input.EndDate, state);
  return v2Paging
    .page(
      'ListDomainDeliverabilityCampaigns',
      input,
      [] as DomainDeliverabilityCampaign[],
      ({ CampaignId = '' }) => CampaignId,
    )
    .list((campaign) => campaign);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetDomainDeliverabilityCampaign.html */
export function GetDomainDeliverabilityCampaign({
  CampaignId,
}: InputOf<'GetDomainDeliverabilityCampaign'>): OutputOf<'GetDomainDeliverabilityCampaign'> {
  throw notFound(`Campaign <${CampaignId}> does not exist.`);
}
