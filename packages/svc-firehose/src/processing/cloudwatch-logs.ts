import { gunzipSync } from 'node:zlib';

/** Most bytes that a record may be decompressed to. */
const MOST = 64 * 1024 * 1024;

/** @throws Error where the bytes are not gzip, or are too many */
export const decompress = (data: Uint8Array): Buffer => gunzipSync(data, { maxOutputLength: MOST });

/**
 * The messages of what CloudWatch Logs has sent, a line each.
 * @returns undefined for a control message, which has none
 * @throws Error where the bytes are not what CloudWatch Logs sends
 * @see https://docs.aws.amazon.com/firehose/latest/dev/Message_extraction.html
 */
export function messagesOf(data: Buffer): Buffer | undefined {
  const { messageType, logEvents } = JSON.parse(data.toString('utf8')) as {
    messageType?: string;
    logEvents?: { message: string }[];
  };
  if (messageType === 'CONTROL_MESSAGE') return undefined;
  if (!Array.isArray(logEvents)) throw new Error('The record has no logEvents.');
  return Buffer.from(logEvents.map(({ message }) => `${message}\n`).join(''));
}
