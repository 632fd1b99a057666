/** Contents of a receipt handle. */
export interface Receipt {
  /** Id of the message's queue. */
  queueId: string;
  /** Sequence number of the message. */
  sequence: string;
  /** Number of the message's receive, from 1. */
  receive: number;
}

/** Prefix of all handles, like AWS's: a version. */
const PREFIX = 'AQEB';
const FORM = /^([0-9a-f]{16})\.(\d{1,16})\.(\d{1,16})$/;

/** Creates a handle, opaque to clients and unique per receive. */
export function formatReceiptHandle(queueId: string, sequence: string, receive: number): string {
  return PREFIX + Buffer.from(`${queueId}.${sequence}.${receive}`, 'latin1').toString('base64');
}

/** Parses a handle; undefined if it is invalid. */
export function parseReceiptHandle(handle: string): Receipt | undefined {
  // Base64 has groups of four; the decoder would ignore a remainder.
  if (!handle.startsWith(PREFIX) || handle.length > 128 || handle.length % 4) return undefined;
  const match = FORM.exec(Buffer.from(handle.slice(PREFIX.length), 'base64').toString('latin1'));
  if (!match) return undefined;
  return { queueId: match[1]!, sequence: match[2]!, receive: Number(match[3]) };
}
