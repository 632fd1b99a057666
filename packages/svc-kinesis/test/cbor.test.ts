import { sendRaw } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, type KinesisTest, REGION, shard, startKinesis } from './support.ts';

let t: KinesisTest;
beforeAll(async () => {
  t = await startKinesis();
});
afterAll(() => t[Symbol.asyncDispose]());

const MEDIA = 'application/x-amz-cbor-1.1';

/** A map, array or text in the shortest form. */
const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  const head = bytes.length < 24 ? [0x60 + bytes.length] : [0x78, bytes.length];
  return Buffer.concat([Buffer.from(head), bytes]);
};
const blob = (bytes: Buffer): Buffer => Buffer.concat([Buffer.of(0x40 + bytes.length), bytes]);
const map = (...entries: [string, Buffer][]): Buffer =>
  Buffer.concat([Buffer.of(0xa0 + entries.length), ...entries.flatMap(([key, value]) => [text(key), value])]);
/** Tag 1 with an eight-byte integer. */
const time = (milliseconds: number): Buffer => {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt16BE(0xc11b);
  bytes.writeBigUInt64BE(BigInt(milliseconds), 2);
  return bytes;
};

async function send(operation: string, body: Buffer) {
  const scope = `AKIDEXAMPLE/20260101/${REGION}/kinesis/aws4_request`;
  const {
    status,
    headers,
    bytes: answer,
  } = await sendRaw(t.emulator, {
    method: 'POST',
    target: '/',
    headers: {
      'content-type': MEDIA,
      'x-amz-target': `Kinesis_20131202.${operation}`,
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
    },
    chunks: [body],
  });
  return { status, type: headers['content-type'], answer };
}

test('encodes records as byte strings, and times as tagged integers in milliseconds', async () => {
  await t.stream('cbor');
  const data = Buffer.from([0, 255, 1]);
  const put = await send(
    'PutRecord',
    map(['StreamName', text('cbor')], ['PartitionKey', text('k')], ['Data', blob(data)]),
  );
  expect([put.status, put.type]).toEqual([200, MEDIA]);
  const ShardIterator = await t.iterator('cbor', 0);
  const { answer } = await send('GetRecords', map(['ShardIterator', text(ShardIterator)]));
  const arrival = Math.floor(t.emulator.kernel.clock.now());
  expect(answer.includes(Buffer.concat([text('ApproximateArrivalTimestamp'), time(arrival)]))).toBe(true);
  expect(answer.includes(Buffer.concat([text('Data'), blob(data)]))).toBe(true);
});

test('reads a time in a request as milliseconds', async () => {
  await t.stream('timed');
  await t.put('timed', ['old'], 'k');
  await t.advance(60_000);
  const now = Math.floor(t.emulator.kernel.clock.now());
  await t.put('timed', ['new'], 'k');
  const { answer } = await send(
    'GetShardIterator',
    map(
      ['StreamName', text('timed')],
      ['ShardId', text(shard(0))],
      ['ShardIteratorType', text('AT_TIMESTAMP')],
      ['Timestamp', time(now)],
    ),
  );
  const head = text('ShardIterator').toString('latin1');
  const start = answer.toString('latin1').indexOf(head) + head.length + 2;
  const ShardIterator = answer.subarray(start, -1).toString();
  const { Records } = await t.kinesis.getRecords({ ShardIterator });
  expect(Records!.map(({ Data }) => Buffer.from(Data!).toString())).toEqual(['new']);
});

test('encodes errors in CBOR', async () => {
  const { status, type, answer } = await send('DescribeStream', map(['StreamName', text('wrong')]));
  expect([status, type]).toEqual([400, MEDIA]);
  expect(answer.includes(Buffer.concat([text('__type'), text('ResourceNotFoundException')]))).toBe(true);
  const message = text(`Stream wrong under account ${ACCOUNT} not found.`);
  expect(answer.includes(Buffer.concat([text('message'), message]))).toBe(true);
});
