import type {
  SesBounce,
  SesDkimPublicKey,
  SesEmail,
  SesEventDelivery,
  SesInboundRequest,
  SesInboundResult,
  SesMailFromStatus,
  SesMessageInsights,
  SesMetrics,
  SesSandbox,
  SesSmtpSubmission,
} from '../records/ses.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of SES. An identity is an e-mail address or a domain. */
export const ses = {
  /** Lists sent e-mails with envelope and body, oldest first. `GET /_emulator/ses/emails` */
  emails: json<{ emails: SesEmail[] }>()('GET /_emulator/ses/emails'),

  /**
   * Receives an e-mail, which the active rule set handles. `POST /_emulator/ses/inbound`
   * @returns the matching rules and the results of their actions
   */
  inbound: json<SesInboundResult>()('POST /_emulator/ses/inbound', (email: SesInboundRequest) => ({ body: email })),

  /** Moves an account into or out of the sandbox. `POST /_emulator/ses/account/sandbox` */
  setSandbox: json<SesSandbox>()('POST /_emulator/ses/account/sandbox', (sandbox: SesSandbox) => ({ body: sandbox })),

  /**
   * Sets the verification status of an identity's MAIL FROM domain. `POST
   * /_emulator/ses/identities/{name}/mail-from-status`
   * @throws ApiError 404 for an unknown identity
   */
  setMailFromStatus: json<{ identity: string; status: SesMailFromStatus }>()(
    'POST /_emulator/ses/identities/{name}/mail-from-status',
    (identity: string, status: SesMailFromStatus) => ({
      params: { name: identity },
      body: { status },
    }),
  ),

  /**
   * Returns the DKIM key of an identity in DNS. `GET /_emulator/ses/identities/{name}/dkim-public-key`
   * @throws ApiError 404 for an unknown identity, or one without DKIM
   */
  dkimPublicKey: json<SesDkimPublicKey>()(
    'GET /_emulator/ses/identities/{name}/dkim-public-key',
    (identity: string) => ({ params: { name: identity } }),
  ),

  /** Returns the numbers of sent, delivered, bounced and complained e-mails. `GET /_emulator/ses/metrics` */
  metrics: json<SesMetrics>()('GET /_emulator/ses/metrics'),

  /** Lists bounces sent with SendBounce. `GET /_emulator/ses/bounces` */
  bounces: json<{ bounces: SesBounce[] }>()('GET /_emulator/ses/bounces'),

  /**
   * Lists the delivery events of a message at each recipient. `GET /_emulator/ses/messages/{message_id}/insights`
   * @throws ApiError 404 for an unknown message
   */
  messageInsights: json<SesMessageInsights>()(
    'GET /_emulator/ses/messages/{message_id}/insights',
    (messageId: string) => ({
      params: { message_id: messageId },
    }),
  ),

  /** Lists messages received over SMTP. `GET /_emulator/ses/smtp/submissions` */
  smtpSubmissions: json<{ address?: string; submissions: SesSmtpSubmission[] }>()(
    'GET /_emulator/ses/smtp/submissions',
  ),

  /** Lists all events sent to event destinations. `GET /_emulator/ses/event-destinations/deliveries` */
  eventDeliveries: json<{ deliveries: SesEventDelivery[] }>()('GET /_emulator/ses/event-destinations/deliveries'),
};

/** Methods for the control routes of SES. */
export interface SesControl extends MethodsOf<typeof ses> {}

/** Control routes of SES by name. */
export type SesRoutes = RoutesOf<typeof ses>;
