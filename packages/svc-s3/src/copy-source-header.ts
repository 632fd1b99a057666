import { parseArn } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { invalidArgument } from './errors.ts';

/**
 * Parses `x-amz-copy-source`; the ARN or alias of an access point may replace the bucket.
 * @throws AwsError `InvalidArgument`
 */
export function parseCopySource(header: string): { bucket: string; key: string; versionId: string | undefined } {
  const mark = header.search(/\?versionId=/);
  // Some clients, e.g. Terraform, encode the slash after the bucket too.
  const path = decode(mark < 0 ? header : header.slice(0, mark), header).replace(/^\//, '');
  const versionId = mark < 0 ? undefined : decode(header.slice(mark + '?versionId='.length), header);
  const arn = parseArn(path);
  const object = arn?.service === 's3' ? /^accesspoint\/[^/]+(\/object\/(.+))$/s.exec(arn.resource) : null;
  if (object) return { bucket: path.slice(0, -object[1]!.length), key: object[2]!, versionId };
  const slash = path.indexOf('/');
  if (slash <= 0 || slash === path.length - 1) throw invalidSource(header);
  return { bucket: path.slice(0, slash), key: path.slice(slash + 1), versionId };
}

const invalidSource = (header: string): AwsError =>
  invalidArgument('Invalid copy source object key', 'x-amz-copy-source', header === '' ? 'null' : 'x-amz-copy-source');

function decode(text: string, header: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidSource(header);
  }
}
