import type { OpenFile } from './file-system.ts';
import { decodeHeader, decodeRecord, type JournalRecord, recordsWithin } from './journal-format.ts';
import { readLines } from './line-reader.ts';
import type { Change } from './persistence.ts';

/** Which journal is read, and what it has to be. */
export interface JournalExpectation {
  path: string;
  service: string;
  number: number;
  /** Sequence number of its first record; undefined for the first journal after a snapshot. */
  sequence: number | undefined;
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
 * died is left out, with everything after it: none of it was acknowledged.
 * @throws Error naming file and offset where anything before that is damaged, or `load` does not take a change
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

class JournalReading {
  private size = 0;
  private sequence: number | undefined;
  /** Records of an operation of which more is to come. */
  private operation: Change[] = [];
  private operationSize = 0;
  private damage: { offset: number; sequence: number } | undefined;

  constructor(
    private readonly expected: JournalExpectation,
    private readonly load: (change: Change) => void,
  ) {}

  line(line: Buffer, offset: number, terminated: boolean): void {
    if (this.damage) {
      const record = terminated ? decodeRecord(line) : undefined;
      for (const found of record ? [record] : recordsWithin(line)) this.afterDamage(found);
    } else if (this.sequence === undefined) this.header(line, offset, terminated);
    else this.record(line, offset, terminated, this.sequence);
  }

  finish(fileSize: number): JournalExtent {
    const { sequence } = this;
    const { path, last } = this.expected;
    if (!last) {
      if (this.damage) throw this.damaged();
      if (sequence === undefined || this.operation.length)
        throw new Error(`${path} is incomplete, it ends at byte ${fileSize}; restore the file from a backup`);
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
      this.damage = { offset, sequence: -1 };
      for (const found of recordsWithin(line)) this.afterDamage(found);
      return;
    }
    const { path, service, number, sequence } = this.expected;
    if (header.service !== service || header.number !== number)
      throw new Error(
        `${path} is not journal ${number} of ${service} but journal ${header.number} of ${header.service}`,
      );
    if (sequence !== undefined && header.sequence !== sequence)
      throw new Error(
        `${path} begins with change ${header.sequence}, but the journal before it ends before ${sequence}`,
      );
    this.sequence = header.sequence;
    this.size = line.length + 1;
  }

  private record(line: Buffer, offset: number, terminated: boolean, sequence: number): void {
    const record = terminated ? decodeRecord(line) : undefined;
    if (record?.sequence !== sequence) {
      this.damage = { offset, sequence };
      for (const found of record ? [record] : recordsWithin(line)) this.afterDamage(found);
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
      throw new Error(`${this.expected.path}: the change at byte ${offset} cannot be restored: ${String(error)}`, {
        cause: error,
      });
    }
  }

  private afterDamage(record: JournalRecord): void {
    const groupStart = record.sequence - record.place;
    if (groupStart > this.damage!.sequence) throw this.damaged();
  }

  private damaged(): Error {
    const { path } = this.expected;
    return new Error(
      `${path} is damaged at byte ${this.damage!.offset}, before its last changes; restore the file from a backup`,
    );
  }
}
