import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../src/index.ts';
import { variantsOf } from '../src/variants.ts';

describe('variantsOf', () => {
  const model = SCENARIOS.sqs.model;

  it('removes members, adds them, iterates over enums and violates constraints', () => {
    const names = variantsOf(SCENARIOS.dynamodb.model, 'Scan', { TableName: 'things' }).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['base', '-TableName', '+Limit', 'Limit=0', 'Select=COUNT', 'Select not in the enum']),
    );
  });

  it('omits requests that differ on the wire', () => {
    const leftOutOf = (scenario: (typeof SCENARIOS)[keyof typeof SCENARIOS], operation: string, input: object) =>
      Object.fromEntries(
        variantsOf(scenario.model, operation, { ...input }).flatMap(({ name, leftOut }) =>
          leftOut ? [[name, leftOut]] : [],
        ),
      );
    const key = { Bucket: 'b', Key: 'k' };
    const part = { ...key, UploadId: 'u', PartNumber: 1 };
    expect(leftOutOf(SCENARIOS.s3, 'UploadPartCopy', { ...part, CopySource: 'b/k' })).toEqual({
      '-CopySource': 'is a request of UploadPart',
      '-PartNumber': 'is a request of CopyObject',
      '-UploadId': 'is a request of CopyObject',
    });
    expect(leftOutOf(SCENARIOS.s3, 'GetObjectAttributes', { ...key, ObjectAttributes: ['ETag'] })).toEqual({});
    expect(leftOutOf(SCENARIOS.s3, 'PutBucketInventoryConfiguration', { Bucket: 'b', Id: 'i' })).toEqual({});
    expect(leftOutOf(SCENARIOS.s3control, 'DeleteMultiRegionAccessPoint', { ClientToken: 't' })).toEqual({
      '-ClientToken': 'clients make a token where there is none',
    });
    expect(leftOutOf(SCENARIOS.lambda, 'ListDurableExecutionsByFunction', { FunctionName: 'f' })).toEqual({
      'Statuses too few': 'an empty list is not sent',
    });
  });

  it('recurses into lists of structures without changing the base', () => {
    const base = { QueueUrl: 'q', Entries: [{ Id: 'a', MessageBody: 'x' }] };
    const variants = variantsOf(model, 'SendMessageBatch', base);
    expect(variants.find(({ name }) => name === '-Entries.0.MessageBody')).toEqual({
      name: '-Entries.0.MessageBody',
      input: { QueueUrl: 'q', Entries: [{ Id: 'a' }] },
      broken: true,
    });
    expect(base).toEqual({ QueueUrl: 'q', Entries: [{ Id: 'a', MessageBody: 'x' }] });
  });
});
