import { causeOf, parseArn } from '@emu/core';
import type { Record as DynamodbStreamRecord } from '@emu/service-types/dynamodbstreams';
import type { Record as KinesisRecord } from '@emu/service-types/kinesis';
import type { Message } from '@emu/service-types/sqs';
import type { Json, JsonObject } from '../definition/json.ts';
import type { SourceRecord } from './source.ts';

/** A text that holds an object or list, as what it holds. */
function contentOf(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

/**
 * Makes the record of a message.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-sqs.html
 */
export function queueRecord(message: Message, queueArn: string): SourceRecord {
  const { MD5OfMessageAttributes } = message;
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(([name, attribute]) => [
    name,
    {
      ...(attribute.StringValue !== undefined && { stringValue: attribute.StringValue }),
      ...(attribute.BinaryValue && { binaryValue: Buffer.from(attribute.BinaryValue).toString('base64') }),
      stringListValues: [],
      binaryListValues: [],
      dataType: attribute.DataType,
    },
  ]);
  const value = {
    messageId: message.MessageId!,
    receiptHandle: message.ReceiptHandle!,
    body: message.Body!,
    attributes: { ...(message.Attributes as Record<string, string> | undefined) },
    messageAttributes: Object.fromEntries(attributes) as JsonObject,
    ...(MD5OfMessageAttributes !== undefined && { md5OfMessageAttributes: MD5OfMessageAttributes }),
    md5OfBody: message.MD5OfBody!,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: parseArn(queueArn)!.region,
  };
  return {
    value,
    decoded: { ...value, body: contentOf(value.body) },
    id: value.messageId,
    arrivedAt: Number(value.attributes.SentTimestamp ?? 0),
    // Only queues of the kind FIFO keep an order.
    key: queueArn.endsWith('.fifo') ? value.attributes.MessageGroupId : undefined,
    size: Buffer.byteLength(JSON.stringify(value)),
    cause: causeOf(message),
  };
}

/** Attribute values as JSON has them: bytes as base64. */
const jsonOf = (_key: string, value: unknown): unknown =>
  isSerializedBuffer(value)
    ? Buffer.from(value.data).toString('base64')
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('base64')
      : value;

// Buffers turn themselves into objects before a replacer sees them.
const isSerializedBuffer = (value: unknown): value is { data: number[] } =>
  typeof value === 'object' &&
  value !== null &&
  (value as { type?: unknown }).type === 'Buffer' &&
  Array.isArray((value as { data?: unknown }).data);

/**
 * Makes the record of a change of an item.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-dynamodb.html
 */
export function changeRecord(record: DynamodbStreamRecord, streamArn: string): SourceRecord {
  const { dynamodb = {} } = record;
  const arrivedAt = dynamodb.ApproximateCreationDateTime?.getTime() ?? 0;
  const whole = {
    ...record,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: arrivedAt / 1000 },
    eventSourceARN: streamArn,
  };
  const text = JSON.stringify(whole, jsonOf);
  const value = JSON.parse(text) as JsonObject;
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

/**
 * Makes the record of a data record, whose members stand side by side, other than Lambda's.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-kinesis.html
 */
export function dataRecord(record: KinesisRecord, shard: string, streamArn: string, role: string): SourceRecord {
  const { SequenceNumber: sequence, PartitionKey: partitionKey } = record;
  const arrivedAt = record.ApproximateArrivalTimestamp?.getTime() ?? 0;
  const data = Buffer.from(record.Data);
  const value = {
    kinesisSchemaVersion: '1.0',
    partitionKey,
    sequenceNumber: sequence,
    data: data.toString('base64'),
    approximateArrivalTimestamp: arrivedAt / 1000,
    eventSource: 'aws:kinesis',
    eventVersion: '1.0',
    eventID: `${shard}:${sequence}`,
    eventName: 'aws:kinesis:record',
    invokeIdentityArn: role,
    awsRegion: parseArn(streamArn)!.region,
    eventSourceARN: streamArn,
  };
  return {
    value,
    decoded: { ...value, data: contentOf(data.toString()) },
    id: sequence,
    arrivedAt,
    key: partitionKey,
    size: Buffer.byteLength(JSON.stringify(value)),
    cause: causeOf(record),
  };
}
