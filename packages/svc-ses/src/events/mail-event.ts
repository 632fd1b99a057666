import type { EventType } from '@emu/service-types/sesv2';

/** An event of a mail, for events and notifications. */
export interface MailEvent {
  type: EventType;
  /** Epoch milliseconds. */
  at: number;
  /** Affected addresses; by default all of the mail. */
  recipients: readonly string[];
  /** Content of the member named by the type. */
  body: Record<string, unknown>;
}
