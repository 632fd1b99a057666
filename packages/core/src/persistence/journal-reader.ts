import { DamagedData } from '../storage/damage.ts';
import type { OpenFile } from '../storage/file-system.ts';
import { decodeHeader, decodeRecord, type JournalRecord, recordsWithin } from './journal-format.ts';
import { readLines } from './line-reader.ts';
import type { Change } from './persistence.ts';

/** The journal to read, and its expected state. */
export interface JournalExpectation {
  path: string;
  service: string;
  number: number;
  /** The previous journal; undefined for the first one after a snapshot. */
  before: { path: string; size: number; sequence: number } | undefined;
  /** Whether it was the last one written, so that its end may be incomplete. */
  last: boolean;
}

/** How much of a journal is intact. */
export interface JournalExtent {
  /** Bytes up to the end of the last complete operation; the rest is to be cut off. */
  size: number;
  /** Bytes in the file. */
  fileSize: number;
  /** Sequence number of the next record; undefined without a header. */
  sequence: number | undefined;
}

/**
 * Calls `load` with a journal's changes, in order. Skips an operation that was being written at a crash or power
 * failure, and everything after it: none of it was acknowledged. A crash leaves the beginning of a write; a power
 * failure may leave whole sectors unwritten, which read as zeros. Any other unexpected line is damage.
 * @throws DamagedData naming file and offset if it is damaged, or `load` rejects a change
 */
export async function readJournal(
  file: OpenFile,
  expected: JournalExpectation,
  load: (change: Change) => void,
): Promise<JournalExtent> {
  const reading = new JournalReading(expected, load);
  await readLines(file, (line, offset, terminated) => reading.line(line, offset, terminated));
  return reading.finish(await file.size());
}

/** Bytes of a sector, which a disk writes at once. */
const SECTOR = 512;

/**
 * Whether part of a line was never written: zeros, from the start of the line or of a sector to the end of a sector.
 */
function isHole(line: Buffer, offset: number): boolean {
  const start = line.indexOf(0);
  if (start < 0 || (start > 0 && (offset + start) % SECTOR)) return false;
  let end = start;
  while (line[end] === 0) end++;
  return (offset + end) % SECTOR === 0;
}

class JournalReading {
  private size = 0;
  private sequence: number | undefined;
  /** Records of an incomplete operation. */
  private operation: Change[] = [];
  private operationSize = 0;
  /** Start of an interrupted write, unless a later record proves that it was complete. */
  private interrupted: { offset: number; sequence: number } | undefined;

  constructor(
    private readonly expected: JournalExpectation,
    private readonly load: (change: Change) => void,
  ) {}

  line(line: Buffer, offset: number, terminated: boolean): void {
    if (this.interrupted) {
      const record = terminated ? decodeRecord(line) : undefined;
      for (const found of record ? [record] : recordsWithin(line)) this.afterInterruption(found);
    } else if (this.sequence === undefined) this.header(line, offset, terminated);
    else this.record(line, offset, terminated, this.sequence);
  }

  finish(fileSize: number): JournalExtent {
    const { sequence } = this;
    const { path, last } = this.expected;
    if (!last) {
      if (this.interrupted) throw this.damaged(this.interrupted.offset);
      if (sequence === undefined || this.operation.length)
        throw new DamagedData(path, `is incomplete, it ends at byte ${fileSize}`, this.size);
    }
    return {
      size: this.size,
      fileSize,
      sequence: sequence === undefined ? undefined : sequence - this.operation.length,
    };
  }

  private header(line: Buffer, offset: number, terminated: boolean): void {
    const header = terminated ? decodeHeader(line) : undefined;
    if (!header) {
      // Everything after the header was written after it was complete.
      this.interrupt(line, offset, terminated, -1);
      return;
    }
    const { path, service, number, before } = this.expected;
    if (header.service !== service || header.number !== number)
      throw new DamagedData(
        path,
        `is not journal ${number} of ${service} but journal ${header.number} of ${header.service}`,
      );
    if (before && header.sequence > before.sequence)
      throw new DamagedData(
        before.path,
        `ends before change ${before.sequence}, but the journal after it begins with ${header.sequence}`,
        before.size,
      );
    if (before && header.sequence < before.sequence)
      throw new DamagedData(
        path,
        `begins with change ${header.sequence}, but the journal before it ends before ${before.sequence}`,
      );
    this.sequence = header.sequence;
    this.size = line.length + 1;
  }

  private record(line: Buffer, offset: number, terminated: boolean, sequence: number): void {
    const record = terminated ? decodeRecord(line) : undefined;
    if (record?.sequence !== sequence) {
      this.interrupt(line, offset, terminated, sequence, record);
      return;
    }
    this.sequence = sequence + 1;
    this.operation.push(record.change);
    this.operationSize += line.length + 1;
    if (record.more) return;
    for (const change of this.operation) this.apply(change, offset);
    this.size += this.operationSize;
    this.operation = [];
    this.operationSize = 0;
  }

  private apply(change: Change, offset: number): void {
    try {
      this.load(change);
    } catch (error) {
      throw new DamagedData(
        this.expected.path,
        `holds a change at byte ${offset} that cannot be restored: ${String(error)}`,
        this.size,
        { cause: error },
      );
    }
  }

  /**
   * Treats a line that is not the next record as the start of an interrupted write.
   * @param record the unexpected record
   * @throws DamagedData if no interruption leaves such a line
   */
  private interrupt(line: Buffer, offset: number, terminated: boolean, sequence: number, record?: JournalRecord): void {
    if (record)
      throw new DamagedData(
        this.expected.path,
        `is damaged at byte ${offset}: change ${record.sequence} stands where ${sequence} should`,
        this.size,
      );
    // If only the newline differs, the line was complete.
    const complete = terminated ? !isHole(line, offset) : decodeRecord(line.subarray(0, -1)) !== undefined;
    if (complete) throw this.damaged(offset);
    this.interrupted = { offset, sequence };
    for (const found of recordsWithin(line)) this.afterInterruption(found);
  }

  /** Rejects records after an interruption: a group begins only after the previous one is completely written. */
  private afterInterruption(record: JournalRecord): void {
    const { offset, sequence } = this.interrupted!;
    if (record.sequence - record.place > sequence) throw this.damaged(offset);
  }

  private damaged(offset: number): DamagedData {
    return new DamagedData(this.expected.path, `is damaged at byte ${offset}`, this.size);
  }
}
