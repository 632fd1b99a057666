import { asService, parseArn } from '@emu/core/service';
import type { NotificationType } from '@emu/service-types/ses';
import type { Identity } from '../context.ts';
import { bareAddress } from '../identities/addresses.ts';
import { coveringNames } from '../identities/names.ts';
import { identityType } from '../resources.ts';
import type { SesState } from '../state.ts';
import { mailObject, WORDS } from './event.ts';
import type { MailEvent } from './mail-event.ts';
import type { SentMail } from './sent.ts';

/** Event types for which identities have notification topics. */
const TYPES: Readonly<Partial<Record<MailEvent['type'], NotificationType>>> = {
  BOUNCE: 'Bounce',
  COMPLAINT: 'Complaint',
  DELIVERY: 'Delivery',
};

/** Returns the sender identity with notification settings: the address before the domain. */
function notifying(state: SesState, mail: SentMail, type: NotificationType): Identity | undefined {
  for (const name of coveringNames(bareAddress(mail.source))) {
    const identity = state.identity(name);
    if (identity?.topics[type]) return identity;
  }
  return undefined;
}

/**
 * Publishes a bounce, complaint or delivery to the identity's topic.
 * @returns whether it has a topic
 * @see https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 */
export async function notify(state: SesState, mail: SentMail, event: MailEvent): Promise<boolean> {
  const type = TYPES[event.type];
  const identity = type && notifying(state, mail, type);
  const topic = type && identity?.topics[type];
  if (!type || !identity || topic === undefined) return false;
  const { member } = WORDS[event.type];
  const headers = identity.headersIn[type] === true;
  const message = {
    notificationType: type,
    [member]: event.body,
    mail: mailObject(mail, event, { headers, tags: false }),
  };
  const { accountId, region } = parseArn(topic) ?? state;
  const arn = identityType.arn({ name: identity.name }, state);
  try {
    const input = { TopicArn: topic, Message: JSON.stringify(message) };
    await state.caller.call('sns', 'Publish', input, { ...asService('ses', state.accountId, arn), accountId, region });
  } catch (error) {
    state.scope.log.warn(`the topic of the identity ${identity.name} did not take a notification`, { error });
  }
  return true;
}
