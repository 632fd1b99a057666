import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiRecord,
  CutBody,
  fromJson,
  isApiRecord,
  MAX_LINE,
  openRecording,
  type RawRecord,
  type RecordedLine,
  type Recording,
  RecordingError,
  type RecordingHeader,
  RecordingWriter,
  readRecording,
  toJson,
} from '../src/index.ts';

const HEADER: RecordingHeader = {
  recording: 1,
  startedAt: '2026-11-29T09:00:00.000Z',
  upstream: 'aws',
  region: 'us-east-1',
  masked: true,
};
const SENT: ApiRecord = {
  n: 1,
  startedAt: '2026-11-29T09:00:01.000Z',
  milliseconds: 12.3,
  service: 'sqs',
  region: 'us-east-1',
  operation: 'SendMessage',
  input: { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000001/q', MessageBody: 'hello' },
  status: 200,
  headers: { 'x-amzn-requestid': '1' },
  output: { MessageId: 'm' },
};
const FETCHED: RawRecord = {
  n: 2,
  startedAt: '2026-11-29T09:00:02.000Z',
  milliseconds: 1,
  service: 'execute-api',
  region: 'us-east-1',
  request: { method: 'GET', host: 'a.execute-api.us-east-1.amazonaws.com', path: '/', query: '', headers: {} },
  response: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'hello' },
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'emu-recording-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function* pieces(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function allOf({ lines }: Recording): Promise<RecordedLine[]> {
  const all: RecordedLine[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const textOf = (...lines: unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const readText = async (text: string): Promise<RecordedLine[]> => allOf(await readRecording(pieces(text)));

describe('values', () => {
  const circle = (value: unknown): unknown => fromJson(JSON.parse(JSON.stringify(toJson(value))));

  test('return from JSON unchanged', () => {
    const value = {
      text: 'a',
      bytes: new Uint8Array([0, 255]),
      at: new Date(1.5e12),
      numbers: [1, Number.NaN, Number.NEGATIVE_INFINITY, 2n ** 63n + 1n],
      nothing: null,
      nested: { list: [true, { deep: new Uint8Array() }] },
    };
    expect(circle(value)).toEqual(value);
    expect(circle(new CutBody(new Uint8Array([1]), 9))).toEqual(new CutBody(new Uint8Array([1]), 9));
  });

  test("keep objects of users with reserved names, and with the name of an object's prototype", () => {
    for (const value of [
      { $bytes: 'not base64!' },
      { a: 1, $time: 2 },
      { $literal: { $number: 'x' } },
      JSON.parse('{"__proto__": {"a": 1}}') as object,
    ])
      expect(circle(value)).toEqual(value);
  });

  test('lose undefined members, and are refused beyond the depth that protocols allow', () => {
    expect(toJson({ a: undefined, b: 1 })).toEqual({ b: 1 });
    let deep: unknown = 1;
    for (let level = 0; level < 1002; level++) deep = [deep];
    expect(() => toJson(deep)).toThrow(RangeError);
  });

  test.for([
    [{ $bytes: 1 }, '$bytes'],
    [{ $bytes: '', $length: 'x' }, '$length'],
    [{ $time: 'yesterday' }, '$time'],
    [{ $literal: 1 }, '$literal'],
  ] as const)('%j is refused', ([json, name]) => {
    expect(() => fromJson(json)).toThrow(name);
  });
});

describe('files', () => {
  test('contain the records in the order of their writes, and only their owner can read them', async () => {
    const path = join(directory, 'ordered.jsonl');
    const writer = await RecordingWriter.create(path, HEADER);
    await Promise.all([writer.write(SENT), writer.write(FETCHED)]);
    await writer.close();
    expect(await readFile(path, 'utf8')).toBe(textOf(HEADER, SENT, FETCHED));
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    const recording = await openRecording(path);
    expect(recording.header).toEqual(HEADER);
    const lines = await allOf(recording);
    expect(lines).toEqual([
      { line: 2, record: SENT },
      { line: 3, record: FETCHED },
    ]);
    expect(lines.map(({ record }) => isApiRecord(record))).toEqual([true, false]);
  });

  test('are never overwritten', async () => {
    const path = join(directory, 'kept.jsonl');
    await (await RecordingWriter.create(path, HEADER)).close();
    await expect(RecordingWriter.create(path, HEADER)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  test('have no line over the limit: its members are dropped, and the record says so', async () => {
    const path = join(directory, 'long.jsonl');
    const writer = await RecordingWriter.create(path, HEADER);
    const long = 'x'.repeat(MAX_LINE);
    await writer.write({ ...SENT, input: { MessageBody: long } });
    await writer.write({ ...FETCHED, response: { ...FETCHED.response, body: long } });
    await writer.close();
    const records = (await allOf(await openRecording(path))).map(({ record }) => record);
    const { body: _, ...response } = FETCHED.response;
    expect(records).toEqual([
      { ...SENT, input: {}, output: {}, cut: true },
      { ...FETCHED, response, cut: true },
    ]);
  });
});

describe('reading', () => {
  test('skips an incomplete last line and blank lines', async () => {
    const text = `${textOf(HEADER, SENT)}\n${JSON.stringify(FETCHED).slice(0, 40)}`;
    expect((await readText(text)).map(({ line }) => line)).toEqual([2]);
  });

  test('accepts a complete last line without a newline', async () => {
    expect(await readText(textOf(HEADER, SENT).trimEnd())).toHaveLength(1);
  });

  test.for([
    ['', 'line 1 of the recording is missing'],
    ['hello\n', 'line 1 of the recording is not JSON'],
    ['{"n":1}\n', 'line 1 of the recording is no header'],
    ['{"recording":2}\n', 'has the version 2'],
    ['{"recording":1}\n', 'has no startedAt'],
    [`${textOf(HEADER)}nonsense\n`, 'line 2 of the recording is not JSON'],
    [textOf(HEADER, []), 'line 2 of the recording is no object'],
    [textOf(HEADER, SENT, { ...SENT, n: 'one' }), 'line 3 of the recording has no valid n'],
    [textOf(HEADER, { ...SENT, error: { code: 'A', message: '' } }), 'has no valid output or error'],
    [textOf(HEADER, { ...SENT, output: undefined }), 'has no valid output or error'],
    [textOf(HEADER, { ...SENT, output: undefined, error: {} }), 'has no valid error'],
    [textOf(HEADER, { ...FETCHED, request: undefined }), 'has no valid input or request'],
    [textOf(HEADER, { ...FETCHED, response: {} }), 'has no valid response'],
  ])('%j is refused', async ([text, message]) => {
    await expect(readText(text!)).rejects.toThrow(RecordingError);
    await expect(readText(text!)).rejects.toThrow(message);
  });

  test('a line over the limit is refused before it is in memory', async () => {
    let produced = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(textOf(HEADER));
      for (;;) {
        produced += 65_536;
        yield Buffer.alloc(65_536, 'x');
      }
    }
    await expect(readRecording(endless()).then(allOf)).rejects.toThrow(
      `line 2 of the recording is longer than ${MAX_LINE}`,
    );
    expect(produced).toBeLessThanOrEqual(MAX_LINE + 65_536);
  });
});
