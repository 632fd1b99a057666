import { type DeepReadonly, parseArn, roleSessionPrincipal } from '@emu/core/service';
import type { S3DestinationDescription } from '@emu/service-types/firehose';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';
import { compress, EXTENSIONS } from './compression.ts';
import { formatTime } from './timestamps.ts';

/** Target bucket of a destination or backup. */
export type S3Settings = DeepReadonly<S3DestinationDescription> & {
  readonly FileExtension?: string | undefined;
  readonly CustomTimeZone?: string | undefined;
};

/** Returns the caller with a role, marked so that it can be evaluated as the role's request. */
export const asRole = (roleArn: string, stream: DeliveryStream) => ({
  principal: roleSessionPrincipal(roleArn, stream.name),
  authorize: {},
});

const bucketOf = ({ BucketARN }: S3Settings): string => parseArn(BucketARN)!.resource;

/** Returns a random string for prefixes. */
export const randomString = ({ ids }: DeliveryScope): string =>
  ids.chars(11, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');

/**
 * Writes an object with the destination's role.
 * @param prefix evaluated prefix
 * @param time time of the oldest record in epoch milliseconds
 * @throws AwsError S3's error
 * @see https://docs.aws.amazon.com/firehose/latest/dev/s3-object-name.html
 */
export async function writeObject(
  state: DeliveryScope,
  stream: DeliveryStream,
  settings: S3Settings,
  { prefix, time, bytes }: { prefix: string; time: number; bytes: Buffer },
): Promise<void> {
  const { CompressionFormat: format, CustomTimeZone: zone = '', EncryptionConfiguration: encryption } = settings;
  const moment = formatTime(time, 'yyyy-MM-dd-HH-mm-ss', zone);
  const name = `${stream.name}-${stream.version}-${moment}-${state.ids.uuid()}`;
  const key = encryption.KMSEncryptionConfig?.AWSKMSKeyARN;
  await state.call(
    's3',
    'PutObject',
    {
      Bucket: bucketOf(settings),
      Key: `${prefix}${name}${settings.FileExtension || EXTENSIONS[format]}`,
      Body: await compress(bytes, format, name),
      ContentType: 'application/octet-stream',
      ...(key !== undefined && { ServerSideEncryption: 'aws:kms' as const, SSEKMSKeyId: key }),
    },
    asRole(settings.RoleARN, stream),
  );
}
