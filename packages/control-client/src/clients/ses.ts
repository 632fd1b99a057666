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
} from '../routes/ses.ts';
import { AreaControl } from './area.ts';

/** Control routes of SES. An identity is an e-mail address or a domain. */
export class SesControl extends AreaControl {
  /** Lists sent e-mails with envelope and body, oldest first. `GET /_emulator/ses/emails` */
  emails(): Promise<{ emails: SesEmail[] }> {
    return this.transport.json('GET /_emulator/ses/emails');
  }

  /**
   * Receives an e-mail, which the active rule set handles. `POST /_emulator/ses/inbound`
   * @returns the matching rules and the results of their actions
   */
  inbound(email: SesInboundRequest): Promise<SesInboundResult> {
    return this.transport.json('POST /_emulator/ses/inbound', { body: email });
  }

  /** Moves an account into or out of the sandbox. `POST /_emulator/ses/account/sandbox` */
  setSandbox(sandbox: SesSandbox): Promise<SesSandbox> {
    return this.transport.json('POST /_emulator/ses/account/sandbox', { body: sandbox });
  }

  /**
   * Sets the verification status of an identity's MAIL FROM domain. `POST
   * /_emulator/ses/identities/{name}/mail-from-status`
   * @throws ApiError 404 for an unknown identity
   */
  setMailFromStatus(
    identity: string,
    status: SesMailFromStatus,
  ): Promise<{ identity: string; status: SesMailFromStatus }> {
    return this.transport.json('POST /_emulator/ses/identities/{name}/mail-from-status', {
      params: { name: identity },
      body: { status },
    });
  }

  /**
   * Returns the DKIM key of an identity in DNS. `GET /_emulator/ses/identities/{name}/dkim-public-key`
   * @throws ApiError 404 for an unknown identity, or one without DKIM
   */
  dkimPublicKey(identity: string): Promise<SesDkimPublicKey> {
    return this.transport.json('GET /_emulator/ses/identities/{name}/dkim-public-key', { params: { name: identity } });
  }

  /** Returns the numbers of sent, delivered, bounced and complained e-mails. `GET /_emulator/ses/metrics` */
  metrics(): Promise<SesMetrics> {
    return this.transport.json('GET /_emulator/ses/metrics');
  }

  /** Lists bounces sent with SendBounce. `GET /_emulator/ses/bounces` */
  bounces(): Promise<{ bounces: SesBounce[] }> {
    return this.transport.json('GET /_emulator/ses/bounces');
  }

  /**
   * Lists the delivery events of a message at each recipient. `GET /_emulator/ses/messages/{message_id}/insights`
   * @throws ApiError 404 for an unknown message
   */
  messageInsights(messageId: string): Promise<SesMessageInsights> {
    return this.transport.json('GET /_emulator/ses/messages/{message_id}/insights', {
      params: { message_id: messageId },
    });
  }

  /** Lists messages received over SMTP. `GET /_emulator/ses/smtp/submissions` */
  smtpSubmissions(): Promise<{ address?: string; submissions: SesSmtpSubmission[] }> {
    return this.transport.json('GET /_emulator/ses/smtp/submissions');
  }

  /** Lists all events sent to event destinations. `GET /_emulator/ses/event-destinations/deliveries` */
  eventDeliveries(): Promise<{ deliveries: SesEventDelivery[] }> {
    return this.transport.json('GET /_emulator/ses/event-destinations/deliveries');
  }
}
