import type { SelectObjectContentEventStream } from '@emu/service-types/s3';
import type { QueryRun, Row } from './engine.ts';
import type { Counts } from './serialization/input.ts';
import type { ResultWriter } from './serialization/output.ts';

/** Approximate bytes per records message. */
const MESSAGE_SIZE = 64 * 1024;
/** Bytes between two progress messages. */
const PROGRESS_INTERVAL = 8 * 1024 * 1024;

type Event = SelectObjectContentEventStream;

/** Creates response messages from query rows. */
export class Results {
  private returned = 0;
  private reported = 0;
  private buffer = '';

  constructor(
    private readonly run: QueryRun,
    private readonly writer: ResultWriter,
    private readonly counts: Counts,
    /** Whether progress messages are requested. */
    private readonly progress: boolean,
  ) {}

  /**
   * @param batches of the records; a single undefined for a file that the query reads itself
   * @throws AwsError errors of reading or the query
   */
  async *events(batches: AsyncIterable<string | undefined>): AsyncGenerator<Event> {
    for await (const batch of batches) {
      const before = this.returned;
      yield* this.records(this.run.rows(batch));
      // Continuation messages keep the connection alive while nothing matches.
      if (this.returned === before && this.buffer === '') yield { Cont: {} };
      if (this.progress && this.counts.processed - this.reported >= PROGRESS_INTERVAL) {
        this.reported = this.counts.processed;
        yield { Progress: { Details: this.details() } };
      }
      if (this.run.done) break;
    }
    yield* this.records(this.run.totals());
    if (this.buffer !== '') yield this.flush();
    if (this.progress) yield { Progress: { Details: this.details() } };
    yield { Stats: { Details: this.details() } };
    yield { End: {} };
  }

  private async *records(rows: AsyncIterable<readonly Row[]>): AsyncGenerator<Event> {
    for await (const chunk of rows)
      for (const row of chunk) {
        this.buffer += this.writer.write(row);
        if (this.buffer.length >= MESSAGE_SIZE) yield this.flush();
      }
  }

  private flush(): Event {
    const payload = Buffer.from(this.buffer);
    this.buffer = '';
    this.returned += payload.length;
    return { Records: { Payload: payload } };
  }

  private details(): { BytesScanned: number; BytesProcessed: number; BytesReturned: number } {
    return { BytesScanned: this.counts.scanned, BytesProcessed: this.counts.processed, BytesReturned: this.returned };
  }
}
