import type { AccountAndRegionQuery } from '../routes/common.ts';
import type { SnsMessage, SnsPendingConfirmation, SnsSms } from '../routes/sns.ts';
import { AreaControl } from './area.ts';

/** Control routes of SNS. */
export class SnsControl extends AreaControl {
  /** Lists published messages with their outcomes at each subscriber, oldest first. `GET /_emulator/sns/messages` */
  messages(): Promise<{ messages: SnsMessage[] }> {
    return this.transport.json('GET /_emulator/sns/messages');
  }

  /** Lists unconfirmed subscriptions. `GET /_emulator/sns/pending-confirmations` */
  pendingConfirmations(): Promise<{ pendingConfirmations: SnsPendingConfirmation[] }> {
    return this.transport.json('GET /_emulator/sns/pending-confirmations');
  }

  /**
   * Confirms a subscription without its token. `POST /_emulator/sns/confirm-subscription`
   * @throws ApiError 404 for an unknown subscription
   */
  confirmSubscription(subscriptionArn: string): Promise<{ subscriptionArn: string; confirmed: true }> {
    return this.transport.json('POST /_emulator/sns/confirm-subscription', { body: { subscriptionArn } });
  }

  /** Lists delivered SMS, oldest first. `GET /_emulator/sns/sms` */
  sms(): Promise<{ messages: SnsSms[] }> {
    return this.transport.json('GET /_emulator/sns/sms');
  }

  /**
   * Opts a phone number out of SMS, as the reply STOP does. `POST /_emulator/sns/sms/opt-out`
   * @throws ApiError 400 for an invalid phone number
   */
  optOut(phoneNumber: string, query?: AccountAndRegionQuery): Promise<{ phoneNumber: string; optedOut: true }> {
    return this.transport.json('POST /_emulator/sns/sms/opt-out', { body: { phoneNumber }, query });
  }

  /** Returns the certificate for signatures of messages to HTTP endpoints, in PEM. `GET /_emulator/sns/cert.pem` */
  certificate(): Promise<string> {
    return this.transport.text('GET /_emulator/sns/cert.pem');
  }
}
