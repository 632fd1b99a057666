import type { AccountAndRegionQuery } from '../records/common.ts';
import type { SnsMessage, SnsPendingConfirmation, SnsSms } from '../records/sns.ts';
import { json, type MethodsOf, type RoutesOf, text } from '../table.ts';

/** Control routes of SNS. */
export const sns = {
  /** Lists published messages with their outcomes at each subscriber, oldest first. `GET /_emulator/sns/messages` */
  messages: json<{ messages: SnsMessage[] }>()('GET /_emulator/sns/messages'),

  /** Lists unconfirmed subscriptions. `GET /_emulator/sns/pending-confirmations` */
  pendingConfirmations: json<{ pendingConfirmations: SnsPendingConfirmation[] }>()(
    'GET /_emulator/sns/pending-confirmations',
  ),

  /**
   * Confirms a subscription without its token. `POST /_emulator/sns/confirm-subscription`
   * @throws ApiError 404 for an unknown subscription
   */
  confirmSubscription: json<{ subscriptionArn: string; confirmed: true }>()(
    'POST /_emulator/sns/confirm-subscription',
    (subscriptionArn: string) => ({ body: { subscriptionArn } }),
  ),

  /** Lists delivered SMS, oldest first. `GET /_emulator/sns/sms` */
  sms: json<{ messages: SnsSms[] }>()('GET /_emulator/sns/sms'),

  /**
   * Opts a phone number out of SMS, as the reply STOP does. `POST /_emulator/sns/sms/opt-out`
   * @throws ApiError 400 for an invalid phone number
   */
  optOut: json<{ phoneNumber: string; optedOut: true }>()(
    'POST /_emulator/sns/sms/opt-out',
    (phoneNumber: string, query?: AccountAndRegionQuery) => ({ body: { phoneNumber }, query }),
  ),

  /** Returns the certificate for signatures of messages to HTTP endpoints, in PEM. `GET /_emulator/sns/cert.pem` */
  certificate: text('GET /_emulator/sns/cert.pem'),
};

/** Methods for the control routes of SNS. */
export interface SnsControl extends MethodsOf<typeof sns> {}

/** Control routes of SNS by name. */
export type SnsRoutes = RoutesOf<typeof sns>;
