import { gunzipSync } from 'node:zlib';
import { parseJson } from '@emu/wire';

/** Maximum bytes of a decompressed record. */
const MAX_BYTES = 64 * 1024 * 1024;

/** @throws Error if the bytes are not gzip, or too many */
export const decompress = (data: Uint8Array): Buffer => gunzipSync(data, { maxOutputLength: MAX_BYTES });

/**
 * Extracts the messages of a CloudWatch Logs record as lines.
 * @returns undefined for a control message, which has none
 * @throws Error for other data
 * @see https://docs.aws.amazon.com/firehose/latest/dev/Message_extraction.html
 */
export function messagesOf(data: Buffer): Buffer | undefined {
  const { messageType, logEvents } = parseJson(data.toString('utf8')) as {
    messageType?: string;
    logEvents?: { message: string }[];
  };
  if (messageType === 'CONTROL_MESSAGE') return undefined;
  if (!Array.isArray(logEvents)) throw new Error('The record has no logEvents.');
  return Buffer.from(logEvents.map(({ message }) => `${message}\n`).join(''));
}
