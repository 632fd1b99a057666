import type { DeepReadonly } from '@emu/core/service';
import type {
  ExtendedS3DestinationConfiguration,
  ExtendedS3DestinationUpdate,
  HttpEndpointDestinationConfiguration,
  HttpEndpointDestinationUpdate,
  S3DestinationConfiguration,
  S3DestinationUpdate,
} from '@emu/service-types/firehose';
import { invalidArgument } from '../errors.ts';
import type { DestinationRecord, HttpRecord, S3Record, ServiceRecord } from '../records.ts';
import { SERVICE_FAMILIES, type ServiceFamily } from './families.ts';
import { httpDestination, type ServiceConfiguration, s3Destination, serviceDestination } from './settings.ts';

type Destination = DeepReadonly<DestinationRecord>;

/** Merges given members into existing ones. */
function merged<T extends object>(there: Partial<T> | undefined, given: Partial<T> | undefined): T {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...there, ...Object.fromEntries(set) } as T;
}

function required(value: object, names: readonly string[]): void {
  const missing = names.find((name) => (value as Record<string, unknown>)[name] === undefined);
  if (missing !== undefined) throw invalidArgument(`${missing} is required for a destination of another type.`);
}

const copied = <T extends object>(value: unknown): T | undefined =>
  value === undefined ? undefined : (structuredClone(value) as T);

/**
 * Returns the bucket destination after an update. A destination of another type is replaced completely.
 * @throws AwsError `InvalidArgumentException` as for a new one, including incomplete updates
 */
export function updateS3(there: Destination, update: ExtendedS3DestinationUpdate): S3Record {
  const settings = there.kind === 's3' ? there.settings : undefined;
  const { S3BackupDescription, ...rest } = settings ?? {};
  const { S3BackupUpdate, ...given } = update;
  const config = merged<ExtendedS3DestinationConfiguration>(copied(rest), given);
  required(config, ['RoleARN', 'BucketARN']);
  if (S3BackupDescription ?? S3BackupUpdate)
    config.S3BackupConfiguration = updateBucket(copied(S3BackupDescription), S3BackupUpdate);
  return s3Destination(config);
}

function updateBucket(
  there: S3DestinationConfiguration | undefined,
  update: S3DestinationUpdate | undefined,
): S3DestinationConfiguration {
  const config = merged<S3DestinationConfiguration>(there, update);
  required(config, ['RoleARN', 'BucketARN']);
  return config;
}

/**
 * Returns the HTTP endpoint destination after an update.
 * @throws AwsError as `updateS3`
 */
export function updateHttp(there: Destination, update: HttpEndpointDestinationUpdate): HttpRecord {
  const { S3Update, ...given } = update;
  let config: Partial<HttpEndpointDestinationConfiguration> = {};
  let bucket: S3DestinationConfiguration | undefined;
  if (there.kind === 'http') {
    const { S3DestinationDescription, EndpointConfiguration: _, ...rest } = there.settings;
    const { url: Url, accessKey: AccessKey } = there;
    config = {
      ...copied<Partial<HttpEndpointDestinationConfiguration>>(rest),
      EndpointConfiguration: { Url, Name: there.settings.EndpointConfiguration?.Name, AccessKey },
    };
    bucket = copied(S3DestinationDescription);
  }
  const whole = merged<HttpEndpointDestinationConfiguration>(config, given);
  required(whole, ['EndpointConfiguration']);
  return httpDestination({ ...whole, S3Configuration: updateBucket(bucket, S3Update) });
}

/** Members of all service updates. */
export interface ServiceUpdate {
  readonly S3Update?: S3DestinationUpdate | undefined;
  /** Iceberg's update member. */
  readonly S3Configuration?: S3DestinationConfiguration | undefined;
  readonly S3BackupUpdate?: S3DestinationUpdate | undefined;
  readonly [member: string]: unknown;
}

/**
 * Returns the service destination after an update.
 * @throws AwsError as `updateS3`
 */
export function updateService(there: Destination, family: ServiceFamily, update: ServiceUpdate): ServiceRecord {
  const { S3Update, S3BackupUpdate, S3Configuration, ...given } = update;
  let config: Partial<ServiceConfiguration> = {};
  let bucket: S3DestinationConfiguration | undefined;
  let backup: S3DestinationConfiguration | undefined;
  if (there.kind === 'service' && there.family === family) {
    const { S3DestinationDescription, S3BackupDescription, ...rest } = there.settings;
    config = copied<Partial<ServiceConfiguration>>({ ...there.own, ...there.secrets, ...rest })!;
    bucket = copied(S3DestinationDescription);
    backup = copied(S3BackupDescription);
  }
  const whole = merged<ServiceConfiguration>(config, given);
  required(whole, SERVICE_FAMILIES[family].required);
  return serviceDestination(family, {
    ...whole,
    S3Configuration: S3Configuration ?? updateBucket(bucket, S3Update),
    ...((backup ?? S3BackupUpdate) && { S3BackupConfiguration: updateBucket(backup, S3BackupUpdate) }),
  });
}
