import { gzipSync } from 'node:zlib';
import type { ExtendedS3DestinationConfiguration } from '@aws-sdk/client-firehose';
import { uncompress } from 'snappyjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timerDelay } from '../../../tools/testing/delays.ts';
import { extract } from '../src/processing/queries.ts';
import { type FirehoseTest, failureOf, startFirehose } from './support.ts';

let t: FirehoseTest;
beforeAll(async () => {
  t = await startFirehose();
  // Loading it takes real time, independent of the clock.
  await extract([Buffer.from('{}')], '{}', 'stream');
});
afterAll(() => t[Symbol.asyncDispose]());

type Processor = NonNullable<
  NonNullable<ExtendedS3DestinationConfiguration['ProcessingConfiguration']>['Processors']
>[number];
const processor = (Type: Processor['Type'], parameters: Record<string, string> = {}) =>
  ({
    Type,
    Parameters: Object.entries(parameters).map(([ParameterName, ParameterValue]) => ({
      ParameterName,
      ParameterValue,
    })),
  }) as Processor;
const processing = (...Processors: Processor[]) => ({ ProcessingConfiguration: { Enabled: true, Processors } });
const delimiter = processor('AppendDelimiterToRecord', { Delimiter: '\\n' });
const query = (MetadataExtractionQuery: string) =>
  processor('MetadataExtraction', { MetadataExtractionQuery, JsonParsingEngine: 'JQ-1.6' });
const HINTS = { SizeInMBs: 64, IntervalInSeconds: 60 };

/** Waits until records are delivered, each a line. @returns the sorted lines by folder before the year */
async function delivered(part: string, records: number): Promise<Record<string, string[]>> {
  const lines = (texts: string[]) =>
    texts
      .join('')
      .split('\n')
      .filter((line) => line !== '');
  // Queries run in another process, independent of the clock.
  await expect
    .poll(
      async () => {
        await t.advance(61);
        return lines(t.texts(part)).length;
      },
      { timeout: 20_000 },
    )
    .toBe(records);
  const found: Record<string, string> = {};
  for (const { Key, Body } of t.objects.filter(({ Key }) => Key.includes(part))) {
    const folder = Key.slice(0, Key.indexOf('2030'));
    found[folder] = (found[folder] ?? '') + Body.toString();
  }
  return Object.fromEntries(Object.entries(found).map(([folder, text]) => [folder, lines([text]).sort()]));
}

describe('dynamic partitioning', () => {
  test('puts records under the keys of a query, and others under the error prefix', async () => {
    await t.stream('queried', {
      Prefix: 'queried/team=!{partitionKeyFromQuery:team}/day=!{partitionKeyFromQuery:day}/!{timestamp:yyyy}/',
      ErrorOutputPrefix: 'queried/error/!{firehose:error-output-type}/',
      DynamicPartitioningConfiguration: { Enabled: true },
      BufferingHints: HINTS,
      ...processing(query('{team: .team.name, day: (.at | strftime("%d"))}'), delimiter),
    });
    const record = (name: unknown, at: unknown) => JSON.stringify({ team: { name }, at });
    await t.put('queried', record('a', 0), record('b', 86_400), record('a', 1), record('', 0), 'no JSON', '{"team":1}');
    const objects = await delivered('queried/', 6);
    expect(objects['queried/team=a/day=01/']).toEqual([record('a', 0), record('a', 1)]);
    expect(objects['queried/team=b/day=02/']).toEqual([record('b', 86_400)]);
    const failed = objects['queried/error/processing-failed/']!;
    expect(failed.map((line) => JSON.parse(line).errorCode)).toEqual(
      Array(3).fill('DynamicPartitioning.MetadataExtractionFailed'),
    );
    const data = failed.map((line) => Buffer.from(JSON.parse(line).rawData, 'base64').toString());
    expect(data.sort()).toEqual(['no JSON', record('', 0), '{"team":1}'].sort());
  });

  test('fails records for a query above a limit, without delay of the main thread', async () => {
    const delay = await timerDelay(async () => {
      expect(await extract([Buffer.from('{}')], '{k: [limit(1000000000; repeat(1))]}', 'hostile')).toEqual([undefined]);
    });
    expect(delay).toBeLessThan(100);
    expect(await extract([Buffer.from('{"a":1}')], '{k: .a}', 'hostile')).toEqual([{ k: 1 }]);
  });

  // Output of jq 1.6 for the same input.
  test.each([
    ['{k:.a.b}', { k: 'x' }],
    ['{k: (.n|tostring)}', { k: '12' }],
    ['{y: (.t|todate)}', { y: '2023-11-14T22:13:20Z' }],
    ['{k: (.list|length), j: (.list|join("-"))}', { k: 2, j: 'p-q' }],
    ['{y: (.t|strftime("%Y")), m:(.t|strftime("%m"))}', { y: '2023', m: '11' }],
    ['{k: (.name|ascii_downcase)}', { k: 'jane' }],
    ['{k: (.s|ltrimstr("a"))}', { k: 'bc' }],
    ['{k: (.f*3)}', { k: 0.300_000_000_000_000_04 }],
    ['{k: (.missing // "none")}', { k: 'none' }],
    ['{k: (.s|test("^a"))}', { k: true }],
    ['{k: .big}', { k: 12_345_678_901_234_567_000 }],
    ['.n', undefined],
    ['.a.b.c', undefined],
  ])('evaluates %s like jq 1.6', async (text, expected) => {
    const input =
      '{"a":{"b":"x"},"n":12,"t":1700000000,"list":["p",\n"q"],"name":"JANE","s":"abc","f":0.1,"big":12345678901234567890}';
    expect(await extract([Buffer.from(input)], text, 'stream')).toEqual([expected]);
  });

  test('rejects invalid queries and processor parameters', async () => {
    const dynamic = (...processors: Processor[]) => ({
      Prefix: '!{partitionKeyFromQuery:k}/',
      ErrorOutputPrefix: 'e/',
      DynamicPartitioningConfiguration: { Enabled: true },
      BufferingHints: HINTS,
      ...processing(...processors),
    });
    for (const [config, sentence] of [
      [
        dynamic(query('{k: .a')),
        'The MetadataExtractionQuery of the MetadataExtraction processor is not a valid jq 1.6 expression.',
      ],
      [
        dynamic(query('.) | (.')),
        'The MetadataExtractionQuery of the MetadataExtraction processor is not a valid jq 1.6 expression.',
      ],
      [
        processing(query('{k: .a}')),
        'MetadataExtraction processor is only supported when Dynamic Partitioning is enabled.',
      ],
      [
        processing(processor('RecordDeAggregation', { SubRecordType: 'XML' })),
        'The parameter SubRecordType of the RecordDeAggregation processor must be one of JSON, DELIMITED.',
      ],
      [
        processing(processor('RecordDeAggregation', { SubRecordType: 'DELIMITED' })),
        'The RecordDeAggregation processor requires the parameter Delimiter.',
      ],
      [processing(processor('Decompression')), 'The Decompression processor requires the parameter CompressionFormat.'],
    ] as const)
      expect(await failureOf(t.stream('refused', config))).toBe(`InvalidArgumentException: ${sentence}`);
  });

  test('accepts a new query in an update', async () => {
    const config = {
      Prefix: 'changing/!{partitionKeyFromQuery:k}/!{timestamp:yyyy}/',
      ErrorOutputPrefix: 'changing/error/',
      DynamicPartitioningConfiguration: { Enabled: true },
      BufferingHints: HINTS,
      ...processing(query('{k: .a}')),
    };
    await t.stream('changing', config);
    const update = (CurrentDeliveryStreamVersionId: string, text: string) =>
      t.firehose.updateDestination({
        DeliveryStreamName: 'changing',
        DestinationId: 'destinationId-000000000001',
        CurrentDeliveryStreamVersionId,
        ExtendedS3DestinationUpdate: processing(query(text)),
      });
    expect(await failureOf(update('1', '{'))).toContain('not a valid jq 1.6 expression');
    await update('1', '{k: .b}');
    await t.put('changing', '{"a":1,"b":2}');
    expect(Object.keys(await delivered('changing/', 1))).toEqual(['changing/2/']);
  });
});

describe('processors', () => {
  test('split aggregated records', async () => {
    await t.stream('objects', {
      ...processing(processor('RecordDeAggregation', { SubRecordType: 'JSON' }), delimiter),
    });
    await t.put('objects', '{"a":"}{"} {"b":[{}]}\n{"c":1}', '{"broken":', '{"ok":true}');
    await expect
      .poll(async () => {
        await t.advance(300);
        return t.texts('objects-1').join('');
      })
      .toContain('{"a":"}{"}\n{"b":[{}]}\n{"c":1}\n{"ok":true}\n');
    expect(t.texts('processing-failed').join('')).toContain('"errorCode":"DataProcessing.InvalidRecord"');
    const Delimiter = Buffer.from('##').toString('base64');
    const parts = processor('RecordDeAggregation', { SubRecordType: 'DELIMITED', Delimiter });
    await t.stream('parts', { ...processing(parts, delimiter) });
    await t.put('parts', 'x##y####z');
    await expect
      .poll(async () => {
        await t.advance(300);
        return t.texts('parts-1').join('');
      })
      .toBe('x\ny\nz\n');
  });

  test('decompress CloudWatch Logs data, and extract its messages', async () => {
    const config = processing(
      processor('Decompression', { CompressionFormat: 'GZIP' }),
      processor('CloudWatchLogProcessing', { DataMessageExtraction: 'true' }),
    );
    await t.stream('logs', config);
    const sent = (messageType: string, ...messages: string[]) =>
      gzipSync(JSON.stringify({ messageType, logEvents: messages.map((message) => ({ id: '1', message })) }));
    await t.firehose.putRecordBatch({
      DeliveryStreamName: 'logs',
      Records: [{ Data: sent('CONTROL_MESSAGE', 'hello') }, { Data: sent('DATA_MESSAGE', 'one', 'two') }],
    });
    await expect
      .poll(async () => {
        await t.advance(300);
        return t.texts('logs-1').join('');
      })
      .toBe('one\ntwo\n');
  });
});

describe('objects', () => {
  const body = async (name: string, CompressionFormat: 'HADOOP_SNAPPY' | 'Snappy', text: string) => {
    await t.stream(name, { CompressionFormat });
    await t.put(name, text);
    await t.advance(300);
    await expect.poll(() => t.objects.some(({ Key }) => Key.includes(`${name}-1`))).toBe(true);
    return t.objects.find(({ Key }) => Key.includes(`${name}-1`))!;
  };
  const long = 'snappy text '.repeat(40_000);

  test("are compressed in Snappy's framing format", async () => {
    const { Key, Body } = await body('framed', 'Snappy', long);
    expect(Key).toMatch(/\.snappy$/);
    expect(Body.subarray(0, 10)).toEqual(Buffer.from('\u00ff\u0006\0\0sNaPpY', 'latin1'));
    const texts: string[] = [];
    for (let at = 10; at < Body.length; ) {
      const length = Body.readUIntLE(at + 1, 3);
      texts.push(uncompress(Body.subarray(at + 8, at + 4 + length)).toString());
      at += 4 + length;
    }
    expect(texts.join('')).toBe(long);
  });

  test('are compressed like Hadoop', async () => {
    const { Key, Body } = await body('hadoop', 'HADOOP_SNAPPY', long);
    expect(Key).toMatch(/\.hsnappy$/);
    const texts: string[] = [];
    for (let at = 0; at < Body.length; ) {
      const [length, packed] = [Body.readUInt32BE(at), Body.readUInt32BE(at + 4)];
      const text = uncompress(Body.subarray(at + 8, at + 8 + packed)).toString();
      expect(text).toHaveLength(length);
      texts.push(text);
      at += 8 + packed;
    }
    expect(texts.join('')).toBe(long);
  });
});
