import type { ListManagementOptions, MessageTag } from '@emu/service-types/sesv2';
import { type Api, badRequest, invalid, notFound } from '../errors.ts';
import type { Recipients, SentMail } from '../events/sent.ts';
import { bareAddress, checkAddress } from '../identities/addresses.ts';
import { keyForMail } from '../identities/dkim.ts';
import { identityType } from '../resources.ts';
import type { SesState } from '../state.ts';
import {
  checkRecipientCount,
  checkSize,
  checkTags,
  checkTenant,
  checkVerified,
  envelopeDomain,
  fromDomain,
  sendingSet,
} from './checks.ts';
import { compose, type SimpleMail, sign } from './compose.ts';
import { rateRefusal } from './limits.ts';
import { linkUrl } from './links.ts';
import { deliver, recordAndPublish } from './outcomes.ts';
import { addressesIn, directionsIn, headersOf, outgoingRaw, parseMail, partsOf } from './raw.ts';
import { rewriteTexts } from './rewrite.ts';
import { mailDomain } from './system.ts';
import { type Rendered, RenderingFailure, renderTemplate, type TemplateParts } from './templates.ts';
import { hasTrackingDestination, trackedHtml } from './tracking.ts';

/** Content of a mail. */
export type MailContent =
  | { kind: 'simple'; mail: SimpleMail }
  | { kind: 'raw'; data: Buffer }
  | {
      kind: 'template';
      /** Absent for an inline template. */
      name?: string;
      parts: TemplateParts;
      data: Record<string, unknown>;
      /** Data as given by the client. */
      json: string;
      headers?: SimpleMail['headers'];
      attachments?: SimpleMail['attachments'];
    };

/** A mail to send. */
export interface Submission {
  api: Api;
  /** Name of the operation, or `SMTP`. */
  operation: string;
  /** From address; by default the header of a raw mail. */
  source?: string | undefined;
  sourceArn?: string | undefined;
  returnPath?: string | undefined;
  /** ARN of the return path's identity. */
  returnPathArn?: string | undefined;
  /** By default the recipients in the header of a raw mail. */
  recipients?: Recipients | undefined;
  replyTo?: readonly string[] | undefined;
  configurationSet?: string | undefined;
  tags: readonly MessageTag[];
  content: MailContent;
  tenant?: string | undefined;
  list?: ListManagementOptions | undefined;
  /** Caller: name of the identity, and IP address. */
  caller: string;
  sourceIp: string;
  /** Base URL of emu, for links. */
  endpoint: string;
}

/** A submission with the values from a raw mail's header. */
type Complete = Submission & { source: string; recipients: Recipients; replyTo: readonly string[] };

const everybody = ({ to, cc, bcc }: Recipients): string[] => [...to, ...cc, ...bcc];

/**
 * Adds values from the header of a raw mail; values of the request take precedence.
 * @throws AwsError for an invalid mail
 */
async function complete(submission: Submission): Promise<Complete> {
  const { content, api } = submission;
  if (content.kind !== 'raw') {
    const { source, recipients = { to: [], cc: [], bcc: [] }, replyTo = [] } = submission;
    if (source === undefined) throw invalid(api, 'The From address is missing.');
    return { ...submission, source, recipients, replyTo };
  }
  const parsed = await parseMail(content.data);
  const headers = headersOf(parsed);
  const directions = directionsIn(headers);
  const source = submission.source ?? addressesIn(parsed.from)[0];
  if (source === undefined) throw invalid(api, "Missing required header 'From'.");
  if (headers.filter(({ name }) => name.toLowerCase() === 'from').length > 1)
    throw invalid(api, "Duplicate header 'From'.");
  const given = submission.recipients && everybody(submission.recipients).length ? submission.recipients : undefined;
  return {
    ...submission,
    source,
    recipients: given ?? { to: addressesIn(parsed.to), cc: addressesIn(parsed.cc), bcc: addressesIn(parsed.bcc) },
    replyTo: addressesIn(parsed.replyTo),
    configurationSet: submission.configurationSet ?? directions.configurationSet,
    sourceArn: submission.sourceArn ?? directions.sourceArn,
    returnPathArn: submission.returnPathArn ?? directions.returnPathArn,
    tags: submission.tags.length ? submission.tags : directions.tags,
    tenant: submission.tenant ?? directions.tenant,
    list: submission.list ?? directions.list,
  };
}

const UNSUBSCRIBE = /\{\{\s*amazonSESUnsubscribeUrl\s*\}\}/g;

/** Returns the unsubscribe link for a contact; undefined for mail without list management. */
function unsubscribeLink(submission: Complete, messageId: string, addresses: readonly string[], state: SesState) {
  const { list, endpoint, api } = submission;
  if (!list) return undefined;
  const contacts = state.contactLists.get(list.ContactListName);
  if (!contacts) throw notFound(`List with name: ${list.ContactListName} doesn't exist.`);
  if (list.TopicName !== undefined && !contacts.topics.some(({ TopicName }) => TopicName === list.TopicName))
    throw badRequest(`Topic ${list.TopicName} doesn't exist in list ${list.ContactListName}.`);
  if (addresses.length > 1) throw invalid(api, 'List management takes one recipient only.');
  return linkUrl(state, endpoint, {
    kind: 'unsubscribe',
    messageId,
    address: addresses[0] ?? '',
    list: list.ContactListName,
    ...(list.TopicName !== undefined && { topic: list.TopicName }),
  });
}

/** Whether a contact has unsubscribed from a list or topic. */
function hasUnsubscribed(state: SesState, list: ListManagementOptions | undefined, address: string): boolean {
  const contact = list && state.contacts.get(list.ContactListName, address);
  if (!list || !contact) return false;
  if (contact.unsubscribed) return true;
  if (list.TopicName === undefined) return false;
  const said = contact.preferences.find(({ TopicName }) => TopicName === list.TopicName)?.SubscriptionStatus;
  const topics = state.contactLists.get(list.ContactListName)?.topics ?? [];
  const standard = topics.find(({ TopicName }) => TopicName === list.TopicName)?.DefaultSubscriptionStatus;
  return (said ?? standard) === 'OPT_OUT';
}

/**
 * Returns the parts of a mail that is not raw.
 * @throws RenderingFailure
 */
async function partsFor(content: Exclude<MailContent, { kind: 'raw' }>, owner: string): Promise<SimpleMail> {
  if (content.kind === 'simple') return content.mail;
  const rendered: Rendered = await renderTemplate(content.parts, content.data, owner);
  return { ...rendered, headers: content.headers, attachments: content.attachments };
}

/**
 * Accepts a mail, sends it and publishes its events.
 * @returns its message id
 * @throws AwsError of the API for a rejected mail
 */
export async function submit(state: SesState, given: Submission): Promise<string> {
  const { api } = given;
  sendingSet(undefined, state, api);
  if (given.content.kind === 'raw') checkSize(given.content.data.length, api);
  const submission = await complete(given);
  const { source, recipients, replyTo, returnPath, sourceArn, content, list } = submission;
  const named = sendingSet(submission.configurationSet, state, api);
  checkTags(submission.tags, api);
  checkAddress(source, api);
  const addresses = everybody(recipients).map((recipient) => checkAddress(recipient, api));
  checkRecipientCount(addresses.length, api);
  for (const address of replyTo) checkAddress(address, api);
  if (returnPath !== undefined) checkAddress(returnPath, api);
  const { identity, owner } = checkVerified(
    { address: source, arn: sourceArn },
    returnPath === undefined ? undefined : { address: returnPath, arn: submission.returnPathArn },
    everybody(recipients),
    state,
    api,
  );
  const set = named ?? sendingSet(identity.configurationSet, state, api);
  if (submission.tenant !== undefined) checkTenant(submission.tenant, identity, set, state);
  const domain = envelopeDomain(identity, mailDomain(state.region));
  const messageId = state.newMessageId();
  const unsubscribe = unsubscribeLink(submission, messageId, addresses, state);
  const refusal = rateRefusal(state, addresses.length, api);
  if (refusal) throw refusal;
  const mail: SentMail = {
    messageId,
    operation: submission.operation,
    accountId: state.accountId,
    region: state.region,
    source,
    envelopeFrom: `${messageId}@${domain}`,
    identity: identity.name,
    sourceArn: identityType.arn({ name: identity.name }, owner),
    recipients,
    replyTo: [...replyTo],
    ...(returnPath !== undefined && { returnPath }),
    raw: Buffer.alloc(0),
    wasRaw: content.kind === 'raw',
    headers: [],
    attachments: [],
    ...(content.kind === 'template' && content.name !== undefined && { templateName: content.name }),
    ...(content.kind === 'template' && { templateData: content.json }),
    ...(set && { configurationSet: set.name }),
    tags: submission.tags.map((tag) => ({ ...tag })),
    ...(submission.tenant !== undefined && { tenant: submission.tenant }),
    eventTags: {
      'ses:operation': [submission.operation],
      ...(set && { 'ses:configuration-set': [set.name] }),
      'ses:source-ip': [submission.sourceIp],
      'ses:from-domain': [fromDomain(source)],
      'ses:caller-identity': [submission.caller],
      ...Object.fromEntries(submission.tags.map(({ Name, Value }) => [Name, [Value]])),
    },
    sentAt: state.clock.now(),
    events: [],
  };
  try {
    mail.raw = await messageOf(submission, mail, set, unsubscribe, { state, owner });
  } catch (error) {
    if (!(error instanceof RenderingFailure)) throw error;
    const body = { errorMessage: error.message, templateName: mail.templateName ?? '' };
    const at = state.clock.now();
    await recordAndPublish(state, mail, { type: 'RENDERING_FAILURE', at, recipients: addresses, body }, set);
    return messageId;
  }
  checkSize(mail.raw.length, api);
  const parsed = await parseMail(mail.raw);
  Object.assign(mail, partsOf(parsed), { headers: headersOf(parsed) });
  state.sent.add(mail);
  state.statistics.add('attempts', addresses.length);
  const unwanted = addresses.filter((address) => hasUnsubscribed(state, list, address));
  await deliver(state, mail, addresses, set, unwanted);
  return messageId;
}

/**
 * Returns the signed MIME message of a mail.
 * @throws RenderingFailure
 */
async function messageOf(
  { content, recipients, source, replyTo, endpoint }: Complete,
  { messageId, sentAt }: SentMail,
  set: Parameters<typeof deliver>[3],
  unsubscribe: string | undefined,
  { state, owner }: { state: SesState; owner: SesState },
): Promise<Buffer> {
  const header = `<${messageId}@${mailDomain(state.region)}>`;
  const linked = (part: string) => part.replace(UNSUBSCRIBE, () => unsubscribe ?? '');
  const tracked = (html: string) => (set ? trackedHtml(linked(html), state, set, messageId, endpoint) : linked(html));
  const listHeaders =
    unsubscribe === undefined
      ? []
      : [
          { Name: 'List-Unsubscribe', Value: `<${unsubscribe}>` },
          { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
        ];
  let message: Buffer;
  if (content.kind === 'raw') {
    message = outgoingRaw(content.data, await parseMail(content.data), header, sentAt, listHeaders);
    if (unsubscribe !== undefined || (set && hasTrackingDestination(set)))
      message = await rewriteTexts(message, (part, type) => (type === 'text/html' ? tracked(part) : linked(part)));
  } else {
    const { text, html, ...parts } = await partsFor(content, state.accountId);
    message = await compose(
      {
        ...parts,
        headers: [...(parts.headers ?? []), ...listHeaders],
        text: text === undefined ? text : linked(text),
        html: html === undefined ? html : tracked(html),
      },
      { from: source, to: recipients.to, cc: recipients.cc, replyTo, messageId: header, date: sentAt },
      state.ids,
    );
  }
  const key = await keyForMail(owner, bareAddress(source));
  return key ? sign(message, key) : message;
}
