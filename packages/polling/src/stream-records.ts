import { causeOf, parseArn } from '@emu/core/service';
import type { Record as DynamodbStreamRecord } from '@emu/service-types/dynamodbstreams';
import type { Record as KinesisRecord } from '@emu/service-types/kinesis';
import { parseJson } from '@emu/wire';
import type { JsonObject } from './json.ts';
import type { DataEvent, PolledRecord } from './record.ts';

/** Returns attribute values in JSON form: bytes as base64. */
const jsonOf = (_key: string, value: unknown): unknown =>
  isSerializedBuffer(value)
    ? Buffer.from(value.data).toString('base64')
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('base64')
      : value;

// Buffers convert themselves to objects before a replacer sees them.
const isSerializedBuffer = (value: unknown): value is { data: number[] } =>
  typeof value === 'object' &&
  value !== null &&
  (value as { type?: unknown }).type === 'Buffer' &&
  Array.isArray((value as { data?: unknown }).data);

/**
 * Creates the record of an item change.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-dynamodb.html
 */
export function changeRecord(record: DynamodbStreamRecord, streamArn: string): PolledRecord {
  const { dynamodb = {} } = record;
  const arrivedAt = dynamodb.ApproximateCreationDateTime?.getTime() ?? 0;
  const whole = {
    ...record,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: arrivedAt / 1000 },
    eventSourceARN: streamArn,
  };
  const text = JSON.stringify(whole, jsonOf);
  const value = parseJson(text) as JsonObject;
  return {
    value,
    decoded: value,
    id: dynamodb.SequenceNumber ?? '',
    arrivedAt,
    key: JSON.stringify((value.dynamodb as JsonObject).Keys ?? {}),
    size: Buffer.byteLength(text),
    cause: causeOf(record),
  };
}

/** Source and reader of a Kinesis record. */
export interface DataOrigin {
  readonly shard: string;
  readonly streamArn: string;
  /** ARN of the reader's role. */
  readonly role: string;
}

/** Creates the record of a Kinesis data record. */
export function dataRecord(record: KinesisRecord, origin: DataOrigin, event: DataEvent): PolledRecord {
  const { SequenceNumber: sequence, PartitionKey: partitionKey } = record;
  const { shard, streamArn, role } = origin;
  const arrivedAt = record.ApproximateArrivalTimestamp?.getTime() ?? 0;
  const data = Buffer.from(record.Data);
  const { value, decoded } = event({
    record: {
      kinesisSchemaVersion: '1.0',
      partitionKey,
      sequenceNumber: sequence,
      data: data.toString('base64'),
      approximateArrivalTimestamp: arrivedAt / 1000,
    },
    envelope: {
      eventSource: 'aws:kinesis',
      eventVersion: '1.0',
      eventID: `${shard}:${sequence}`,
      eventName: 'aws:kinesis:record',
      invokeIdentityArn: role,
      awsRegion: parseArn(streamArn)!.region,
      eventSourceARN: streamArn,
    },
    text: data.toString(),
  });
  return {
    value,
    decoded,
    id: sequence,
    arrivedAt,
    key: partitionKey,
    size: Buffer.byteLength(JSON.stringify(value)),
    cause: causeOf(record),
  };
}
