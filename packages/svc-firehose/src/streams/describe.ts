import type { DeepReadonly } from '@emu/core/service';
import type {
  DeliveryStreamDescription,
  DeliveryStreamEncryptionConfiguration,
  DestinationDescription,
  MSKSourceDescription,
  S3DestinationDescription,
  SourceDescription,
} from '@emu/service-types/firehose';
import { SERVICE_FAMILIES } from '../destinations/families.ts';
import type { DestinationRecord, EncryptionRecord } from '../records.ts';
import type { DeliveryStream } from '../registry.ts';
import type { FirehoseState } from '../state.ts';

/** Id of a delivery stream's only destination. */
export const DESTINATION_ID = 'destinationId-000000000001';

/** Describes a destination. AWS describes a bucket in both forms, whichever created it. */
function describeDestination(destination: DeepReadonly<DestinationRecord>): DestinationDescription {
  if (destination.kind === 'service') {
    const { description } = SERVICE_FAMILIES[destination.family];
    const described = structuredClone({ ...destination.own, ...destination.settings });
    return { DestinationId: DESTINATION_ID, [description]: described };
  }
  const { kind, settings } = destination;
  if (kind === 'http')
    return {
      DestinationId: DESTINATION_ID,
      HttpEndpointDestinationDescription: structuredClone(settings) as never,
    };
  const { RoleARN, BucketARN, Prefix, ErrorOutputPrefix, BufferingHints, CompressionFormat } = settings;
  const { EncryptionConfiguration, CloudWatchLoggingOptions } = settings;
  const basic: S3DestinationDescription = {
    RoleARN,
    BucketARN,
    Prefix,
    ErrorOutputPrefix,
    BufferingHints,
    CompressionFormat,
    EncryptionConfiguration,
    CloudWatchLoggingOptions,
  };
  return {
    DestinationId: DESTINATION_ID,
    S3DestinationDescription: basic,
    ExtendedS3DestinationDescription: structuredClone(settings) as never,
  };
}

const describeEncryption = ({
  status,
  keyType,
  keyArn,
  failure,
}: DeepReadonly<EncryptionRecord>): DeliveryStreamEncryptionConfiguration => ({
  Status: status,
  ...(keyType !== undefined && { KeyType: keyType }),
  ...(keyArn !== undefined && { KeyARN: keyArn }),
  ...(failure && { FailureDescription: failure }),
});

function describeSource({ source, kept, throughputHintMB }: DeliveryStream): SourceDescription | undefined {
  if (kept?.kind === 'database') return { DatabaseSourceDescription: structuredClone(kept.settings) as never };
  if (kept) {
    const { startedAt, from, settings } = kept;
    return {
      MSKSourceDescription: {
        ...(structuredClone(settings) as MSKSourceDescription),
        DeliveryStartTimestamp: new Date(startedAt),
        ...(from !== undefined && { ReadFromTimestamp: new Date(from) }),
      },
    };
  }
  if (source)
    return {
      KinesisStreamSourceDescription: {
        KinesisStreamARN: source.streamArn,
        RoleARN: source.roleArn,
        DeliveryStartTimestamp: new Date(source.startedAt),
      },
    };
  return throughputHintMB === undefined
    ? undefined
    : { DirectPutSourceDescription: { ThroughputHintInMBs: throughputHintMB } };
}

/** Returns the delivery stream as DescribeDeliveryStream returns it. */
export function describeStream(stream: DeliveryStream, state: FirehoseState): DeliveryStreamDescription {
  const source = describeSource(stream);
  return {
    DeliveryStreamName: stream.name,
    DeliveryStreamARN: state.arnOf(stream.name),
    DeliveryStreamStatus: stream.status,
    // As recorded, streams with another source show no encryption of their own.
    ...(stream.type === 'DirectPut' && {
      DeliveryStreamEncryptionConfiguration: describeEncryption(stream.encryption),
    }),
    DeliveryStreamType: stream.type,
    VersionId: String(stream.version),
    CreateTimestamp: new Date(stream.createdAt),
    ...(stream.updatedAt !== undefined && { LastUpdateTimestamp: new Date(stream.updatedAt) }),
    ...(source && { Source: source }),
    Destinations: [describeDestination(stream.destination)],
    HasMoreDestinations: false,
  };
}
