import type { EventType } from '@emu/service-types/sesv2';

/** Something that happened to a mail, as events and notifications tell it. */
export interface MailEvent {
  type: EventType;
  /** Epoch milliseconds. */
  at: number;
  /** Addresses it is about; all of the mail by default. */
  recipients: readonly string[];
  /** What the member of the type's name says. */
  body: Record<string, unknown>;
}
