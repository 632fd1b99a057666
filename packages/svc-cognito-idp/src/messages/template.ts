import type { Pool } from '../records.ts';
import type { Message } from './message.ts';

/** Placeholders of the code and the user name. */
export const CODE = '{####}';
export const NAME = '{username}';
/** Link placeholder passed to triggers. */
export const LINK_PARAMETER = '{##Click Here##}';
/** Matches a link placeholder with its text. */
const LINK = /\{##([^#]*)##\}/g;

const DEFAULT_MESSAGE = 'Your verification code is {####}. ';
const DEFAULT_AUTHENTICATION = 'Your authentication code is {####}. ';
const DEFAULT_INVITATION = 'Your username is {username} and temporary password is {####}. ';
const DEFAULT_LINK = 'Please click the link below to verify your email address. {##Verify Email##} ';
const DEFAULT_SUBJECT = 'Your verification code';
const DEFAULT_LINK_SUBJECT = 'Your verification link';
const DEFAULT_AUTHENTICATION_SUBJECT = 'Your authentication code';
const DEFAULT_INVITATION_SUBJECT = 'Your temporary password';

/** Text of a message. */
export interface Words {
  text: string;
  /** Subject of e-mails. */
  subject: string;
}

/** Returns the text of a message from the pool's settings. */
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

/** Fills in the code, the user name and the link. */
export function filledIn(words: string, message: Pick<Message, 'code' | 'link'>, username: string): string {
  const { code, link } = message;
  const text = words.replaceAll(CODE, code).replaceAll(NAME, username);
  return link === undefined ? text : text.replace(LINK, (_, shown: string) => `<a href="${link}">${shown}</a>`);
}
