import { createReadStream } from 'node:fs';
import { isObject, parseJson } from '@emu/wire';
import { MAX_LINE } from './limits.ts';
import type { RecordingHeader, RequestRecord } from './records.ts';

const NEWLINE = 0x0a;

/** A recording that cannot be read. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  /** @param line number of the line, from 1 */
  constructor(
    problem: string,
    readonly line: number,
  ) {
    super(`line ${line} of the recording ${problem}`);
  }
}

/** A request of a recording, with its line. */
export interface RecordedLine {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly record: RequestRecord;
}

/** A recording that is being read. */
export interface Recording {
  readonly header: RecordingHeader;
  /**
   * The requests in the order of the file; read once. A last line without a newline that is incomplete is skipped, because a
   * killed recorder leaves one.
   * @throws RecordingError (the iteration) for an invalid line
   */
  readonly lines: AsyncIterable<RecordedLine>;
}

/**
 * Opens a recording and reads its header. Memory depends on the longest line, not on the file's size.
 * @param path of the file
 * @throws RecordingError if the file has no valid header; an error of the file system, e.g. with code `ENOENT`
 */
export const openRecording = (path: string): Promise<Recording> => readRecording(createReadStream(path));

/**
 * Reads a recording from its bytes.
 * @throws RecordingError if it has no valid header
 */
export async function readRecording(bytes: AsyncIterable<Uint8Array>): Promise<Recording> {
  const lines = linesOf(bytes)[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) throw new RecordingError('is missing: the file is empty', 1);
  const header = parse(first.value);
  if (!isObject(header) || header.recording === undefined) throw new RecordingError('is no header of a recording', 1);
  if (header.recording !== 1)
    throw new RecordingError(`has the version ${String(header.recording)}, and this version of emu reads 1`, 1);
  for (const name of ['startedAt', 'upstream', 'region'])
    if (typeof header[name] !== 'string') throw new RecordingError(`has no ${name}`, 1);
  if (typeof header.masked !== 'boolean') throw new RecordingError('has no masked', 1);
  return { header: header as unknown as RecordingHeader, lines: recordsOf(lines) };
}

/** A line with its number and whether a newline ends it. */
interface Line {
  readonly bytes: Uint8Array;
  readonly number: number;
  readonly complete: boolean;
}

async function* recordsOf(lines: AsyncIterator<Line>): AsyncGenerator<RecordedLine, void, undefined> {
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const { value } = next;
      if (value.bytes.length === 0) continue;
      let record: unknown;
      try {
        record = parse(value);
      } catch (error) {
        if (!value.complete) return;
        throw error;
      }
      yield { line: value.number, record: recordOf(record, value.number) };
    }
  } finally {
    await lines.return?.();
  }
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size > MAX_LINE) throw new RecordingError(`is longer than ${MAX_LINE} bytes`, number);
    parts.push(part);
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield { bytes: Buffer.concat(parts), number, complete: true };
      parts = [];
      size = 0;
      number++;
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (size > 0) yield { bytes: Buffer.concat(parts), number, complete: false };
}

function parse({ bytes, number }: Line): unknown {
  try {
    return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw new RecordingError('is not JSON', number);
  }
}

/** Checks the members that every reader relies on. @throws RecordingError for a missing one */
function recordOf(value: unknown, line: number): RequestRecord {
  const refuse = (member: string): never => {
    throw new RecordingError(`has no valid ${member}`, line);
  };
  if (!isObject(value)) throw new RecordingError('is no object', line);
  if (!Number.isSafeInteger(value.n)) refuse('n');
  if (typeof value.startedAt !== 'string' || Number.isNaN(Date.parse(value.startedAt))) refuse('startedAt');
  if (typeof value.milliseconds !== 'number') refuse('milliseconds');
  if (typeof value.service !== 'string') refuse('service');
  if (typeof value.region !== 'string') refuse('region');
  if (value.input === undefined) checkRaw(value, refuse);
  else checkApi(value, refuse);
  return value as unknown as RequestRecord;
}

type Refuse = (member: string) => never;

function checkApi(value: Record<string, unknown>, refuse: Refuse): void {
  if (!isObject(value.input)) refuse('input');
  if (typeof value.operation !== 'string') refuse('operation');
  if (typeof value.status !== 'number') refuse('status');
  if (!isObject(value.headers)) refuse('headers');
  if ((value.output === undefined) === (value.error === undefined)) refuse('output or error');
  if (value.output !== undefined && !isObject(value.output)) refuse('output');
  if (value.error === undefined) return;
  const { error } = value;
  if (!isObject(error) || typeof error.code !== 'string' || typeof error.message !== 'string') refuse('error');
}

function checkRaw({ request, response }: Record<string, unknown>, refuse: Refuse): void {
  const sent = isObject(request) ? request : refuse('input or request');
  for (const name of ['method', 'host', 'path', 'query']) if (typeof sent[name] !== 'string') refuse(`request.${name}`);
  if (!isObject(sent.headers)) refuse('request.headers');
  if (!isObject(response) || typeof response.status !== 'number' || !isObject(response.headers)) refuse('response');
}
