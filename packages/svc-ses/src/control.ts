import type { DeclareRoute, SesInboundRequest, SesMailFromStatus, SesSandbox } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { describeMail } from './events/sent.ts';
import { publicKeyOf, signingKeyOf } from './identities/dkim.ts';
import { domainOf, identityNameOf, isAddress } from './identities/names.ts';
import { localstack } from './localstack.ts';
import { compose } from './mail/compose.ts';
import { addressesOf, eventsAt } from './mail/events.ts';
import { isBlocked, receive } from './receiving/inbound.ts';
import type { Verdicts } from './receiving/received.ts';
import type { SmtpListener } from './smtp/server.ts';
import type { SesState } from './state.ts';

type Handle = ServiceHandle<SesState>;

const route: DeclareRoute<Handle, ControlRoute<SesState>> = controlRoute;
type Fields = Readonly<Record<string, unknown>>;

const badRequest = (message: string): ControlError => new ControlError(400, 'InvalidRequest', message);

/**
 * Returns the members of an object.
 * @throws ControlError for other values, and for unknown members
 */
function fieldsOf(value: unknown, members: readonly string[]): Fields {
  if (!isObject(value)) throw badRequest('The body must be a JSON object.');
  for (const name of Object.keys(value))
    if (!members.includes(name)) throw badRequest(`${name} is not a member of the request.`);
  return value as Fields;
}

function textMember(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value !== undefined && typeof value !== 'string') throw badRequest(`${name} must be a string.`);
  return value;
}

/** Returns the account and region in a body, by default the server's. */
function placeOf(fields: Fields, { settings }: Handle): { accountId: string; region: string } {
  const accountId = textMember(fields, 'accountId') ?? settings.accountId;
  if (!/^\d{12}$/.test(accountId)) throw badRequest('accountId must have twelve digits.');
  return { accountId, region: textMember(fields, 'region') || settings.region };
}

const statesOf = (service: Handle): SesState[] => [...service.states()].map(({ state }) => state);

/** Lists the sent mails of all accounts and regions, oldest first. */
const emails = route('GET /_emulator/ses/emails', (_request, service) => ({
  json: {
    emails: statesOf(service)
      .flatMap((state) => state.sent.list())
      .sort((a, b) => a.sentAt - b.sentAt)
      .map(describeMail),
  },
}));

const VERDICTS = ['PASS', 'FAIL', 'GRAY', 'PROCESSING_FAILED'];
const CHECKS = ['spam', 'virus', 'spf', 'dkim', 'dmarc'];

function verdictsOf(value: unknown): Partial<Verdicts> {
  if (value === undefined) return {};
  const fields = fieldsOf(value, CHECKS);
  for (const name of CHECKS)
    if (fields[name] !== undefined && !VERDICTS.includes(String(fields[name])))
      throw badRequest(`verdicts.${name} must be one of ${VERDICTS.join(', ')}.`);
  return fields as Partial<Verdicts>;
}

const INBOUND = [
  'from',
  'recipients',
  'subject',
  'textBody',
  'htmlBody',
  'raw',
  'verdicts',
  'sourceIp',
  'accountId',
  'region',
];

/** Returns the MIME message of an incoming mail. */
async function messageOf(fields: Fields, from: string, recipients: string[], state: SesState): Promise<Buffer> {
  const raw = textMember(fields, 'raw');
  const [subject, text, html] = ['subject', 'textBody', 'htmlBody'].map((name) => textMember(fields, name));
  if (raw !== undefined) {
    if (subject !== undefined || text !== undefined || html !== undefined)
      throw badRequest('raw cannot be used with subject, textBody or htmlBody.');
    return Buffer.from(raw);
  }
  return compose(
    { subject: subject ?? '', text, html },
    {
      from,
      to: recipients,
      cc: [],
      replyTo: [],
      messageId: `<${state.ids.uuid()}@${domainOf(from)}>`,
      date: state.clock.now(),
    },
    state.ids,
  );
}

/** Receives a mail, which the active rule set handles. */
const inbound = route('POST /_emulator/ses/inbound', async ({ body }, service) => {
  const fields = fieldsOf(body, INBOUND);
  const { from, recipients } = fields as unknown as SesInboundRequest;
  if (typeof from !== 'string' || !isAddress(from)) throw badRequest('from must be an address.');
  if (
    !Array.isArray(recipients) ||
    !recipients.length ||
    !recipients.every((one) => typeof one === 'string' && isAddress(one))
  )
    throw badRequest('recipients must be a list of addresses.');
  const verdicts = verdictsOf(fields.verdicts);
  const sourceIp = textMember(fields, 'sourceIp');
  const { accountId, region } = placeOf(fields, service);
  const state = service.state(accountId, region);
  const raw = await messageOf(fields, from, recipients, state);
  if (isBlocked(state, sourceIp)) throw new ControlError(403, 'Blocked', `The receipt filters block ${sourceIp}.`);
  return { json: await receive(state, { source: from, recipients, raw, secure: true, verdicts, sourceIp }) };
});

/** Moves an account into or out of the sandbox. */
const sandbox = route('POST /_emulator/ses/account/sandbox', ({ body }, service) => {
  const fields = fieldsOf(body, ['sandbox', 'accountId', 'region']);
  const { sandbox: wanted } = fields as unknown as SesSandbox;
  if (typeof wanted !== 'boolean') throw badRequest('sandbox must be true or false.');
  const { accountId, region } = placeOf(fields, service);
  service.state(accountId, region).changeAccount((draft) => {
    draft.production = !wanted;
    if (draft.details?.ReviewDetails?.Status === 'PENDING')
      draft.details.ReviewDetails.Status = wanted ? 'DENIED' : 'GRANTED';
  });
  return { json: { sandbox: wanted, accountId, region } };
});

/**
 * Returns the state with an identity, preferring the server's account and region.
 * @throws ControlError if there is none
 */
function stateWith(name: string, query: URLSearchParams, service: Handle): SesState {
  const accountId = query.get('accountId') ?? undefined;
  const region = query.get('region') ?? undefined;
  const { settings } = service;
  const isOwn = (state: SesState) => state.accountId === settings.accountId && state.region === settings.region;
  const [state] = statesOf(service)
    .filter(
      (one) =>
        one.identity(name) &&
        (accountId === undefined || one.accountId === accountId) &&
        (region === undefined || one.region === region),
    )
    .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  if (!state) throw new ControlError(404, 'IdentityNotFound', `There is no identity ${name}.`);
  return state;
}

const STATUSES: readonly SesMailFromStatus[] = ['PENDING', 'SUCCESS', 'FAILED', 'TEMPORARY_FAILURE'];

/** Sets whether an identity's MAIL FROM domain is verified. */
const mailFromStatus = route(
  'POST /_emulator/ses/identities/{name}/mail-from-status',
  ({ params, query, body }, service) => {
    const { status } = fieldsOf(body, ['status']) as { status?: SesMailFromStatus };
    if (!status || !STATUSES.includes(status)) throw badRequest(`status must be one of ${STATUSES.join(', ')}.`);
    const identity = identityNameOf(params.name ?? '');
    const state = stateWith(identity, query, service);
    if (!state.identity(identity)?.mailFrom)
      throw new ControlError(409, 'NoMailFromDomain', `The identity ${identity} has no MAIL FROM domain.`);
    state.identities.update(identity, (draft) => {
      draft.mailFrom!.status = status;
    });
    return { json: { identity, status } };
  },
);

/** Returns the DKIM key that an identity publishes in DNS. */
const dkimPublicKey = route(
  'GET /_emulator/ses/identities/{name}/dkim-public-key',
  async ({ params, query }, service) => {
    const name = identityNameOf(params.name ?? '');
    const state = stateWith(name, query, service);
    const key = await signingKeyOf(state, state.identity(name)!);
    if (!key) throw new ControlError(404, 'NoDkimKey', `The identity ${name} has no DKIM key.`);
    const { domain, selector } = key;
    const recordName = `${selector}._domainkey.${domain}`;
    return { json: { identity: name, selector, recordName, publicKey: publicKeyOf(key) } };
  },
);

/** Returns recipient counts of all accounts and regions. */
const metrics = route('GET /_emulator/ses/metrics', (_request, service) => {
  const counts = { sends: 0, deliveries: 0, bounces: 0, complaints: 0 };
  for (const state of statesOf(service))
    for (const { events } of state.sent.list())
      for (const { type, recipients } of events) {
        if (type === 'SEND') counts.sends++;
        if (type === 'DELIVERY') counts.deliveries += recipients.length;
        if (type === 'BOUNCE') counts.bounces += recipients.length;
        if (type === 'COMPLAINT') counts.complaints += recipients.length;
      }
  return { json: counts };
});

/** Lists bounces sent by SendBounce and receipt rules. */
const bounces = route('GET /_emulator/ses/bounces', (_request, service) => ({
  json: { bounces: statesOf(service).flatMap((state) => state.bounces.list()) },
}));

/** Returns the outcome of a message for each recipient. */
const insights = route('GET /_emulator/ses/messages/{message_id}/insights', ({ params }, service) => {
  const messageId = params.message_id ?? '';
  const mail = statesOf(service)
    .map((state) => state.sent.get(messageId))
    .find((one) => one !== undefined);
  if (!mail) throw new ControlError(404, 'MessageNotFound', `There is no message ${messageId}.`);
  return {
    json: {
      messageId,
      from: mail.source,
      ...(mail.subject !== undefined && { subject: mail.subject }),
      insights: addressesOf(mail).map((address) => ({
        destination: address,
        isp: domainOf(address),
        events: eventsAt(mail, address).map(({ type, at, body }) => ({
          type,
          timestamp: new Date(at).toISOString(),
          details: body,
        })),
      })),
    },
  };
});

/** Lists messages submitted by SMTP, and the server's address. */
const submissions = route('GET /_emulator/ses/smtp/submissions', (_request, service) => {
  const { accountId, region } = service.settings;
  const listener = service.state(accountId, region).scope.data as SmtpListener;
  return {
    json: {
      ...(listener.address !== undefined && { address: listener.address }),
      submissions: listener.submissions.list(),
    },
  };
});

/** Lists all events sent to event destinations. */
const deliveries = route('GET /_emulator/ses/event-destinations/deliveries', (_request, service) => ({
  json: { deliveries: statesOf(service).flatMap((state) => state.deliveries.list()) },
}));

/** Control routes of SES. */
export const control: readonly ControlRoute<SesState>[] = [
  emails,
  inbound,
  sandbox,
  mailFromStatus,
  dkimPublicKey,
  metrics,
  bounces,
  insights,
  submissions,
  deliveries,
  ...localstack,
];
