/** Bytes of payloads and responses that are kept. */
const LIMIT = 64 * 1024 * 1024;
const MAX_RECORDS = 10_000;

/** A recorded invocation; times are epoch milliseconds, durations milliseconds. */
export interface InvocationRecord {
  requestId: string;
  /** Id of the request or delivery that caused it; undefined for a request from outside. */
  cause: string | undefined;
  functionName: string;
  functionArn: string;
  version: string;
  invocationType: 'RequestResponse' | 'Event' | 'DryRun';
  source: string;
  payload: Uint8Array;
  response: Uint8Array | undefined;
  functionError: 'Unhandled' | undefined;
  duration: number;
  coldStart: boolean;
  timestamp: number;
}

/** What ran, for the introspection route: the oldest give way by number and by size. */
export class InvocationRecords {
  private readonly records: InvocationRecord[] = [];
  private first = 0;
  private size = 0;

  add(record: InvocationRecord): void {
    this.records.push(record);
    this.size += sizeOf(record);
    while (
      this.records.length - this.first > MAX_RECORDS ||
      (this.size > LIMIT && this.first < this.records.length - 1)
    ) {
      this.size -= sizeOf(this.records[this.first]!);
      // Dropped at once, for the list itself is only shortened now and then.
      this.records[this.first] = undefined as never;
      this.first++;
    }
    if (this.first < MAX_RECORDS) return;
    this.records.splice(0, this.first);
    this.first = 0;
  }

  /** Oldest first. */
  list(): InvocationRecord[] {
    return this.records.slice(this.first);
  }
}

const sizeOf = ({ payload, response }: InvocationRecord): number => payload.length + (response?.length ?? 0);
