import type { CodeDeliveryDetailsType } from '@emu/service-types/cognito-idp';
import { AwsError } from '@emu/wire';
import { codeDeliveryFailure } from '../errors.ts';
import { logNotification } from '../logs/notifications.ts';
import type { Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { attributesFor, send, trigger } from '../triggers/invoke.ts';
import { sendThroughSes } from './email.ts';
import { encryptedFor } from './encryption.ts';
import type { Message } from './message.ts';
import { sendSms } from './sms.ts';
import { CODE, filledIn, LINK_PARAMETER, NAME, templateOf, type Words } from './template.ts';

/** Client id in events without a client. */
const NO_CLIENT = 'CLIENT_ID_NOT_APPLICABLE';

/**
 * Sends a message with the pool's custom sender; otherwise SMS by SNS, and e-mail by SES for `DEVELOPER`. Messages of
 * Cognito's own sender, and of an emulator without the service, are available from control routes only.
 * @throws AwsError of the triggers, `CodeDeliveryFailureException`
 */
export async function deliver(pool: Pool, user: User, message: Message, state: CognitoState): Promise<void> {
  try {
    await deliverTo(pool, user, message, state);
  } catch (error) {
    if (error instanceof AwsError) logNotification(pool, user, message, error.message, state);
    throw error;
  }
}

async function deliverTo(pool: Pool, user: User, message: Message, state: CognitoState): Promise<void> {
  const { medium, destination } = message;
  if (await sentByFunction(pool, user, message, state)) return;
  const words = await wordsOf(pool, user, message, state);
  if (medium === 'SMS') await sendSms(pool, destination, words.text, state);
  else await sendEmail(pool, destination, words, state);
}

/**
 * Delivers a message with the pool's custom sender.
 * @returns whether the pool has one
 */
async function sentByFunction(pool: Pool, user: User, message: Message, state: CognitoState): Promise<boolean> {
  const name = message.medium === 'EMAIL' ? 'CustomEmailSender' : 'CustomSMSSender';
  const { LambdaConfig } = pool.settings;
  if (!LambdaConfig?.[name] || LambdaConfig.KMSKeyID === undefined) return false;
  const { source, code, clientId = NO_CLIENT, metadata } = message;
  const encrypted = await encryptedFor(pool.id, LambdaConfig.KMSKeyID, code, state).catch((error: unknown) => {
    throw error instanceof AwsError ? codeDeliveryFailure(error.message) : error;
  });
  await send(state, pool, name, {
    source: source.replace('CustomMessage', name),
    userName: user.username,
    clientId,
    request: {
      type: name === 'CustomEmailSender' ? 'customEmailSenderRequestV1' : 'customSMSSenderRequestV1',
      code: encrypted,
      clientMetadata: metadata ?? null,
      userAttributes: attributesFor(user),
    },
    response: {},
  });
  return true;
}

/** Returns the text of a message, from the pool's trigger or else its settings. */
async function wordsOf(pool: Pool, user: User, message: Message, state: CognitoState): Promise<Words> {
  const { source, medium, clientId = NO_CLIENT, metadata, isInvitation } = message;
  const answered = await trigger(state, pool, 'CustomMessage', {
    source,
    userName: user.username,
    clientId,
    request: {
      userAttributes: attributesFor(user),
      codeParameter: CODE,
      linkParameter: LINK_PARAMETER,
      usernameParameter: isInvitation ? NAME : null,
      ...(metadata && { clientMetadata: metadata }),
    },
    response: { smsMessage: null, emailMessage: null, emailSubject: null },
  });
  const template = templateOf(pool, message);
  const own = medium === 'SMS' ? answered?.smsMessage : answered?.emailMessage;
  const subject = answered?.emailSubject;
  return {
    text: filledIn(typeof own === 'string' ? own : template.text, message, user.username),
    subject: filledIn(typeof subject === 'string' ? subject : template.subject, message, user.username),
  };
}

async function sendEmail(pool: Pool, address: string, { subject, text }: Words, state: CognitoState): Promise<void> {
  const { EmailSendingAccount, SourceArn, From, ReplyToEmailAddress, ConfigurationSet } =
    pool.settings.EmailConfiguration ?? {};
  if (EmailSendingAccount !== 'DEVELOPER' || SourceArn === undefined) return;
  await sendThroughSes(
    {
      identity: SourceArn,
      from: From,
      to: address,
      replyTo: ReplyToEmailAddress,
      configurationSet: ConfigurationSet,
      subject,
      html: text,
    },
    state,
  );
}

/** Returns the masked destination of a message for responses. */
export function deliveryDetails(
  medium: 'EMAIL' | 'SMS',
  destination: string,
  attributeName: string = medium === 'SMS' ? 'phone_number' : 'email',
): CodeDeliveryDetailsType {
  return { Destination: masked(medium, destination), DeliveryMedium: medium, AttributeName: attributeName };
}

/** Masks a destination: `j***@e***` for `jane@example.com`, `+*******0123` for `+15555550123`. */
export function masked(medium: 'EMAIL' | 'SMS', destination: string): string {
  if (medium === 'SMS') return `+${'*'.repeat(Math.max(destination.length - 5, 0))}${destination.slice(-4)}`;
  const [name = '', domain = ''] = destination.split('@');
  return `${name.slice(0, 1)}***@${domain.slice(0, 1)}***`;
}
