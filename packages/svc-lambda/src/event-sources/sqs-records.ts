import type { Message } from '@emu/service-types/sqs';

/** A message, as functions get it. https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export interface SqsRecord {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, string>;
  messageAttributes: Record<string, object>;
  md5OfMessageAttributes?: string;
  md5OfBody: string;
  eventSource: 'aws:sqs';
  eventSourceARN: string;
  awsRegion: string;
}

/** Makes the record of a message. */
export function sqsRecord(message: Message, queueArn: string, region: string): SqsRecord {
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
  return {
    messageId: message.MessageId!,
    receiptHandle: message.ReceiptHandle!,
    body: message.Body!,
    attributes: { ...message.Attributes },
    messageAttributes: Object.fromEntries(attributes),
    ...(MD5OfMessageAttributes !== undefined && { md5OfMessageAttributes: MD5OfMessageAttributes }),
    md5OfBody: message.MD5OfBody!,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}

/** A record as filters look at it: a body that holds a JSON object is that object. */
export function filterable(record: SqsRecord): object {
  try {
    const body: unknown = JSON.parse(record.body);
    return typeof body === 'object' && body !== null ? { ...record, body } : record;
  } catch {
    return record;
  }
}

/**
 * The messages of a batch that a function did not deal with.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 * @param ids of the batch's messages
 * @returns the ids it named; undefined where its response makes no sense, which stands for the whole batch
 */
export function failedItems(response: Buffer, ids: ReadonlySet<string>): Set<string> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(response.toString() || 'null');
  } catch {
    return undefined;
  }
  if (value === null) return new Set();
  const failures = (value as { batchItemFailures?: unknown }).batchItemFailures ?? [];
  if (!Array.isArray(failures)) return undefined;
  const failed = new Set<string>();
  for (const failure of failures) {
    const id = (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier;
    if (typeof id !== 'string' || !ids.has(id)) return undefined;
    failed.add(id);
  }
  return failed;
}
