import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as S3 from '@aws-sdk/client-s3';
import { DuckDBInstance } from '@duckdb/node-api';
import { rejection } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf as refusalOf, s3Emulator } from './helpers.ts';

/** Stores an object and returns the error of its query. */
const errorOf = (query: Promise<unknown>) => refusalOf(query, rejection);

const Bucket = 'a-bucket';
let env: Awaited<ReturnType<typeof s3Emulator>>;

beforeAll(async () => {
  env = await s3Emulator();
  await env.s3.send(new S3.CreateBucketCommand({ Bucket }));
});
afterAll(() => env[Symbol.asyncDispose]());

type Serialization = Pick<
  S3.SelectObjectContentCommandInput,
  'InputSerialization' | 'OutputSerialization' | 'ScanRange'
>;
const CSV: Serialization = {
  InputSerialization: { CSV: { FileHeaderInfo: 'USE' } },
  OutputSerialization: { CSV: {} },
};
const LINES: Serialization = {
  InputSerialization: { JSON: { Type: 'LINES' } },
  OutputSerialization: { JSON: {} },
};

interface Answer {
  text: string;
  stats: S3.Stats | undefined;
  ended: boolean;
  progress: number;
}

async function select(
  Body: string | Uint8Array,
  Expression: string,
  serialization: Serialization,
  extra: Partial<S3.SelectObjectContentCommandInput> = {},
): Promise<Answer> {
  await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'data', Body }));
  const { Payload } = await env.s3.send(
    new S3.SelectObjectContentCommand({
      Bucket,
      Key: 'data',
      Expression,
      ExpressionType: 'SQL',
      ...serialization,
      ...extra,
    }),
  );
  const chunks: Uint8Array[] = [];
  const answer: Answer = { text: '', stats: undefined, ended: false, progress: 0 };
  for await (const event of Payload!) {
    if (event.Records?.Payload) chunks.push(event.Records.Payload);
    if (event.Stats) answer.stats = event.Stats.Details;
    if (event.Progress) answer.progress++;
    if (event.End) answer.ended = true;
  }
  answer.text = Buffer.concat(chunks).toString();
  return answer;
}

const people = 'name,age,city\nAnn,31,Bern\nBob,9,"Rome, Italy"\nCec,45,Oslo\n';
const text = async (...args: Parameters<typeof select>): Promise<string> => (await select(...args)).text;
const csv = (
  Expression: string,
  input: S3.CSVInput = { FileHeaderInfo: 'USE' },
  Body: string = people,
): Promise<string> => text(Body, Expression, { InputSerialization: { CSV: input }, OutputSerialization: { CSV: {} } });
/** Returns the only value of a one-row CSV. */
const value = (expression: string): Promise<string> =>
  csv(`SELECT ${expression} FROM S3Object s LIMIT 1`, {}, '5,text,2007-02-23T12:14:33Z\n').then((one) => one.trimEnd());

describe('CSV', () => {
  it('is queried by header and position', async () => {
    expect(await csv('SELECT s.name, s.CITY FROM S3Object s WHERE CAST(s.age AS INT) > 30')).toBe(
      'Ann,Bern\nCec,Oslo\n',
    );
    expect(await csv('select * from s3object where age = 9')).toBe('Bob,9,"Rome, Italy"\n');
    expect(await csv('SELECT _1, s._3 FROM S3Object s LIMIT 2', { FileHeaderInfo: 'IGNORE' })).toBe(
      'Ann,Bern\nBob,"Rome, Italy"\n',
    );
    expect(await csv('SELECT s._1 FROM S3Object s', {})).toBe('name\nAnn\nBob\nCec\n');
    expect(
      await csv(`SELECT s."name" AS "who" FROM S3Object[*] AS s WHERE s.name LIKE '_e%' OR s.name IN ('Ann', 'X')`),
    ).toBe('Ann\nCec\n');
  });

  it('is written as JSON with header names', async () => {
    const json = { ...CSV, OutputSerialization: { JSON: { RecordDelimiter: ';' } } };
    expect(await text(people, 'SELECT * FROM S3Object LIMIT 1', json)).toBe('{"name":"Ann","age":"31","city":"Bern"};');
    expect(
      await text(
        people,
        'SELECT age AS a, 1 + CAST(age AS INT), s.nothing IS NULL FROM S3Object s LIMIT 1'.replace('s.nothing', 's._9'),
        json,
      ),
    ).toBe('{"a":"31","_2":32,"_3":true};');
  });

  it('supports delimiters, quotes, escapes and comments', async () => {
    const odd = `#c\na|'b|''c'|d;e|f|g;`;
    expect(
      await csv(
        'SELECT _2 FROM S3Object',
        { FieldDelimiter: '|', RecordDelimiter: ';', QuoteCharacter: "'", QuoteEscapeCharacter: "'", Comments: '#' },
        odd.replace('#c\n', ''),
      ),
    ).toBe("b|'c\nf\n");
    expect(await csv('SELECT _1 FROM S3Object', { Comments: '#' }, '#c\na#b\r\n')).toBe('a#b\n');
    expect(await csv('SELECT _1 FROM S3Object', { AllowQuotedRecordDelimiter: true }, '"a\nb"\n')).toBe('"a\nb"\n');
    expect(await errorOf(csv('SELECT _1 FROM S3Object', {}, '"a\nb"\n'))).toMatchObject({
      name: 'CSVEscapingRecordDelimiter',
    });
    const always = await text(people, 'SELECT name FROM S3Object LIMIT 1', {
      ...CSV,
      OutputSerialization: {
        CSV: { QuoteFields: 'ALWAYS', QuoteCharacter: "'", FieldDelimiter: ';', RecordDelimiter: '|' },
      },
    });
    expect(always).toBe("'Ann'|");
  });

  it('may be compressed', async () => {
    const gzip = { ...CSV, InputSerialization: { ...CSV.InputSerialization, CompressionType: 'GZIP' as const } };
    const answer = await select(gzipSync(people), 'SELECT COUNT(*) FROM S3Object', gzip);
    expect(answer).toMatchObject({
      text: '3\n',
      ended: true,
      stats: { BytesProcessed: people.length, BytesReturned: 2 },
    });
    expect(answer.stats!.BytesScanned).toBe(gzipSync(people).length);
    expect(await errorOf(select('no gzip', 'SELECT * FROM S3Object', gzip))).toMatchObject({ name: 'TruncatedInput' });
    const bzip2 = Buffer.from('QlpoOTFBWSZTWb+HQH8AAANZAAAQAAQwADAAIAAwwAhpsogjJ4u5IpwoSF/DoD+A', 'base64');
    const InputSerialization = { CSV: { FileHeaderInfo: 'USE' as const }, CompressionType: 'BZIP2' as const };
    expect(await text(bzip2, 'SELECT s.b FROM S3Object s', { ...CSV, InputSerialization })).toBe('2\n');
  });

  it('rejects too deeply nested statements', async () => {
    for (const count of [500, 3000, 50_000])
      expect(await errorOf(select(people, `SELECT * FROM S3Object${'[*]'.repeat(count)}`, CSV))).toMatchObject({
        name: 'ParseUnsupportedSyntax',
      });
  });

  it('is scanned in ranges that return each record once', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `${index},${'x'.repeat(index % 7)}`).join('\n');
    const found: string[] = [];
    const Body = `${lines}\n`;
    for (let Start = 0; Start < Body.length; Start += 100) {
      const ScanRange = { Start, End: Math.min(Start + 99, Body.length) };
      const part = await text(Body, 'SELECT _1 FROM S3Object', {
        InputSerialization: { CSV: {} },
        OutputSerialization: { CSV: {} },
        ScanRange,
      });
      found.push(...part.split('\n').filter(Boolean));
    }
    expect(found).toEqual(Array.from({ length: 200 }, (_, index) => String(index)));
    const tail = await text(Body, 'SELECT _1 FROM S3Object', {
      InputSerialization: { CSV: {} },
      OutputSerialization: { CSV: {} },
      ScanRange: { End: 8 },
    });
    expect(tail).toBe('199\n');
  });
});

describe('JSON', () => {
  const lines = '{"id":1,"a":{"b":["x","y"]},"n":1.50}\n{"id":2,"Big":12345678901234567890,"z":null}\n';

  it('is queried by paths, and keeps numbers and missing values', async () => {
    expect(await text(lines, 'SELECT s.id, s.a.b[1], s.n FROM S3Object s', LINES)).toBe(
      '{"id":1,"_2":"y","n":1.5}\n{"id":2}\n',
    );
    expect(await text(lines, 'SELECT * FROM S3Object[*] s WHERE s.id = 2', LINES)).toBe(
      '{"id":2,"Big":12345678901234567890,"z":null}\n',
    );
    expect(await text(lines, 'SELECT s.big, s.z FROM S3Object s WHERE s.z IS NOT MISSING AND s.z IS NULL', LINES)).toBe(
      '{"big":12345678901234567890,"z":null}\n',
    );
    expect(await text(lines, `SELECT s.id FROM S3Object s WHERE s.id = '1'`, LINES)).toBe('');
    expect(await text(lines, 'SELECT d FROM S3Object[*].a.b[*] d', LINES)).toBe('{"d":"x"}\n{"d":"y"}\n{}\n');
    const asCsv = { ...LINES, OutputSerialization: { CSV: {} } };
    expect(await text(lines, 'SELECT s.a, s.id FROM S3Object s', asCsv)).toBe('"{""b"":[""x"",""y""]}",1\n,2\n');
    expect(await text(lines, 'SELECT * FROM S3Object s LIMIT 1 ', asCsv)).toBe('1,"{""b"":[""x"",""y""]}",1.50\n');
  });

  it('may be one document over many lines', async () => {
    const document = JSON.stringify({ rules: [{ id: 'a' }, { x: 1 }, { id: 'b' }] }, null, 2);
    const DOCUMENT = { InputSerialization: { JSON: { Type: 'DOCUMENT' as const } }, OutputSerialization: { JSON: {} } };
    expect(await text(document, 'SELECT id FROM S3Object[*].rules[*].id', DOCUMENT)).toBe(
      '{"id":"a"}\n{}\n{"id":"b"}\n',
    );
    expect(await text(document, 'SELECT id FROM S3Object[*].rules[*].id WHERE id IS NOT MISSING', DOCUMENT)).toBe(
      '{"id":"a"}\n{"id":"b"}\n',
    );
    expect(await errorOf(text('{"a":', 'SELECT * FROM S3Object', DOCUMENT))).toMatchObject({
      name: 'JSONParsingError',
    });
    expect(await errorOf(text('{"a":x}', 'SELECT s.a FROM S3Object s', DOCUMENT))).toMatchObject({
      name: 'JSONParsingError',
    });
  });
});

it('reads Parquet, completely or by row groups', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'select-test-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const file = join(directory, 'a.parquet');
  await connection.run(
    `COPY (SELECT i AS id, 'n' || i AS name, {'deep': i * 2} AS s FROM range(5000) t(i)) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
  );
  const Body = readFileSync(file);
  connection.closeSync();
  instance.closeSync();
  rmSync(directory, { recursive: true });
  const parquet: Serialization = { InputSerialization: { Parquet: {} }, OutputSerialization: { JSON: {} } };
  expect(await text(Body, 'SELECT s.name, s.s.deep FROM S3Object s WHERE s.id > 4997', parquet)).toBe(
    '{"name":"n4998","deep":9996}\n{"name":"n4999","deep":9998}\n',
  );
  expect(await text(Body, 'SELECT COUNT(*) AS n, MAX(s.id) AS m FROM S3Object s', parquet)).toBe(
    '{"n":5000,"m":4999}\n',
  );
  expect(
    await text(Body, 'SELECT COUNT(*) AS n FROM S3Object s', { ...parquet, ScanRange: { Start: 0, End: 5 } }),
  ).toBe('{"n":2048}\n');
  expect(await errorOf(text('no parquet file at all', 'SELECT * FROM S3Object', parquet))).toMatchObject({
    name: 'ParquetParsingError',
  });
});

describe('functions', () => {
  it.each([
    ["COALESCE(NULL, s._9, 'x')", 'x'],
    ['NULLIF(s._1, 5)', ''],
    ['CAST(s._1 AS INT) / 2', '2'],
    ['CAST(s._1 AS DECIMAL(5, 2)) * 1.5', '7.5'],
    ['CAST(s._1 AS FLOAT) / 2', '2.5'],
    ['s._1 + 1', '6'],
    ['-CAST(s._1 AS INT) % 3', '-2'],
    ['SUBSTRING(s._2, 2)', 'ext'],
    ['SUBSTRING(s._2 FROM 0 FOR 3)', 'te'],
    ["TRIM(LEADING 't' FROM s._2)", 'ext'],
    ["UPPER(s._2) || '!'", 'TEXT!'],
    ['CHAR_LENGTH(s._2)', '4'],
    ['EXTRACT(YEAR FROM TO_TIMESTAMP(s._3))', '2007'],
    ['EXTRACT(second FROM CAST(s._3 AS TIMESTAMP))', '33'],
    ['DATE_ADD(day, 6, TO_TIMESTAMP(s._3))', '2007-03-01T12:14:33Z'],
    ['DATE_DIFF(day, `2010-01-01T23:00Z`, `2010-01-02T01:00Z`)', '0'],
    ['DATE_DIFF(month, `2010T`, `2010-05T`)', '4'],
    ["TO_STRING(TO_TIMESTAMP(s._3), 'MMMM d, y h:mm a X')", '"February 23, 2007 12:14 PM Z"'],
    ["CASE s._1 WHEN 4 THEN 'four' WHEN 5 THEN 'five' ELSE 'many' END", 'five'],
    ['CASE WHEN s._1 BETWEEN 1 AND 4 THEN 1 END', ''],
    ["CAST('true' AS BOOL)", 'true'],
    ["s._2 LIKE 't!%xt' ESCAPE '!'", 'false'],
    ["s._2 NOT IN ('text')", 'false'],
  ])('%s is %s', async (expression, expected) => {
    expect(await value(expression)).toBe(expected);
  });

  it('UTCNOW is the emulated time', async () => {
    await env.emulator.control('POST', '/_emulator/clock', { now: '2030-01-02T03:04:05.000Z', freeze: true });
    const year = await value('EXTRACT(YEAR FROM UTCNOW())');
    await env.emulator.control('POST', '/_emulator/clock', { reset: true });
    expect(['2030', String(new Date().getUTCFullYear())]).toContain(year);
  });

  it('aggregate over all records', async () => {
    expect(
      await csv(
        'SELECT COUNT(*), SUM(CAST(age AS INT)), AVG(CAST(age AS INT)), MIN(age), MAX(CAST(age AS INT)) + 1 FROM S3Object',
      ),
    ).toBe('3,85,28.3333333333333332,9,46\n'.replace('28.3333333333333332', String(85 / 3)));
    expect(await csv("SELECT COUNT(name) FROM S3Object WHERE name = 'nobody'")).toBe('0\n');
    const many = Array.from({ length: 300_000 }, (_, index) => `${index}`).join('\n');
    expect(await csv('SELECT COUNT(*), SUM(CAST(_1 AS INT)) FROM S3Object', {}, many)).toBe('300000,44999850000\n');
  });
});

describe('errors', () => {
  it.each([
    ['SELECT FROM S3Object', 'ParseEmptySelect'],
    ['SELECT 1', 'ParseSelectMissingFrom'],
    ['SELECT *, name FROM S3Object', 'ParseAsteriskIsNotAloneInSelectList'],
    ['SELECT name FROM S3Object s WHERE', 'ParseUnexpectedToken'],
    ['SELECT name FROM S3Object ORDER BY name', 'UnsupportedSqlStructure'],
    ["SELECT * FROM read_csv('/etc/passwd')", 'ParseUnexpectedToken'],
    ["SELECT read_text('/etc/passwd') FROM S3Object", 'UnsupportedFunction'],
    ['SELECT * FROM other', 'InvalidDataSource'],
    ['SELECT t.* FROM S3Object s', 'InvalidTableAlias'],
    ['SELECT nobody FROM S3Object', 'MissingHeaders'],
    ['SELECT MAX(*) FROM S3Object', 'ParseUnsupportedCallWithStar'],
    ['SELECT SUM(age, 1) FROM S3Object', 'ParseNonUnaryAgregateFunctionCall'],
    ['SELECT name, COUNT(*) FROM S3Object', 'UnsupportedSqlStructure'],
    ['SELECT CAST(name AS INT) FROM S3Object', 'CastFailed'],
    ['SELECT CAST(name AS THING) FROM S3Object', 'ParseExpectedTypeName'],
    ['SELECT LOWER(name, 1) FROM S3Object', 'EvaluatorInvalidArguments'],
  ])('rejects %s with %s', async (expression, name) => {
    expect(await errorOf(csv(expression))).toMatchObject({ name });
  });

  it.each([
    [{ ExpressionType: 'XPATH' }, 'InvalidExpressionType'],
    [{ InputSerialization: {} }, 'InvalidDataSource'],
    [{ InputSerialization: { CSV: {}, JSON: { Type: 'LINES' } } }, 'ObjectSerializationConflict'],
    [{ InputSerialization: { CSV: { FileHeaderInfo: 'MAYBE' } } }, 'InvalidFileHeaderInfo'],
    [{ InputSerialization: { JSON: { Type: 'X' } } }, 'InvalidJsonType'],
    [{ InputSerialization: { CSV: {}, CompressionType: 'ZIP' } }, 'InvalidCompressionFormat'],
    [{ OutputSerialization: { CSV: { QuoteFields: 'NEVER' } } }, 'InvalidQuoteFields'],
    [
      { InputSerialization: { CSV: {}, CompressionType: 'GZIP' }, ScanRange: { Start: 0, End: 4 } },
      'UnsupportedScanRangeInput',
    ],
    [{ Key: 'nothing' }, 'NoSuchKey'],
  ])('rejects %j with %s', async (extra, name) => {
    const wrong = extra as Partial<S3.SelectObjectContentCommandInput>;
    expect(await errorOf(select(people, 'SELECT * FROM S3Object', CSV, wrong))).toMatchObject({
      name,
      $metadata: { httpStatusCode: name === 'NoSuchKey' ? 404 : 400 },
    });
  });

  it('rejects too long or deeply nested expressions', async () => {
    const deep = `SELECT ${'('.repeat(5000)}1${')'.repeat(5000)} FROM S3Object`;
    expect(await errorOf(csv(deep))).toMatchObject({ name: 'ParseUnsupportedSyntax' });
    const nots = `SELECT 1 FROM S3Object WHERE ${'NOT '.repeat(1500)} TRUE`;
    expect(await errorOf(csv(nots))).toMatchObject({ name: 'ParseUnsupportedSyntax' });
    const cases = `SELECT ${'CASE '.repeat(60)}age${" WHEN 1 THEN 2 WHEN '3' THEN 4 END".repeat(60)} FROM S3Object`;
    expect(await csv(cases)).toBe('\n\n\n');
    const long = `SELECT 1 FROM S3Object WHERE name = '${'x'.repeat(262_144)}'`;
    expect(await errorOf(csv(long))).toMatchObject({ name: 'ExpressionTooLong' });
  });

  it('end the stream after the first records', async () => {
    const good = `${Array.from({ length: 200_000 }, (_, index) => `row ${index}`).join('\n')}\n`;
    const Body = Buffer.concat([Buffer.from(good), Buffer.from([0xff, 0xfe, 0x0a])]);
    expect(
      await errorOf(select(Body, 'SELECT * FROM S3Object', { ...CSV, InputSerialization: { CSV: {} } })),
    ).toMatchObject({ name: 'InvalidTextEncoding' });
    expect(await errorOf(csv('SELECT * FROM S3Object', {}, 'x'.repeat(1_100_000)))).toMatchObject({
      name: 'OverMaxRecordSize',
    });
  });
});

it('returns progress on request', async () => {
  const answer = await select(people, 'SELECT * FROM S3Object', CSV, { RequestProgress: { Enabled: true } });
  expect(answer).toMatchObject({ progress: 1, ended: true });
});
