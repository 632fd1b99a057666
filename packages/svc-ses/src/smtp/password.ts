import { createHmac, timingSafeEqual } from 'node:crypto';

const DATE = '11111111';
const SERVICE = 'ses';
const TERMINAL = 'aws4_request';
const MESSAGE = 'SendRawEmail';
const VERSION = 0x04;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Returns the SMTP password for a secret access key in a region.
 * @see https://docs.aws.amazon.com/ses/latest/dg/smtp-credentials.html#smtp-credentials-convert
 */
export function smtpPassword(secretAccessKey: string, region: string): string {
  const signature = [region, SERVICE, TERMINAL, MESSAGE].reduce<Buffer>(hmac, hmac(`AWS4${secretAccessKey}`, DATE));
  return Buffer.concat([Buffer.from([VERSION]), signature]).toString('base64');
}

/** Returns the region in which a password matches a secret access key; undefined if it matches in none. */
export function regionOfPassword(
  password: string,
  secretAccessKey: string,
  regions: Iterable<string>,
): string | undefined {
  const given = Buffer.from(password);
  for (const region of regions) {
    const expected = Buffer.from(smtpPassword(secretAccessKey, region));
    if (given.length === expected.length && timingSafeEqual(given, expected)) return region;
  }
  return undefined;
}
