import type { Header } from '../events/sent.ts';

/** Verdicts of the checks of a received mail. */
export interface Verdicts {
  spam: Verdict;
  virus: Verdict;
  spf: Verdict;
  dkim: Verdict;
  dmarc: Verdict;
}

/** A verdict, in AWS's values. */
export type Verdict = 'PASS' | 'FAIL' | 'GRAY' | 'PROCESSING_FAILED';

/** A received mail. */
export interface ReceivedMail {
  messageId: string;
  /** Envelope sender. */
  source: string;
  recipients: readonly string[];
  /** Message with the headers that SES adds. */
  raw: Buffer;
  headers: Header[];
  verdicts: Verdicts;
  /** Epoch milliseconds. */
  at: number;
}

const MAX_MAILS = 1000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Mails received since the start or the last reset, up to a size limit; the oldest are evicted. */
export class ReceivedMails {
  private readonly mails = new Map<string, ReceivedMail>();
  private bytes = 0;

  add(mail: ReceivedMail): void {
    this.mails.set(mail.messageId, mail);
    this.bytes += mail.raw.length;
    for (const [id, { raw }] of this.mails) {
      if (this.mails.size <= MAX_MAILS && (this.bytes <= MAX_BYTES || this.mails.size === 1)) break;
      this.mails.delete(id);
      this.bytes -= raw.length;
    }
  }

  get(messageId: string): ReceivedMail | undefined {
    return this.mails.get(messageId);
  }
}
