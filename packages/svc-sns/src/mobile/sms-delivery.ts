import type { SnsSms } from '@emu/control-client';
import type { DeepReadonly } from '@emu/core';
import { DELIVERED, type Outcome } from '../delivery/outcome.ts';
import type { StoredMessage } from '../records.ts';
import type { SnsState } from '../state.ts';

/** Message attributes that say how an SMS is sent. */
const SENDER_ID = 'AWS.SNS.SMS.SenderID';
const SMS_TYPE = 'AWS.SNS.SMS.SMSType';

/**
 * Sends an SMS: it is listed. Recipients that opted out get none.
 * @param text what the recipient reads
 */
export function sendSms(state: SnsState, number: string, message: DeepReadonly<StoredMessage>, text: string): Outcome {
  const recipient = number.startsWith('+') ? number : `+${number}`;
  if (state.optedOut.has(recipient))
    return { delivered: false, error: `${recipient} has opted out of SMS`, retriable: false };
  const settings = state.smsAttributes;
  const senderId = message.attributes?.[SENDER_ID]?.value ?? settings.DefaultSenderID;
  const type = message.attributes?.[SMS_TYPE]?.value ?? settings.DefaultSMSType ?? 'Promotional';
  const sms: SnsSms = {
    accountId: state.accountId,
    region: state.region,
    messageId: message.id,
    phoneNumber: recipient,
    message: text,
    smsType: type === 'Transactional' ? 'Transactional' : 'Promotional',
    timestamp: new Date(message.publishedAt).toISOString(),
    ...(senderId !== undefined && { senderId }),
    ...(message.topicArn !== undefined && { topicArn: message.topicArn }),
  };
  state.sms.add(sms);
  return DELIVERED;
}
