import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { _Record, Kinesis } from '@aws-sdk/client-kinesis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, shard, startKinesis } from './support.ts';

const StreamName = 's';
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'emu-segments-'));
});
afterEach(() => rm(directory, { recursive: true }));

const open = () => startKinesis({ dataPath: directory });

async function put(kinesis: Kinesis, from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at += 500)
    await kinesis.putRecords({
      StreamName,
      Records: Array.from({ length: 500 }, (_, index) => ({
        PartitionKey: `schlüssel-${at + index}`,
        Data: Buffer.from(`${at + index} ${'x'.repeat(1000)}`),
      })),
    });
}

async function readAll(kinesis: Kinesis, start: object): Promise<{ numbers: number[]; records: _Record[] }> {
  let { ShardIterator } = await kinesis.getShardIterator({
    StreamName,
    ShardId: shard(0),
    ShardIteratorType: 'TRIM_HORIZON',
    ...start,
  });
  const records: _Record[] = [];
  for (;;) {
    const page = await kinesis.getRecords({ ShardIterator, Limit: 700 });
    records.push(...page.Records!);
    ShardIterator = page.NextShardIterator;
    if (page.Records!.length === 0) break;
  }
  return { records, numbers: records.map(({ Data }) => Number.parseInt(Buffer.from(Data!).toString(), 10)) };
}

async function segmentFiles(): Promise<string[]> {
  const names = await readdir(join(directory, 'kinesis', 'bodies'), { recursive: true, withFileTypes: true });
  return names.filter((name) => name.isFile()).map(({ name }) => name);
}

const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index);

test('reads records in order from segments and later records, even after a restart', async () => {
  let emulator = await open();
  let { kinesis } = emulator;
  await kinesis.createStream({ StreamName, ShardCount: 1 });
  await put(kinesis, 0, 3000);
  await expect.poll(async () => (await segmentFiles()).length).toBeGreaterThan(3);
  const before = await readAll(kinesis, {});
  expect(before.numbers).toEqual(upTo(3000));
  expect(before.records[1234]!.PartitionKey).toBe('schlüssel-1234');
  await emulator[Symbol.asyncDispose]();

  emulator = await open();
  ({ kinesis } = emulator);
  expect((await readAll(kinesis, {})).records).toEqual(before.records);
  const StartingSequenceNumber = before.records[700]!.SequenceNumber;
  const later = await readAll(kinesis, { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber });
  expect(later.numbers).toEqual(upTo(2299, 701));
  await put(kinesis, 3000, 500);
  expect((await readAll(kinesis, {})).numbers).toEqual(upTo(3500));
  await emulator[Symbol.asyncDispose]();
});

test('removes segments after the retention, and keeps newer ones', async () => {
  const emulator = await open();
  const { kinesis } = emulator;
  await kinesis.createStream({ StreamName, ShardCount: 1 });
  await put(kinesis, 0, 2000);
  await emulator.advance(20 * HOUR);
  const Timestamp = new Date(emulator.emulator.kernel.clock.now());
  await put(kinesis, 2000, 1000);
  await expect.poll(async () => (await segmentFiles()).length).toBeGreaterThan(3);
  const files = await segmentFiles();
  expect((await readAll(kinesis, { ShardIteratorType: 'AT_TIMESTAMP', Timestamp })).numbers).toEqual(upTo(1000, 2000));
  await emulator.advance(6 * HOUR);
  expect((await readAll(kinesis, {})).numbers).toEqual(upTo(1000, 2000));
  await expect.poll(async () => (await segmentFiles()).length).toBeLessThan(files.length - 2);
  await kinesis.deleteStream({ StreamName });
  await emulator.advance(HOUR);
  await expect.poll(segmentFiles).toEqual([]);
  await emulator[Symbol.asyncDispose]();
});
