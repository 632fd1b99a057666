import type { Pool } from '../records.ts';
import type { Message } from './message.ts';

/** Where the code stands in messages, and the name. */
export const CODE = '{####}';
export const NAME = '{username}';
/** How triggers are told that a link stands in messages. */
export const LINK_PARAMETER = '{##Click Here##}';
/** Where a link stands, with the text that it is shown by. */
const LINK = /\{##([^#]*)##\}/g;

const DEFAULT_MESSAGE = 'Your verification code is {####}. ';
const DEFAULT_AUTHENTICATION = 'Your authentication code is {####}. ';
const DEFAULT_INVITATION = 'Your username is {username} and temporary password is {####}. ';
const DEFAULT_LINK = 'Please click the link below to verify your email address. {##Verify Email##} ';
const DEFAULT_SUBJECT = 'Your verification code';
const DEFAULT_LINK_SUBJECT = 'Your verification link';
const DEFAULT_AUTHENTICATION_SUBJECT = 'Your authentication code';
const DEFAULT_INVITATION_SUBJECT = 'Your temporary password';

/** The words of a message. */
export interface Words {
  text: string;
  /** Of e-mails. */
  subject: string;
}

/** The words of a message by the pool's settings. */
export function templateOf(pool: Pool, { source, medium, isInvitation, text, subject, link }: Message): Words {
  const { settings } = pool;
  if (isInvitation) {
    const {
      SMSMessage,
      EmailMessage,
      EmailSubject = DEFAULT_INVITATION_SUBJECT,
    } = settings.AdminCreateUserConfig?.InviteMessageTemplate ?? {};
    return { text: (medium === 'SMS' ? SMSMessage : EmailMessage) ?? DEFAULT_INVITATION, subject: EmailSubject };
  }
  if (source === 'CustomMessage_Authentication') {
    const own = text ?? (medium === 'SMS' ? settings.SmsAuthenticationMessage : undefined);
    return { text: own ?? DEFAULT_AUTHENTICATION, subject: subject ?? DEFAULT_AUTHENTICATION_SUBJECT };
  }
  const template = settings.VerificationMessageTemplate ?? {};
  if (link !== undefined)
    return {
      text: template.EmailMessageByLink ?? DEFAULT_LINK,
      subject: template.EmailSubjectByLink ?? DEFAULT_LINK_SUBJECT,
    };
  return {
    text: (medium === 'SMS' ? template.SmsMessage : template.EmailMessage) ?? DEFAULT_MESSAGE,
    subject: template.EmailSubject ?? DEFAULT_SUBJECT,
  };
}

/** A message's words with its code, the user's name and the link in their places. */
export function filledIn(words: string, message: Pick<Message, 'code' | 'link'>, username: string): string {
  const { code, link } = message;
  const text = words.replaceAll(CODE, code).replaceAll(NAME, username);
  return link === undefined ? text : text.replace(LINK, (_, shown: string) => `<a href="${link}">${shown}</a>`);
}
