import { crc32 } from 'node:zlib';
import { DamagedData } from '../storage/damage.ts';
import { type FileSystem, type OpenFile, openExisting, writeFully } from '../storage/file-system.ts';
import { checksumText } from './journal-format.ts';
import { readLines } from './line-reader.ts';
import type { Change } from './persistence.ts';

/** Content of a snapshot's first line. */
export interface SnapshotHeader {
  /** Format of the records' lines. */
  format: number;
  service: string;
  /** Number of the last journal in the snapshot. */
  journal: number;
}

/** Characters of records that are encoded before other work can run. */
const SLICE = 256 * 1024;
/** Milliseconds after which other work runs in any case, checked after some records. */
const SLICE_TIME = 2;
const LOOK = 16;

/** The format that is written and read. */
const SNAPSHOT_FORMAT = 1;

const RECORDS_OPEN = ',"records":[';
const RECORDS_CLOSE = ']';

/** Destination of a snapshot. */
export interface SnapshotTarget {
  path: string;
  service: string;
  /** Number of the last journal in the snapshot. */
  journal: number;
  /** Awaited after all records are written, before the snapshot replaces the old one. */
  ready: () => Promise<void>;
}

/**
 * Writes every record to a new snapshot and puts it in the place of the old one. The file is one JSON document with a
 * record per line, so that it can be written, read and looked at in pieces:
 *
 *     {"format":1,"service":"sqs","journal":3,"records":[
 *     ["queues","123456789012","us-east-1","orders",{…}],
 *     ["queues","123456789012","us-east-1","events",{…}]
 *     ],"count":2,"checksum":"1f2e3d4c"}
 *
 * @returns size of the file in bytes
 */
export async function writeSnapshot(
  fileSystem: FileSystem,
  target: SnapshotTarget,
  records: Iterable<Change>,
): Promise<number> {
  const temporary = `${target.path}.tmp`;
  try {
    const file = await fileSystem.open(temporary, 'w');
    let size: number;
    try {
      const { service, journal } = target;
      size = await writeRecords(file, { format: SNAPSHOT_FORMAT, service, journal }, records);
      await file.sync();
    } finally {
      await file.close();
    }
    await target.ready();
    await fileSystem.rename(temporary, target.path);
    return size;
  } catch (error) {
    // The first error is reported; the next start removes the remains at the latest.
    await fileSystem.remove(temporary).catch(() => undefined);
    throw error;
  }
}

async function writeRecords(file: OpenFile, header: SnapshotHeader, records: Iterable<Change>): Promise<number> {
  let size = 0;
  let checksum = 0;
  const write = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    checksum = crc32(bytes, checksum);
    await writeFully(file, bytes, size);
    size += bytes.length;
  };
  let text = JSON.stringify(header).slice(0, -1) + RECORDS_OPEN;
  let count = 0;
  let sliceEnd = performance.now() + SLICE_TIME;
  for (const { collection, accountId, region, key, value } of records) {
    text += `${count++ ? ',' : ''}\n${JSON.stringify([collection, accountId, region, key, value])}`;
    if (text.length < SLICE && (count % LOOK || performance.now() < sliceEnd)) continue;
    await write(text);
    text = '';
    sliceEnd = performance.now() + SLICE_TIME;
  }
  await write(`${text}\n`);
  await write(`${RECORDS_CLOSE},"count":${count},"checksum":"${checksumText(checksum)}"}\n`);
  return size;
}

/** The read part of a snapshot. */
export interface LoadedSnapshot extends SnapshotHeader {
  /** Bytes. */
  size: number;
}

/**
 * Calls `load` with a snapshot's records, as `put` changes.
 * @returns undefined for a missing snapshot
 * @throws DamagedData for a damaged one
 */
export async function readSnapshot(
  fileSystem: FileSystem,
  path: string,
  service: string,
  load: (change: Change) => void,
): Promise<LoadedSnapshot | undefined> {
  const file = await openExisting(fileSystem, path);
  if (!file) return undefined;
  try {
    const reading = new SnapshotReading(path, service, load);
    await readLines(file, (line, offset, terminated) => reading.line(line, offset, terminated));
    return { ...reading.finish(), size: await file.size() };
  } finally {
    await file.close();
  }
}

/** Bytes to read for a header, which is much shorter. */
const HEADER_LIMIT = 4096;

/**
 * Reads the first line of a snapshot.
 * @returns undefined for a missing snapshot
 * @throws Error if the line is not the header of a snapshot of the service
 */
export async function readSnapshotHeader(
  fileSystem: FileSystem,
  path: string,
  service: string,
): Promise<SnapshotHeader | undefined> {
  const file = await openExisting(fileSystem, path);
  if (!file) return undefined;
  try {
    const bytes = Buffer.alloc(HEADER_LIMIT);
    const size = await file.read(bytes, 0, HEADER_LIMIT, 0);
    return parseHeader(bytes.toString('utf8', 0, size).split('\n')[0]!, service);
  } finally {
    await file.close();
  }
}

function parseHeader(line: string, service: string): SnapshotHeader {
  if (!line.endsWith(RECORDS_OPEN)) throw new Error('it has no header');
  const header = JSON.parse(`${line.slice(0, -RECORDS_OPEN.length)}}`) as SnapshotHeader;
  if (header.format !== SNAPSHOT_FORMAT) throw new Error(`it is in format ${header.format}`);
  if (header.service !== service) throw new Error(`it is a snapshot of ${header.service}`);
  return header;
}

const NEWLINE = Buffer.from('\n');

class SnapshotReading {
  private header: SnapshotHeader | undefined;
  private count = 0;
  private checksum = 0;
  private complete = false;

  constructor(
    private readonly path: string,
    private readonly service: string,
    private readonly load: (change: Change) => void,
  ) {}

  line(line: Buffer, offset: number, terminated: boolean): void {
    try {
      if (!terminated || this.complete) throw new Error('it has an invalid end');
      this.take(line);
    } catch (error) {
      throw new DamagedData(this.path, `is damaged at byte ${offset}: ${String(error)}`, undefined, { cause: error });
    }
  }

  finish(): SnapshotHeader {
    if (!this.header || !this.complete) throw new DamagedData(this.path, 'is incomplete');
    return this.header;
  }

  private take(line: Buffer): void {
    if (line[0] === 0x5d /* ] */) {
      this.trailer(line.toString());
      return;
    }
    this.checksum = crc32(NEWLINE, crc32(line, this.checksum));
    if (!this.header) {
      this.header = parseHeader(line.toString(), this.service);
      return;
    }
    const comma = line.at(-1) === 0x2c;
    const [collection, accountId, region, key, value] = JSON.parse(
      line.toString('utf8', 0, line.length - (comma ? 1 : 0)),
    ) as [string, string, string, string, unknown];
    this.load({ op: 'put', collection, accountId, region, key, value });
    this.count++;
  }

  private trailer(text: string): void {
    const { count, checksum } = JSON.parse(`{"records":[${text}`) as { count: number; checksum: string };
    if (count !== this.count) throw new Error(`it has ${this.count} records instead of ${count}`);
    if (checksum !== checksumText(this.checksum)) throw new Error('its checksum does not match');
    this.complete = true;
  }
}
