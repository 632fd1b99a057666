import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';
import { defined, type Obj } from './values.ts';

/** Names of the members with a package's location. */
export interface LocationNames {
  readonly bucket: string;
  readonly key: string;
  readonly version: string;
}

const LAMBDA: LocationNames = { bucket: 'S3Bucket', key: 'S3Key', version: 'S3ObjectVersion' };
/** Names used in definitions of APIs and state machines. */
export const PLAIN: LocationNames = { bucket: 'Bucket', key: 'Key', version: 'Version' };

/**
 * Parses the location of a package: an S3 URI, or bucket and key.
 * @throws SamProblem
 */
export function location(id: string, property: string, value: unknown, names: LocationNames = LAMBDA): Obj {
  if (isObject(value)) {
    const { Bucket, Key, Version } = value;
    if (!Bucket || !Key) throw resourceProblem(id, `'${property}' requires Bucket and Key properties to be specified.`);
    return defined({ [names.bucket]: Bucket, [names.key]: Key, [names.version]: Version });
  }
  const match =
    typeof value === 'string'
      ? /^s3:\/\/([^/?[\]]+)\/([^?]+)(?:\?(?:.*&)?versionId=([^&]*).*|\?.*)?$/.exec(value)
      : null;
  if (!match)
    throw resourceProblem(
      id,
      `'${property}' is not a valid S3 Uri of the form 's3://bucket/key' with optional versionId query parameter.`,
    );
  const [, bucket, key, version] = match;
  return defined({ [names.bucket]: bucket, [names.key]: key, [names.version]: version });
}
