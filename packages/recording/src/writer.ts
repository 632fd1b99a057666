import { type FileHandle, open } from 'node:fs/promises';
import { exceedsBytes } from '@emu/core/service';
import { MAX_LINE } from './limits.ts';
import { isApiRecord, type RecordingHeader, type RequestRecord } from './records.ts';

/**
 * Writes a recording. Each record is one write, so that a killed process leaves at most one incomplete line, the last. Files
 * are readable by their owner only.
 */
export class RecordingWriter {
  private tail: Promise<void> = Promise.resolve();
  private failure: unknown;
  /** Number of written records. */
  written = 0;

  private constructor(private readonly file: FileHandle) {}

  /**
   * Creates a file with its header.
   * @throws an error of the file system, e.g. with code `EEXIST` for an existing file
   */
  static async create(path: string, header: RecordingHeader): Promise<RecordingWriter> {
    const writer = new RecordingWriter(await open(path, 'wx', 0o600));
    await writer.append(`${JSON.stringify(header)}\n`);
    return writer;
  }

  /**
   * Appends a record, after all earlier ones. A record that is longer than a line may be is written without the members of
   * its input and output, or without its bodies, as `cut`.
   * @returns a promise that resolves when the record is in the file
   * @throws an error of the file system, also that of an earlier record
   */
  write(record: RequestRecord): Promise<void> {
    let line = JSON.stringify(record);
    if (exceedsBytes(line, MAX_LINE)) line = JSON.stringify(shortened(record));
    this.written++;
    return this.append(`${line}\n`);
  }

  /** Completes all writes and closes the file. @throws the error of a failed write */
  async close(): Promise<void> {
    await this.tail;
    await this.file.close();
    if (this.failure !== undefined) throw this.failure;
  }

  private append(line: string): Promise<void> {
    const writing = this.tail.then(async () => {
      if (this.failure !== undefined) throw this.failure;
      await this.file.appendFile(line);
    });
    this.tail = writing.catch((error: unknown) => {
      this.failure ??= error;
    });
    return writing;
  }
}

function shortened(record: RequestRecord): RequestRecord {
  if (isApiRecord(record)) return { ...record, input: {}, ...(record.output && { output: {} }), cut: true };
  const { body: _, ...request } = record.request;
  const { body: __, ...response } = record.response;
  return { ...record, request, response, cut: true };
}
