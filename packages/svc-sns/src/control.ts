import type { DeclareRoute, SnsMessage, SnsPendingConfirmation } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import type { LoggedMessage } from './messages/log.ts';
import { isPublishable } from './mobile/phone-numbers.ts';
import type { StoredAttribute } from './records.ts';
import { subscriptionType } from './resources.ts';
import type { SnsState } from './state.ts';

type Handle = ServiceHandle<SnsState>;

const route: DeclareRoute<Handle, ControlRoute<SnsState>> = controlRoute;

/** Lists messages of every account and region, oldest first. */
const listMessages = route('GET /_emulator/sns/messages', (_request, service) => {
  const found = [...service.states()].flatMap(({ state }) => state.messages.list().map((entry) => ({ entry, state })));
  found.sort((a, b) => a.entry.message.publishedAt - b.entry.message.publishedAt);
  return { json: { messages: found.map(({ entry, state }) => describe(entry, state)) } };
});

function describe({ message, input, targetArn, phoneNumber, deliveries }: LoggedMessage, state: SnsState): SnsMessage {
  return {
    accountId: state.accountId,
    region: state.region,
    messageId: message.id,
    ...(targetArn !== undefined
      ? { targetArn }
      : phoneNumber !== undefined
        ? { phoneNumber }
        : { topicArn: message.topicArn! }),
    ...(message.subject !== undefined && { subject: message.subject }),
    message: input.Message,
    ...(input.MessageStructure !== undefined && { messageStructure: input.MessageStructure }),
    messageAttributes: Object.fromEntries(
      Object.entries(message.attributes ?? {}).map(([name, attribute]) => [name, describeAttribute(attribute)]),
    ),
    ...(message.groupId !== undefined && { messageGroupId: message.groupId }),
    ...(message.deduplicationId !== undefined && { messageDeduplicationId: message.deduplicationId }),
    ...(message.sequence !== undefined && { sequenceNumber: message.sequence }),
    deliveries: deliveries.map((delivery) => ({ ...delivery })),
    timestamp: new Date(message.publishedAt).toISOString(),
  };
}

const describeAttribute = ({ type, value }: StoredAttribute) =>
  type.startsWith('Binary') ? { dataType: type, binaryValue: value } : { dataType: type, stringValue: value };

/** Lists unconfirmed subscriptions with their confirmation tokens. */
const listPending = route('GET /_emulator/sns/pending-confirmations', (_request, service) => {
  const pendingConfirmations: SnsPendingConfirmation[] = [];
  for (const { state } of service.states())
    for (const record of state.subscriptions.list())
      if (!record.confirmed) {
        pendingConfirmations.push({
          accountId: state.accountId,
          region: state.region,
          subscriptionArn: subscriptionType.arn(record, state),
          topicArn: state.arnOfTopic(record.topic),
          protocol: record.protocol,
          endpoint: record.endpoint,
          token: record.token!,
          createdAt: new Date(record.createdAt).toISOString(),
        });
      }
  return { json: { pendingConfirmations } };
});

/** Confirms a subscription on behalf of its endpoint. */
const confirmSubscription = route('POST /_emulator/sns/confirm-subscription', ({ body }, service) => {
  const { subscriptionArn } = (body ?? {}) as { subscriptionArn?: unknown };
  if (typeof subscriptionArn !== 'string')
    throw new ControlError(400, 'InvalidParameter', 'subscriptionArn is required');
  const address = subscriptionType.parse(subscriptionArn);
  const located = address && subscriptionType.locate(service, address);
  if (!located || !subscriptionType.find(located.state, address.key))
    throw new ControlError(404, 'NotFound', `there is no subscription ${subscriptionArn}`);
  service.state(address.place.accountId, address.place.region).subscriptions.update(address.key.id, (draft) => {
    draft.confirmed = true;
  });
  return { json: { subscriptionArn, confirmed: true } };
});

/** Lists SMS of every account and region, oldest first. */
const listSms = route('GET /_emulator/sns/sms', (_request, service) => {
  const messages = [...service.states()].flatMap(({ state }) => state.sms.list());
  messages.sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  return { json: { messages } };
});

/** Opts a phone number out, as the reply STOP does. */
const optOut = route('POST /_emulator/sns/sms/opt-out', ({ body, query }, service) => {
  const { phoneNumber } = (body ?? {}) as { phoneNumber?: unknown };
  if (typeof phoneNumber !== 'string' || !isPublishable(phoneNumber))
    throw new ControlError(400, 'InvalidParameter', 'phoneNumber must be a phone number with + and country code');
  const { settings, clock } = service;
  const state = service.state(query.get('accountId') ?? settings.accountId, query.get('region') ?? settings.region);
  state.optedOut.put(phoneNumber, { optedOutAt: clock.now() });
  return { json: { phoneNumber, optedOut: true } };
});

/** Returns the certificate for message signatures, the same for all accounts and regions. */
const certificate = route('GET /_emulator/sns/cert.pem', async (_request, service) => {
  const { settings } = service;
  const certificate = await service.state(settings.accountId, settings.region).certificate();
  return { contentType: 'application/x-pem-file', body: Buffer.from(certificate) };
});

/** Control routes of SNS: they return published messages and act on behalf of recipients. */
export const control: readonly ControlRoute<SnsState>[] = [
  listMessages,
  listPending,
  confirmSubscription,
  listSms,
  optOut,
  certificate,
];
