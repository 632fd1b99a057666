import type { DataPlaneRequest, DataPlaneResponse, ServiceHandle } from '@emu/core/service';
import { bareAddress } from '../identities/addresses.ts';
import { markVerified } from '../identities/identities.ts';
import type { ContactRecord } from '../records.ts';
import type { SesState } from '../state.ts';
import { LINKS } from './link-path.ts';
import { type Link, readLink } from './links.ts';
import { recordAndPublish } from './outcomes.ts';

/** A transparent picture of one pixel. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const page = (status: number, text: string): DataPlaneResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  body: `<!doctype html><title>Amazon SES</title><p>${text}</p>`,
});

const redirect = (location: string): DataPlaneResponse => ({
  status: 302,
  headers: { location, 'cache-control': 'no-store' },
  body: '',
});

const NOT_FOUND = page(404, 'This link is not valid.');

/** Returns the client that opened a mail. */
const opener = ({ headers, remoteAddress }: DataPlaneRequest) => ({
  userAgent: String(headers['user-agent'] ?? ''),
  ipAddress: remoteAddress ?? '127.0.0.1',
});

/** Publishes an open or click, if the mail is still stored. */
async function publishEngagement(state: SesState, link: Link, request: DataPlaneRequest): Promise<void> {
  const mail = link.messageId === undefined ? undefined : state.sent.get(link.messageId);
  if (!mail) return;
  const { to, cc, bcc } = mail.recipients;
  const at = state.clock.now();
  const set = mail.configurationSet === undefined ? undefined : state.sets.get(mail.configurationSet);
  const seen = { timestamp: new Date(at).toISOString(), ...opener(request) };
  const body = link.kind === 'open' ? seen : { ...seen, link: link.url, linkTags: link.tags ?? null };
  const recipients = [...to, ...cc, ...bcc].map(bareAddress);
  await recordAndPublish(state, mail, { type: link.kind === 'open' ? 'OPEN' : 'CLICK', at, recipients, body }, set);
}

/** Unsubscribes an address from a topic or the whole list. */
async function unsubscribe(
  state: SesState,
  { list = '', topic, address = '', messageId = '' }: Link,
): Promise<boolean> {
  const contacts = state.contactLists.get(list);
  if (!contacts) return false;
  const now = state.clock.now();
  const before = structuredClone(state.contacts.get(list, address)) as ContactRecord | undefined;
  const contact: ContactRecord = before ?? {
    list,
    address,
    preferences: [],
    unsubscribed: false,
    createdAt: now,
    updatedAt: now,
  };
  const changed: ContactRecord = {
    ...contact,
    ...(topic === undefined
      ? { unsubscribed: true }
      : {
          preferences: [
            ...contact.preferences.filter(({ TopicName }) => TopicName !== topic),
            { TopicName: topic, SubscriptionStatus: 'OPT_OUT' as const },
          ],
        }),
    updatedAt: now,
  };
  state.contacts.put(changed);
  const mail = state.sent.get(messageId);
  if (!mail) return true;
  const preferencesOf = ({ unsubscribed, preferences }: ContactRecord) => ({
    unsubscribeAll: unsubscribed,
    topicSubscriptionStatus: preferences.map(({ TopicName: topicName, SubscriptionStatus: subscriptionStatus }) => ({
      topicName,
      subscriptionStatus: subscriptionStatus === 'OPT_IN' ? 'OptIn' : 'OptOut',
    })),
  });
  const body = {
    contactList: list,
    timestamp: new Date(now).toISOString(),
    source: 'UnsubscribeHeader',
    newTopicPreferences: preferencesOf(changed),
    oldTopicPreferences: preferencesOf(contact),
  };
  const set = mail.configurationSet === undefined ? undefined : state.sets.get(mail.configurationSet);
  await recordAndPublish(state, mail, { type: 'SUBSCRIPTION', at: now, recipients: [address], body }, set);
  return true;
}

/** Verifies an address; the link is valid once. */
function verify(state: SesState, { identity: name = '', secret }: Link): DataPlaneResponse {
  const identity = state.identity(name);
  if (!identity || identity.secret === undefined || identity.secret !== secret) {
    const failure = identity?.redirects?.failure;
    return failure === undefined ? NOT_FOUND : redirect(failure);
  }
  const { redirects } = identity;
  markVerified(state, name);
  return redirects ? redirect(redirects.success) : page(200, 'The address is verified.');
}

/** Serves the file of an export. */
function exported(state: SesState, { job = '' }: Link): DataPlaneResponse {
  const { file, format } = state.exports.get(job) ?? {};
  if (file === undefined) return NOT_FOUND;
  return {
    status: 200,
    headers: {
      'content-type': format === 'CSV' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'content-disposition': `attachment; filename="${job}.${format === 'CSV' ? 'csv' : 'json'}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    body: file,
  };
}

/** Serves the links in mails; returns undefined for other requests. */
export async function serve(
  request: DataPlaneRequest,
  handle: ServiceHandle<SesState>,
): Promise<DataPlaneResponse | undefined> {
  if (!request.path.startsWith(LINKS)) return request.ownedHost === undefined ? undefined : NOT_FOUND;
  const read = readLink(request.path, (accountId, region) => handle.existingState(accountId, region));
  if (!read) return NOT_FOUND;
  const { link, state } = read;
  switch (link.kind) {
    case 'open':
      await publishEngagement(state, link, request);
      return { status: 200, headers: { 'content-type': 'image/gif', 'cache-control': 'no-store' }, body: PICTURE };
    case 'click':
      await publishEngagement(state, link, request);
      return redirect(link.url ?? '/');
    case 'unsubscribe':
      return (await unsubscribe(state, link)) ? page(200, 'You have been unsubscribed.') : NOT_FOUND;
    case 'export':
      return exported(state, link);
    default:
      return verify(state, link);
  }
}

/** Whether a host name is a tracking domain of a configuration set. */
export function ownsHost(name: string, handle: ServiceHandle<SesState>): boolean {
  for (const { state } of handle.states()) if (state.tracks(name)) return true;
  return false;
}
