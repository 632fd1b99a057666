import type { SnsSms } from '@emu/control-client';
import type { Collection, DeepReadonly, RecordBuffer } from '@emu/core/service';
import { DELIVERED, type Outcome } from '../messages/outcome.ts';
import type { OptOutRecord, SandboxNumberRecord, SmsAttributesRecord, StoredMessage } from '../records.ts';

/** Account and region of the sender. */
export interface SmsSender {
  readonly accountId: string;
  readonly region: string;
  /** Recipients that opted out. */
  readonly optedOut: Collection<OptOutRecord>;
  /** Whether only verified numbers of `sandboxNumbers` receive SMS. */
  readonly inSandbox: boolean;
  readonly sandboxNumbers: Collection<SandboxNumberRecord>;
  /** Defaults from SetSMSAttributes. */
  readonly smsAttributes: DeepReadonly<SmsAttributesRecord>;
  /** List of all SMS. */
  readonly sms: RecordBuffer<SnsSms>;
}

/** Message attributes with options of an SMS. */
const SENDER_ID = 'AWS.SNS.SMS.SenderID';
const SMS_TYPE = 'AWS.SNS.SMS.SMSType';

/**
 * Sends an SMS by listing it. Skips recipients that opted out or that the sandbox excludes.
 * @param text of the SMS
 */
export function sendSms(
  sender: SmsSender,
  number: string,
  message: DeepReadonly<StoredMessage>,
  text: string,
): Outcome {
  const recipient = number.startsWith('+') ? number : `+${number}`;
  if (sender.optedOut.has(recipient))
    return { delivered: false, error: `${recipient} has opted out of SMS`, retriable: false };
  if (sender.inSandbox && !sender.sandboxNumbers.get(recipient)?.verified)
    return { delivered: false, error: `${recipient} is not a verified number of the SMS sandbox`, retriable: false };
  return transmitSms(sender, recipient, message, text);
}

/** Returns the type of an SMS: of the message, or the account's default. */
export function smsTypeOf(
  { smsAttributes }: Pick<SmsSender, 'smsAttributes'>,
  message: DeepReadonly<StoredMessage>,
): 'Promotional' | 'Transactional' {
  const type = message.attributes?.[SMS_TYPE]?.value ?? smsAttributes.DefaultSMSType;
  return type === 'Transactional' ? type : 'Promotional';
}

/** Characters of the basic GSM alphabet, each of which takes seven bits, and of its extension, which take fourteen. */
const GSM = /^[\n\r !-Za-z¡£-¥§¿ÄÅÆÇÉÑÖØÜß-àäåæèéìñòöøùüΔΦΓΛΩΠΨΣΘΞ€[-^{|}~@_]*$/;
const GSM_EXTENDED = /[€[-^{|}~]/g;

/**
 * Returns the number of parts of an SMS.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html
 */
export function smsParts(text: string): number {
  const gsm = GSM.test(text);
  const length = gsm ? text.length + (text.match(GSM_EXTENDED)?.length ?? 0) : text.length;
  const [single, part] = gsm ? [160, 153] : [70, 67];
  return length <= single ? 1 : Math.ceil(length / part);
}

/** Sends an SMS to any recipient, as for one-time passwords that verify a number. */
export function transmitSms(
  sender: SmsSender,
  recipient: string,
  message: DeepReadonly<StoredMessage>,
  text: string,
): Outcome {
  const settings = sender.smsAttributes;
  const senderId = message.attributes?.[SENDER_ID]?.value ?? settings.DefaultSenderID;
  const sms: SnsSms = {
    accountId: sender.accountId,
    region: sender.region,
    messageId: message.id,
    phoneNumber: recipient,
    message: text,
    smsType: smsTypeOf(sender, message),
    timestamp: new Date(message.publishedAt).toISOString(),
    ...(senderId !== undefined && { senderId }),
    ...(message.topicArn !== undefined && { topicArn: message.topicArn }),
  };
  sender.sms.add(sms);
  return DELIVERED;
}
