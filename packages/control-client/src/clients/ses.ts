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
  /** Sent e-mails with envelope and body, oldest first. `GET /_emulator/ses/emails` */
  emails(): Promise<{ emails: SesEmail[] }> {
    return this.transport.json('GET /_emulator/ses/emails');
  }

  /**
   * Lets an e-mail come in, to be handled by the active rule set. `POST /_emulator/ses/inbound`
   * @returns which rules matched and what their actions did
   */
  inbound(email: SesInboundRequest): Promise<SesInboundResult> {
    return this.transport.json('POST /_emulator/ses/inbound', { body: email });
  }

  /** Moves an account into or out of the sandbox. `POST /_emulator/ses/account/sandbox` */
  setSandbox(sandbox: SesSandbox): Promise<SesSandbox> {
    return this.transport.json('POST /_emulator/ses/account/sandbox', { body: sandbox });
  }

  /**
   * Sets whether an identity's MAIL FROM domain is verified. `POST /_emulator/ses/identities/{name}/mail-from-status`
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
   * The DKIM key an identity has in DNS. `GET /_emulator/ses/identities/{name}/dkim-public-key`
   * @throws ApiError 404 for an unknown identity, or one without DKIM
   */
  dkimPublicKey(identity: string): Promise<SesDkimPublicKey> {
    return this.transport.json('GET /_emulator/ses/identities/{name}/dkim-public-key', { params: { name: identity } });
  }

  /** How many e-mails were sent, delivered, bounced and complained about. `GET /_emulator/ses/metrics` */
  metrics(): Promise<SesMetrics> {
    return this.transport.json('GET /_emulator/ses/metrics');
  }

  /** Bounces made by SendBounce. `GET /_emulator/ses/bounces` */
  bounces(): Promise<{ bounces: SesBounce[] }> {
    return this.transport.json('GET /_emulator/ses/bounces');
  }

  /**
   * What became of a message at each recipient. `GET /_emulator/ses/messages/{message_id}/insights`
   * @throws ApiError 404 for an unknown message
   */
  messageInsights(messageId: string): Promise<SesMessageInsights> {
    return this.transport.json('GET /_emulator/ses/messages/{message_id}/insights', {
      params: { message_id: messageId },
    });
  }

  /** Messages that came in by SMTP. `GET /_emulator/ses/smtp/submissions` */
  smtpSubmissions(): Promise<{ address?: string; submissions: SesSmtpSubmission[] }> {
    return this.transport.json('GET /_emulator/ses/smtp/submissions');
  }

  /** Every event sent to an event destination. `GET /_emulator/ses/event-destinations/deliveries` */
  eventDeliveries(): Promise<{ deliveries: SesEventDelivery[] }> {
    return this.transport.json('GET /_emulator/ses/event-destinations/deliveries');
  }
}
