import { DamagedData } from '../storage/damage.ts';
import type { OpenFile } from '../storage/file-system.ts';
import { decodeHeader, decodeRecord, type JournalRecord, recordsWithin } from './journal-format.ts';
import { readLines } from './line-reader.ts';
import type { Change } from './persistence.ts';

/** Which journal is read, and what it has to be. */
export interface JournalExpectation {
  path: string;
  service: string;
  number: number;
  /** The journal before it; undefined for the first one after a snapshot. */
  before: { path: string; size: number; sequence: number } | undefined;
  /** Whether writing ended in it, so that its tail may be incomplete. */
  last: boolean;
}

/** How far a journal is whole. */
export interface JournalExtent {
  /** Bytes up to the end of the last whole operation; what follows is to be cut off. */
  size: number;
  /** Bytes in the file. */
  fileSize: number;
  /** Sequence number of the next record; undefined where even the header is missing. */
  sequence: number | undefined;
}

/**
 * Hands a journal's changes to `load`, in order. An operation that was being written when the process or the machine
 * died is left out, with everything after it: none of it was acknowledged. A dying process leaves the beginning of what
 * it wrote; a dying machine may leave whole sectors of it unwritten, which read as zeros. Any other line that is not what
 * was written is damage.
 * @throws DamagedData naming file and offset where it is damaged, or `load` does not take a change
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

/** Bytes that a disk writes as a whole. */
const SECTOR = 512;

/** Whether part of a line was never written: zeros, from the line's start or that of a sector to the end of one. */
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
  /** Records of an operation of which more is to come. */
  private operation: Change[] = [];
  private operationSize = 0;
  /** Where an interrupted write begins, unless what follows proves that it was whole once. */
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
      // Anything that follows was written after the header was complete.
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
   * Takes a line that is not the next record for the beginning of an interrupted write.
   * @param record what it is instead
   * @throws DamagedData where no interruption leaves such a line
   */
  private interrupt(line: Buffer, offset: number, terminated: boolean, sequence: number, record?: JournalRecord): void {
    if (record)
      throw new DamagedData(
        this.expected.path,
        `is damaged at byte ${offset}: change ${record.sequence} stands where ${sequence} should`,
        this.size,
      );
    // Where only the newline is another byte, the line was complete.
    const complete = terminated ? !isHole(line, offset) : decodeRecord(line.subarray(0, -1)) !== undefined;
    if (complete) throw this.damaged(offset);
    this.interrupted = { offset, sequence };
    for (const found of recordsWithin(line)) this.afterInterruption(found);
  }

  /** A group is only begun when the one before it is wholly written. */
  private afterInterruption(record: JournalRecord): void {
    const { offset, sequence } = this.interrupted!;
    if (record.sequence - record.place > sequence) throw this.damaged(offset);
  }

  private damaged(offset: number): DamagedData {
    return new DamagedData(this.expected.path, `is damaged at byte ${offset}`, this.size);
  }
}
