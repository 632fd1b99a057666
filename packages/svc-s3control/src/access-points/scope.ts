import type { Scope } from '@emu/service-types/s3control';
import { invalidRequest, malformedXml } from '../errors.ts';

/** Maximum total bytes of a scope's prefixes. */
const MAX_BYTES = 256;
const PERMISSIONS: ReadonlySet<string> = new Set([
  'GetObject',
  'GetObjectAttributes',
  'ListMultipartUploadParts',
  'ListBucket',
  'ListBucketMultipartUploads',
  'PutObject',
  'DeleteObject',
  'AbortMultipartUpload',
]);

/**
 * Validates the scope of a directory bucket's access point.
 * @throws AwsError `InvalidRequest`, `MalformedXML`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-directory-buckets-manage-scope.html
 */
export function checkScope({ Prefixes = [], Permissions = [] }: Scope): Scope {
  if (Permissions.some((permission) => !PERMISSIONS.has(permission))) throw malformedXml();
  if (Prefixes.length === 0 && Permissions.length === 0)
    throw invalidRequest('The access point scope must have at least one prefix or permission.');
  const bytes = Prefixes.reduce((sum, prefix) => sum + Buffer.byteLength(prefix), 0);
  if (bytes > MAX_BYTES)
    throw invalidRequest(`The total size of the prefixes of an access point scope is limited to ${MAX_BYTES} bytes.`);
  return {
    ...(Prefixes.length && { Prefixes: [...new Set(Prefixes)] }),
    ...(Permissions.length && { Permissions: [...new Set(Permissions)] }),
  };
}
