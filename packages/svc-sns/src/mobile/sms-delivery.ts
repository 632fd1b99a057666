import type { SnsSms } from '@emu/control-client';
import type { Collection, DeepReadonly, RecordBuffer } from '@emu/core';
import { DELIVERED, type Outcome } from '../delivery/outcome.ts';
import type { OptOutRecord, SandboxNumberRecord, SmsAttributesRecord, StoredMessage } from '../records.ts';

/** What sending an SMS needs of the account and region that send it. */
export interface SmsSender {
  readonly accountId: string;
  readonly region: string;
  /** Recipients that get no SMS. */
  readonly optedOut: Collection<OptOutRecord>;
  /** Whether only verified numbers of `sandboxNumbers` get SMS. */
  readonly inSandbox: boolean;
  readonly sandboxNumbers: Collection<SandboxNumberRecord>;
  /** The defaults of SetSMSAttributes. */
  readonly smsAttributes: DeepReadonly<SmsAttributesRecord>;
  /** Where every SMS is listed. */
  readonly sms: RecordBuffer<SnsSms>;
}

/** Message attributes that say how an SMS is sent. */
const SENDER_ID = 'AWS.SNS.SMS.SenderID';
const SMS_TYPE = 'AWS.SNS.SMS.SMSType';

/**
 * Sends an SMS: it is listed. Recipients that opted out get none, nor do those whom the sandbox keeps out.
 * @param text what the recipient reads
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

/** Sends an SMS whoever it is for, as the one-time password is by which a number is verified. */
export function transmitSms(
  sender: SmsSender,
  recipient: string,
  message: DeepReadonly<StoredMessage>,
  text: string,
): Outcome {
  const settings = sender.smsAttributes;
  const senderId = message.attributes?.[SENDER_ID]?.value ?? settings.DefaultSenderID;
  const type = message.attributes?.[SMS_TYPE]?.value ?? settings.DefaultSMSType ?? 'Promotional';
  const sms: SnsSms = {
    accountId: sender.accountId,
    region: sender.region,
    messageId: message.id,
    phoneNumber: recipient,
    message: text,
    smsType: type === 'Transactional' ? 'Transactional' : 'Promotional',
    timestamp: new Date(message.publishedAt).toISOString(),
    ...(senderId !== undefined && { senderId }),
    ...(message.topicArn !== undefined && { topicArn: message.topicArn }),
  };
  sender.sms.add(sms);
  return DELIVERED;
}
