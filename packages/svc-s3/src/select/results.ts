import type { SelectObjectContentEventStream } from '@emu/service-types/s3';
import type { QueryRun, Row } from './engine.ts';
import type { Counts } from './serialization/input.ts';
import type { ResultWriter } from './serialization/output.ts';

/** Bytes of a message of records, about. */
const MESSAGE_SIZE = 64 * 1024;
/** Bytes between two messages that tell the progress. */
const PROGRESS_INTERVAL = 8 * 1024 * 1024;

type Event = SelectObjectContentEventStream;

/** Makes the messages of an answer from the rows of its query. */
export class Results {
  private returned = 0;
  private told = 0;
  private buffer = '';

  constructor(
    private readonly run: QueryRun,
    private readonly writer: ResultWriter,
    private readonly counts: Counts,
    /** Whether the caller wants to be told the progress. */
    private readonly progress: boolean,
  ) {}

  /**
   * @param batches of the records; one undefined for a file that the query reads itself
   * @throws AwsError what reading or querying fails with
   */
  async *events(batches: AsyncIterable<string | undefined>): AsyncGenerator<Event> {
    for await (const batch of batches) {
      const before = this.returned;
      yield* this.records(this.run.rows(batch));
      // A message now and then keeps the connection alive while nothing is found.
      if (this.returned === before && this.buffer === '') yield { Cont: {} };
      if (this.progress && this.counts.processed - this.told >= PROGRESS_INTERVAL) {
        this.told = this.counts.processed;
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
