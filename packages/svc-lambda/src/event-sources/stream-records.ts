import { causeOf, parseArn } from '@emu/core';
import type { Record as DynamodbStreamRecord } from '@emu/service-types/dynamodbstreams';
import type { Record as KinesisRecord } from '@emu/service-types/kinesis';

/** A record of a stream. */
export interface StreamRecord {
  sequence: string;
  /** Epoch milliseconds at which it came into the stream. */
  arrivedAt: number;
  /** Records of one key are worked on in their order. */
  partitionKey: string;
  /** As functions get it. */
  event: object;
  /** As filters look at it. */
  filterable: object;
  /** Bytes of the event. */
  size: number;
  /** Id of what wrote it, where its stream knows. */
  cause: string | undefined;
}

/** Attribute values as JSON has them: bytes as base64, points in time as seconds. */
const jsonOf = (_key: string, value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value;
};

/** Makes the record of a change of an item. https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export function dynamodbRecord(record: DynamodbStreamRecord, streamArn: string): StreamRecord {
  const { dynamodb = {} } = record;
  const arrivedAt = dynamodb.ApproximateCreationDateTime?.getTime() ?? 0;
  const whole = {
    ...record,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: arrivedAt / 1000 },
    eventSourceARN: streamArn,
  };
  // Buffers would turn themselves into objects before the replacer sees them.
  const text = JSON.stringify(whole, (key, value: unknown) =>
    isSerializedBuffer(value) ? Buffer.from(value.data).toString('base64') : jsonOf(key, value),
  );
  const event = JSON.parse(text) as object;
  return {
    sequence: dynamodb.SequenceNumber ?? '',
    arrivedAt,
    partitionKey: JSON.stringify((event as { dynamodb: { Keys?: object } }).dynamodb.Keys ?? {}),
    event,
    filterable: event,
    size: Buffer.byteLength(text),
    cause: causeOf(record),
  };
}

const isSerializedBuffer = (value: unknown): value is { data: number[] } =>
  typeof value === 'object' &&
  value !== null &&
  (value as { type?: unknown }).type === 'Buffer' &&
  Array.isArray((value as { data?: unknown }).data);

/** Makes the record of a data record. https://docs.aws.amazon.com/lambda/latest/dg/with-kinesis.html */
export function kinesisRecord(record: KinesisRecord, shard: string, streamArn: string, role: string): StreamRecord {
  const { SequenceNumber: sequence, PartitionKey: partitionKey } = record;
  const arrivedAt = record.ApproximateArrivalTimestamp?.getTime() ?? 0;
  const data = Buffer.from(record.Data);
  const event = {
    kinesis: {
      kinesisSchemaVersion: '1.0',
      partitionKey,
      sequenceNumber: sequence,
      data: data.toString('base64'),
      approximateArrivalTimestamp: arrivedAt / 1000,
    },
    eventSource: 'aws:kinesis',
    eventVersion: '1.0',
    eventID: `${shard}:${sequence}`,
    eventName: 'aws:kinesis:record',
    invokeIdentityArn: role,
    awsRegion: parseArn(streamArn)!.region,
    eventSourceARN: streamArn,
  };
  return {
    sequence,
    arrivedAt,
    partitionKey,
    event,
    filterable: { ...event.kinesis, data: dataOf(data) },
    size: Buffer.byteLength(JSON.stringify(event)),
    cause: causeOf(record),
  };
}

/** Data as filters look at it: what it holds as JSON, or text. */
function dataOf(data: Buffer): unknown {
  const text = data.toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
