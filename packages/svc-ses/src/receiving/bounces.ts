import type { BouncedRecipientInfo, BounceType } from '@emu/service-types/ses';
import { rejected } from '../errors.ts';
import { verifiedIdentityFor } from '../identities/identities.ts';
import { sendSystemMail } from '../mail/system.ts';
import type { SesState } from '../state.ts';
import type { ReceivedMail } from './received.ts';

/** Status and diagnostic code of delivery status notifications by bounce type: "SendBounce" of the API reference. */
const KINDS: Readonly<Record<BounceType, { status: string; diagnostic: string }>> = {
  DoesNotExist: { status: '5.1.1', diagnostic: 'smtp; 550 5.1.1 user unknown' },
  MessageTooLarge: { status: '5.3.4', diagnostic: 'smtp; 552 5.3.4 message too large' },
  ExceededQuota: { status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 mailbox full' },
  ContentRejected: { status: '5.6.1', diagnostic: 'smtp; 500 5.6.1 message content rejected' },
  Undefined: { status: '5.0.0', diagnostic: 'smtp; 550 5.0.0 undefined' },
  TemporaryFailure: { status: '4.0.0', diagnostic: 'smtp; 450 4.0.0 temporary failure' },
};

/** A bounce to the sender of a received mail. */
export interface BounceRequest {
  sender: string;
  explanation?: string | undefined;
  reportingMta?: string | undefined;
  recipients: readonly BouncedRecipientInfo[];
}

/**
 * Sends a bounce to the sender of a received mail.
 * @returns its message id
 * @throws AwsError `MessageRejected` for an unverified bounce sender
 */
export async function sendBounceMail(state: SesState, original: ReceivedMail, request: BounceRequest): Promise<string> {
  const { sender, explanation, reportingMta, recipients } = request;
  if (!verifiedIdentityFor(state, sender))
    throw rejected(
      `Email address is not verified. The following identities failed the check in region ${state.region.toUpperCase()}: ${sender}`,
    );
  const described = recipients.map(({ Recipient, BounceType: type, RecipientDsnFields: fields }) => {
    const kind = KINDS[type ?? 'Undefined'];
    return {
      recipient: fields?.FinalRecipient ?? Recipient,
      ...(type !== undefined && { bounceType: type }),
      dsn: {
        action: fields?.Action ?? 'failed',
        status: fields?.Status ?? kind.status,
        ...(fields?.RemoteMta !== undefined && { remoteMta: fields.RemoteMta }),
        diagnosticCode: fields?.DiagnosticCode ?? kind.diagnostic,
      },
    };
  });
  const lines = described.map(({ recipient, dsn }) =>
    [
      `Final-Recipient: ${recipient}`,
      `Action: ${dsn.action}`,
      `Status: ${dsn.status}`,
      `Diagnostic-Code: ${dsn.diagnosticCode}`,
      ...(dsn.remoteMta === undefined ? [] : [`Remote-MTA: ${dsn.remoteMta}`]),
    ].join('\n'),
  );
  const messageId = await sendSystemMail(state, {
    operation: 'SendBounce',
    from: sender,
    to: original.source,
    subject: 'Delivery Status Notification (Failure)',
    text: [
      explanation ?? 'An error occurred while trying to deliver the mail.',
      ...(reportingMta === undefined ? [] : [`Reporting-MTA: ${reportingMta}`]),
      ...lines,
    ].join('\n\n'),
  });
  state.bounces.add({
    accountId: state.accountId,
    region: state.region,
    messageId,
    originalMessageId: original.messageId,
    bounceSender: sender,
    ...(explanation !== undefined && { explanation }),
    recipients: described,
    timestamp: new Date(state.clock.now()).toISOString(),
  });
  return messageId;
}
