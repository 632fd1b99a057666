import { metricsOf } from '@emu/core/service';
import type { SuppressionListReason } from '@emu/service-types/sesv2';
import type { ConfigurationSet } from '../context.ts';
import {
  bounce,
  complaint,
  delivery,
  SUPPRESSED_BY_ACCOUNT,
  SUPPRESSED_GLOBALLY,
  USER_UNKNOWN,
  WORDS,
} from '../events/event.ts';
import type { MailEvent } from '../events/mail-event.ts';
import { notify } from '../events/notifications.ts';
import { publish } from '../events/publish.ts';
import type { SentMail } from '../events/sent.ts';
import { bareAddress } from '../identities/addresses.ts';
import type { SesState } from '../state.ts';
import { sendSystemMail } from './system.ts';
import { transmit } from './transmit.ts';

const SIMULATOR = /^(success|bounce|complaint|ooto|suppressionlist)(\+[^@]*)?@simulator\.amazonses\.com$/i;

/** Returns the simulator mailbox of an address; undefined for other addresses. */
export const simulated = (address: string): string | undefined => SIMULATOR.exec(address)?.[1]?.toLowerCase();

/** Standard test pattern of virus scanners, in parts so that scanners do not report this file. */
const TEST_VIRUS = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Whether a mail contains the virus test pattern in its text or attachments. */
function hasVirus(raw: Buffer): boolean {
  if (raw.includes(TEST_VIRUS)) return true;
  const encoded = Buffer.from(TEST_VIRUS).toString('base64').slice(0, 60);
  return raw.includes(encoded);
}

/** Records and counts an event, and publishes it. */
export async function recordAndPublish(
  state: SesState,
  mail: SentMail,
  event: MailEvent,
  set: ConfigurationSet | undefined,
): Promise<void> {
  state.sent.note(mail, event);
  count(state, event, set);
  if (set) await publish(state, set, mail, event);
  const notified = await notify(state, mail, event);
  if (!notified && (event.type === 'BOUNCE' || event.type === 'COMPLAINT')) await forward(state, mail, event);
}

function count(state: SesState, event: MailEvent, set: ConfigurationSet | undefined): void {
  const recipients = event.recipients.length;
  if (event.type === 'BOUNCE') state.statistics.add('bounces', recipients);
  if (event.type === 'COMPLAINT') state.statistics.add('complaints', recipients);
  if (event.type === 'REJECT') state.statistics.add('rejects');
  const metrics = metricsOf(state.scope.service, state.accountId, state.region);
  const { metric } = WORDS[event.type];
  metrics?.resource('AWS/SES', {}).add(metric, 1, event.at);
  if (!set?.reputationMetrics) return;
  const rates = state.reputationOf(set.name);
  if (event.type === 'SEND') rates.sends += recipients;
  if (event.type === 'BOUNCE' && event.body.bounceType === 'Permanent') rates.bounces += recipients;
  if (event.type === 'COMPLAINT') rates.complaints += recipients;
  const ofSet = metrics?.resource('AWS/SES', { 'ses:configuration-set': set.name });
  ofSet?.add('Reputation.BounceRate', rates.bounces / Math.max(1, rates.sends), event.at, 'Percent');
  ofSet?.add('Reputation.ComplaintRate', rates.complaints / Math.max(1, rates.sends), event.at, 'Percent');
}

/**
 * Forwards a bounce or complaint to its sender by mail, if the identity enables it and has no topic.
 * @see https://docs.aws.amazon.com/ses/latest/dg/monitor-sending-activity-using-notifications-email.html
 */
async function forward(state: SesState, mail: SentMail, event: MailEvent): Promise<void> {
  const identity = state.identity(mail.identity);
  if (identity?.forwarding !== true) return;
  const bounced = event.type === 'BOUNCE';
  const list = event.recipients.join('\n');
  await sendSystemMail(state, {
    operation: bounced ? 'BounceForwarding' : 'ComplaintForwarding',
    from: 'MAILER-DAEMON@amazonses.com',
    to: bareAddress(mail.returnPath ?? mail.source),
    subject: bounced ? 'Delivery Status Notification (Failure)' : 'Complaint about a message that you sent',
    text: bounced
      ? `An error occurred while trying to deliver the mail to the following recipients:\n${list}`
      : `The following recipients have complained about the mail ${mail.messageId}:\n${list}`,
  });
}

/** Returns the reason why the account suppresses an address; undefined if it does not. */
function suppressedFor(
  state: SesState,
  address: string,
  set: ConfigurationSet | undefined,
): SuppressionListReason | undefined {
  const reasons = set?.suppression?.reasons ?? state.account.suppressedReasons;
  const record = state.suppressed.get(address.toLowerCase());
  return record && reasons.includes(record.reason) ? record.reason : undefined;
}

/** Adds an address to the account's suppression list, if enabled for the reason. */
function suppress(state: SesState, mail: SentMail, address: string, reason: SuppressionListReason, feedbackId: string) {
  if (!state.account.suppressedReasons.includes(reason)) return;
  state.suppressed.put(address.toLowerCase(), {
    address: address.toLowerCase(),
    reason,
    updatedAt: state.clock.now(),
    messageId: mail.messageId,
    feedbackId,
  });
}

/**
 * Delivers a mail and publishes the outcome. The mailbox simulator decides for its addresses, the suppression list for
 * those on it, otherwise an SMTP server if configured; without one, delivery succeeds.
 * @see https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html#send-email-simulator
 */
export async function deliver(
  state: SesState,
  mail: SentMail,
  addresses: readonly string[],
  set: ConfigurationSet | undefined,
  unsubscribed: readonly string[] = [],
): Promise<void> {
  const happens = (event: MailEvent) => recordAndPublish(state, mail, event, set);
  const now = () => state.clock.now();
  await happens({ type: 'SEND', at: now(), recipients: addresses, body: {} });
  if (hasVirus(mail.raw)) {
    await happens({ type: 'REJECT', at: now(), recipients: addresses, body: { reason: 'Bad content' } });
    return;
  }
  const feedback = () => state.newMessageId();
  const open: string[] = [];
  for (const address of addresses) {
    const mailbox = simulated(address);
    const reason = suppressedFor(state, address, set);
    if (unsubscribed.includes(address)) {
      const why = {
        ...SUPPRESSED_BY_ACCOUNT,
        subType: 'UnsubscribedRecipient',
        diagnostic: 'The recipient has unsubscribed from this contact list or topic.',
      };
      await happens(bounce([address], why, feedback(), now()));
    } else if (reason === 'BOUNCE') await happens(bounce([address], SUPPRESSED_BY_ACCOUNT, feedback(), now()));
    else if (reason === 'COMPLAINT') await happens(complaint([address], 'OnAccountSuppressionList', feedback(), now()));
    else if (mailbox === 'bounce') await happens(bounce([address], USER_UNKNOWN, feedback(), now()));
    else if (mailbox === 'suppressionlist') await happens(bounce([address], SUPPRESSED_GLOBALLY, feedback(), now()));
    else if (mailbox === undefined) open.push(address);
    else {
      await happens(delivery(mail, [address], now()));
      if (mailbox === 'complaint') await happens(complaint([address], undefined, feedback(), now()));
      if (mailbox === 'ooto')
        await sendSystemMail(state, {
          operation: 'OutOfTheOffice',
          from: address,
          to: bareAddress(mail.returnPath ?? mail.source),
          subject: `Out of the office: ${mail.subject ?? ''}`,
          text: 'I am out of the office.',
        });
    }
  }
  const { delivered, failed } = await transmit(state, mail, open, set?.tlsPolicy === 'REQUIRE');
  if (delivered.length) await happens(delivery(mail, delivered, now()));
  for (const { recipient, reply, permanent } of failed) {
    const feedbackId = feedback();
    const why = {
      type: permanent ? 'Permanent' : 'Transient',
      subType: 'General',
      status: permanent ? '5.0.0' : '4.0.0',
      diagnostic: `smtp; ${reply}`,
    } as const;
    if (permanent) suppress(state, mail, recipient, 'BOUNCE', feedbackId);
    await happens(bounce([recipient], why, feedbackId, now()));
  }
}
