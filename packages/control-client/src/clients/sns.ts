import type { AccountAndRegionQuery } from '../routes/common.ts';
import type { SnsMessage, SnsPendingConfirmation, SnsSms } from '../routes/sns.ts';
import { AreaControl } from './area.ts';

/** Control routes of SNS. */
export class SnsControl extends AreaControl {
  /** Published messages with what became of them at each subscriber, oldest first. `GET /_emulator/sns/messages` */
  messages(): Promise<{ messages: SnsMessage[] }> {
    return this.transport.json('GET /_emulator/sns/messages');
  }

  /** Subscriptions that wait for their confirmation. `GET /_emulator/sns/pending-confirmations` */
  pendingConfirmations(): Promise<{ pendingConfirmations: SnsPendingConfirmation[] }> {
    return this.transport.json('GET /_emulator/sns/pending-confirmations');
  }

  /**
   * Confirms a subscription without its token. `POST /_emulator/sns/confirm-subscription`
   * @throws ApiError 404 for a subscription that is unknown
   */
  confirmSubscription(subscriptionArn: string): Promise<{ subscriptionArn: string; confirmed: true }> {
    return this.transport.json('POST /_emulator/sns/confirm-subscription', { body: { subscriptionArn } });
  }

  /** SMS that were delivered, oldest first. `GET /_emulator/sns/sms` */
  sms(): Promise<{ messages: SnsSms[] }> {
    return this.transport.json('GET /_emulator/sns/sms');
  }

  /**
   * Has the owner of a number opt out of SMS, as by answering STOP. `POST /_emulator/sns/sms/opt-out`
   * @throws ApiError 400 for what is no phone number
   */
  optOut(phoneNumber: string, query?: AccountAndRegionQuery): Promise<{ phoneNumber: string; optedOut: true }> {
    return this.transport.json('POST /_emulator/sns/sms/opt-out', { body: { phoneNumber }, query });
  }

  /** The certificate that messages to HTTP endpoints are signed with, in PEM. `GET /_emulator/sns/cert.pem` */
  certificate(): Promise<string> {
    return this.transport.text('GET /_emulator/sns/cert.pem');
  }
}
