import { formatArn, parseArn } from '@emu/core/service';

/**
 * Returns the ARN of a general purpose bucket.
 * @param region region of its partition
 */
export const bucketArn = (name: string, region: string): string =>
  formatArn({ service: 's3', region: '', accountId: '', resource: name }, region);

/** Returns the name in the ARN of a general purpose or directory bucket; undefined for other ARNs. */
export function bucketNameOf(text: string): string | undefined {
  const arn = parseArn(text);
  if (arn?.service === 's3' && arn.region === '' && arn.accountId === '') return /^[^/:]+$/.exec(arn.resource)?.[0];
  return arn?.service === 's3express' ? /^bucket\/([^/:]+)$/.exec(arn.resource)?.[1] : undefined;
}

/** Returns the bucket (or access point ARN) and key of an object's ARN; undefined for other ARNs. */
export function objectOfArn(text: string): { bucket: string; key: string } | undefined {
  const arn = parseArn(text);
  if (arn?.service !== 's3') return undefined;
  if (arn.region === '' && arn.accountId === '') {
    const [, bucket, key] = /^([^/]+)\/(.+)$/s.exec(arn.resource) ?? [];
    return bucket === undefined ? undefined : { bucket, key: key! };
  }
  const [, ending, key] = /^accesspoint\/[^/]+(\/object\/(.+))$/s.exec(arn.resource) ?? [];
  return ending === undefined || arn.region === '' ? undefined : { bucket: text.slice(0, -ending.length), key: key! };
}
