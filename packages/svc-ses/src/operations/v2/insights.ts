import { notEmulated } from '@emu/core/service';
import type { InputOf, InsightsEvent, MetricDataResult, OutputOf } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import type { MailEvent } from '../../events/mail-event.ts';
import { domainOf } from '../../identities/names.ts';
import { addressInsights } from '../../mail/address-insights.ts';
import { addressesOf, countsAs, eventsAt } from '../../mail/events.ts';
import { identityType } from '../../resources.ts';

const BOUNCE_TYPES = { Permanent: 'PERMANENT', Transient: 'TRANSIENT', Undetermined: 'UNDETERMINED' } as const;

/** Returns an event in the form of insights. */
function insight({ type, at, body }: MailEvent): InsightsEvent {
  const bounceType = BOUNCE_TYPES[body.bounceType as keyof typeof BOUNCE_TYPES];
  const [bounced] = (body.bouncedRecipients as { diagnosticCode?: string }[] | undefined) ?? [];
  return {
    Timestamp: new Date(at),
    Type: type,
    ...(type === 'BOUNCE' && {
      Details: {
        Bounce: {
          BounceType: bounceType,
          BounceSubType: String(body.bounceSubType).toUpperCase(),
          ...(bounced?.diagnosticCode !== undefined && { DiagnosticCode: bounced.diagnosticCode }),
        },
      },
    }),
    ...(type === 'COMPLAINT' && {
      Details: {
        Complaint: {
          ...(typeof body.complaintSubType === 'string' && { ComplaintSubType: body.complaintSubType }),
          ...(typeof body.complaintFeedbackType === 'string' && { ComplaintFeedbackType: body.complaintFeedbackType }),
        },
      },
    }),
  };
}

/**
 * Returns insights of an address. AWS uses DNS and its mail server, which emu does not.
 * @throws AwsError 501 for an address whose validity is unknown
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetEmailAddressInsights.html
 */
export function GetEmailAddressInsights(
  { EmailAddress }: InputOf<'GetEmailAddressInsights'>,
  { state }: SesContext,
): OutputOf<'GetEmailAddressInsights'> {
  const validation = addressInsights(EmailAddress, state);
  if (!validation) throw notEmulated('validation of addresses by their DNS records and mail servers', 'ses');
  return { MailboxValidation: validation };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetMessageInsights.html */
export function GetMessageInsights(
  { MessageId }: InputOf<'GetMessageInsights'>,
  { state }: SesContext,
): OutputOf<'GetMessageInsights'> {
  const mail = state.sent.get(MessageId);
  if (!mail) throw notFound(`Message <${MessageId}> does not exist.`);
  return {
    MessageId,
    FromEmailAddress: mail.source,
    ...(mail.subject !== undefined && { Subject: mail.subject }),
    EmailTags: Object.entries(mail.eventTags).map(([Name, [Value = '']]) => ({ Name, Value })),
    Insights: addressesOf(mail).map((address) => ({
      Destination: address,
      Isp: domainOf(address),
      Events: eventsAt(mail, address).map(insight),
    })),
  };
}

const DAY = 24 * 60 * 60_000;
const MAX_DAYS = 60;

/**
 * Counts the events of stored mails by day.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_BatchGetMetricData.html
 */
export function BatchGetMetricData(
  { Queries }: InputOf<'BatchGetMetricData'>,
  ctx: SesContext,
): OutputOf<'BatchGetMetricData'> {
  const { state } = ctx;
  const names = new Set(Queries.map(({ Id }) => Id));
  if (names.size < Queries.length) throw badRequest('The ids of the queries must be unique.');
  const Results = Queries.map(({ Id, Metric, Dimensions = {}, StartDate, EndDate }): MetricDataResult => {
    const [from, to] = [StartDate.getTime(), EndDate.getTime()];
    if (from >= to || to - from > MAX_DAYS * DAY) throw badRequest(`The dates of the query <${Id}> are not valid.`);
    const { EMAIL_IDENTITY, CONFIGURATION_SET, ISP } = Dimensions;
    const days = new Map<number, number>();
    for (const mail of state.sent.list()) {
      const arn = identityType.arn({ name: mail.identity }, state);
      if (EMAIL_IDENTITY !== undefined && EMAIL_IDENTITY !== mail.identity && EMAIL_IDENTITY !== arn) continue;
      if (CONFIGURATION_SET !== undefined && CONFIGURATION_SET !== mail.configurationSet) continue;
      for (const event of mail.events) {
        if (event.at < from || event.at >= to || !countsAs(Metric, event)) continue;
        const isps = event.recipients.filter((address) => ISP === undefined || domainOf(address) === ISP);
        const day = event.at - (event.at % DAY);
        if (isps.length) days.set(day, (days.get(day) ?? 0) + isps.length);
      }
    }
    const sorted = [...days].sort(([a], [b]) => a - b);
    return { Id, Timestamps: sorted.map(([day]) => new Date(day)), Values: sorted.map(([, count]) => count) };
  });
  return { Results, Errors: [] };
}
