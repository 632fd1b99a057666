/** What a receipt handle says. */
export interface Receipt {
  /** Id of the queue the message was received from. */
  queueId: string;
  /** Sequence number of the message. */
  sequence: string;
  /** Which of the message's receives it stands for, from 1. */
  receive: number;
}

/** First characters of every handle, as AWS's have them: a version. */
const PREFIX = 'AQEB';
const FORM = /^([0-9a-f]{16})\.(\d{1,16})\.(\d{1,16})$/;

/** Writes a handle: opaque to clients, and different at every receive. */
export function formatReceiptHandle(queueId: string, sequence: string, receive: number): string {
  return PREFIX + Buffer.from(`${queueId}.${sequence}.${receive}`, 'latin1').toString('base64');
}

/** Reads a handle; undefined where the string is none. */
export function parseReceiptHandle(handle: string): Receipt | undefined {
  // Base64 comes in fours; the decoder would overlook what is left over.
  if (!handle.startsWith(PREFIX) || handle.length > 128 || handle.length % 4) return undefined;
  const match = FORM.exec(Buffer.from(handle.slice(PREFIX.length), 'base64').toString('latin1'));
  if (!match) return undefined;
  return { queueId: match[1]!, sequence: match[2]!, receive: Number(match[3]) };
}
