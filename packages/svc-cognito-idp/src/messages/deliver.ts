import type { CodeDeliveryDetailsType } from '@emu/service-types/cognito-idp';
import { AwsError } from '@emu/wire';
import { codeDeliveryFailure } from '../errors.ts';
import type { Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { attributesFor, trigger } from '../triggers/invoke.ts';

/** What is sent to somebody. */
export interface Message {
  /** Source of the trigger that words it, e.g. `CustomMessage_SignUp`. */
  source: string;
  medium: 'EMAIL' | 'SMS';
  destination: string;
  code: string;
  clientId: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Whether it invites: then it has the name of the user. */
  isInvitation?: boolean;
  /** The pool's own words, by medium. */
  text?: string | undefined;
}

const CODE = '{####}';
const LINK = '{##Click Here##}';
const NAME = '{username}';

const DEFAULT_SMS = 'Your verification code is {####}. ';
const DEFAULT_AUTHENTICATION = 'Your authentication code is {####}. ';
const DEFAULT_INVITATION = 'Your username is {username} and temporary password is {####}. ';

/** The words of a message by the pool's settings. */
function templateOf(pool: Pool, { source, medium, isInvitation, text }: Message): string {
  const { settings } = pool;
  if (text !== undefined) return text;
  if (isInvitation) {
    const { SMSMessage, EmailMessage } = settings.AdminCreateUserConfig?.InviteMessageTemplate ?? {};
    return (medium === 'SMS' ? SMSMessage : EmailMessage) ?? DEFAULT_INVITATION;
  }
  if (source === 'CustomMessage_Authentication')
    return medium === 'SMS' ? (settings.SmsAuthenticationMessage ?? DEFAULT_AUTHENTICATION) : DEFAULT_AUTHENTICATION;
  const { SmsMessage, EmailMessage } = settings.VerificationMessageTemplate ?? {};
  return (medium === 'SMS' ? SmsMessage : EmailMessage) ?? DEFAULT_SMS;
}

/**
 * Sends a message: an SMS through SNS, where that is mounted; an e-mail goes nowhere but to the control routes, which have
 * its code.
 * @throws AwsError of the trigger that words messages
 */
export async function deliver(pool: Pool, user: User, message: Message, state: CognitoState): Promise<void> {
  const { source, medium, destination, code, clientId, metadata, isInvitation } = message;
  const answered = await trigger(state, pool, 'CustomMessage', {
    source,
    userName: user.username,
    clientId: clientId ?? 'CLIENT_ID_NOT_APPLICABLE',
    request: {
      userAttributes: attributesFor(user),
      codeParameter: CODE,
      linkParameter: LINK,
      usernameParameter: isInvitation ? NAME : null,
      ...(metadata && { clientMetadata: metadata }),
    },
    response: { smsMessage: null, emailMessage: null, emailSubject: null },
  });
  const own = medium === 'SMS' ? answered?.smsMessage : answered?.emailMessage;
  const text = (typeof own === 'string' ? own : templateOf(pool, message))
    .replaceAll(CODE, code)
    .replaceAll(NAME, user.username);
  if (medium === 'SMS') await sendSms(pool, destination, text, state);
}

async function sendSms(pool: Pool, number: string, text: string, state: CognitoState): Promise<void> {
  try {
    const { SnsRegion: region = state.region } = pool.settings.SmsConfiguration ?? {};
    await state.call('sns', 'Publish', { PhoneNumber: number, Message: text }, { region });
  } catch (error) {
    // An emulator without SNS has the code in the control routes, as it has those of e-mails.
    if (!(error instanceof AwsError)) throw error;
    if (error.code !== 'NotImplemented') throw codeDeliveryFailure(error.message);
  }
}

/** Where a message went, as answers tell it: only enough for its reader to know. */
export function deliveryDetails(
  medium: 'EMAIL' | 'SMS',
  destination: string,
  attributeName: string = medium === 'SMS' ? 'phone_number' : 'email',
): CodeDeliveryDetailsType {
  return { Destination: masked(medium, destination), DeliveryMedium: medium, AttributeName: attributeName };
}

/** `j***@e***` of `jane@example.com`, `+*******0123` of `+15555550123`. */
export function masked(medium: 'EMAIL' | 'SMS', destination: string): string {
  if (medium === 'SMS') return `+${'*'.repeat(Math.max(destination.length - 5, 0))}${destination.slice(-4)}`;
  const [name = '', domain = ''] = destination.split('@');
  return `${name.slice(0, 1)}***@${domain.slice(0, 1)}***`;
}
