import { domainOf, identityNameOf } from '../identities/names.ts';
import { identityType } from '../resources.ts';
import type { SesState } from '../state.ts';
import { compose } from './compose.ts';
import { headersOf, parseMail, partsOf } from './raw.ts';
import { transmit } from './transmit.ts';

/** A mail sent by SES itself. */
export interface SystemMail {
  /** Kind of mail, for example `VerifyEmailIdentity`. */
  operation: string;
  from: string;
  to: string;
  subject: string;
  text?: string;
  html?: string;
}

/** Returns the domain of SES's message ids. */
export const mailDomain = (region: string): string =>
  region === 'us-east-1' ? 'email.amazonses.com' : `${region}.amazonses.com`;

/**
 * Sends a mail of SES itself, such as a verification mail.
 * @returns its message id
 */
export async function sendSystemMail(
  state: SesState,
  { operation, from, to, ...content }: SystemMail,
  messageId: string = state.newMessageId(),
): Promise<string> {
  const now = state.clock.now();
  const head = {
    from,
    to: [to],
    cc: [],
    replyTo: [],
    messageId: `<${messageId}@${mailDomain(state.region)}>`,
    date: now,
  };
  const raw = await compose(content, head, state.ids);
  const parsed = await parseMail(raw);
  const name = identityNameOf(domainOf(from));
  const mail = {
    messageId,
    operation,
    accountId: state.accountId,
    region: state.region,
    source: from,
    envelopeFrom: from,
    identity: name,
    sourceArn: identityType.arn({ name }, state),
    recipients: { to: [to], cc: [], bcc: [] },
    replyTo: [],
    raw,
    wasRaw: false,
    headers: headersOf(parsed),
    tags: [],
    eventTags: {},
    sentAt: now,
    events: [],
    ...partsOf(parsed),
  };
  state.sent.add(mail);
  await transmit(state, mail, [to]);
  return messageId;
}
