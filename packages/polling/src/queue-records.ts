import { causeOf, parseArn } from '@emu/core/service';
import type { Message } from '@emu/service-types/sqs';
import { contentOf, type JsonObject } from './json.ts';
import type { PolledRecord } from './record.ts';

/**
 * Creates the record of a message.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-sqs.html
 */
export function messageRecord(message: Message, queueArn: string): PolledRecord {
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
    // Only FIFO queues are ordered.
    key: queueArn.endsWith('.fifo') ? value.attributes.MessageGroupId : undefined,
    size: Buffer.byteLength(JSON.stringify(value)),
    cause: causeOf(message),
  };
}
