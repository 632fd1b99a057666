import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Logger } from '../base/log.ts';
import { DamagedData } from '../storage/damage.ts';
import { DirectoryLost } from '../storage/directory-lost.ts';
import { type FileSystem, readText, replaceText } from '../storage/file-system.ts';
import { checksumText } from './journal-format.ts';

/** A journal at one moment: it only grows, so this is a lower bound. */
export interface JournalMark {
  /** Number of the journal. */
  number: number;
  /** Bytes up to the end of its last record. */
  size: number;
  /** Sequence number of the next record. */
  sequence: number;
  /** Whether these bytes had reached the device, so that no power failure removes them. */
  synced: boolean;
}

/** Content of a service's directory at one moment. */
export interface ServiceMark {
  /** Number of the last journal in the snapshot; absent without a snapshot. */
  snapshot?: number;
  /** The last journal; absent if the snapshot contains all of them. */
  journal?: JournalMark;
  /** Set if the service has its own data as well, so that its files are required. */
  data?: true;
}

/** Source of the marks of a service's directory. */
export interface MarkSource {
  /** Returns its current content. */
  mark(): ServiceMark;
  /** Checks that it still exists; otherwise writes to it fail. */
  check(): Promise<void>;
}

/** Content of a manifest file. */
export type Marks = ReadonlyMap<string, ServiceMark>;

/** Name of the file in the data directory. */
export const MANIFEST = 'emulator.manifest.json';

const FORMAT = 1;
/** Milliseconds after a change until the marks are written: later changes are not in a mark yet. */
const MARK_DELAY = 1000;

/** Encodes a manifest, whose checksum covers the services as written in it. */
function encode(marks: Marks): string {
  const names = [...marks.keys()].sort();
  const services = JSON.stringify(Object.fromEntries(names.map((name) => [name, marks.get(name)])));
  return `{"format":${FORMAT},"checksum":"${checksumText(crc32(services))}","services":${services}}\n`;
}

/** Replaces the manifest; it is on the device when the promise resolves. */
export async function writeManifest(fileSystem: FileSystem, directory: string, marks: Marks): Promise<void> {
  await replaceText(fileSystem, join(directory, MANIFEST), encode(marks));
  await fileSystem.syncDirectory(directory);
}

/**
 * Reads the manifest of a data directory.
 * @returns undefined for a missing one
 * @throws DamagedData if it differs from what was written
 */
export async function readManifest(fileSystem: FileSystem, directory: string): Promise<Marks | undefined> {
  const path = join(directory, MANIFEST);
  const text = await readText(fileSystem, path);
  if (text === undefined) return undefined;
  let marks: Marks;
  try {
    const { format, services } = JSON.parse(text) as { format: number; services: Record<string, ServiceMark> };
    if (format !== FORMAT) throw new Error(`it is in format ${format}`);
    marks = new Map(Object.entries(services));
  } catch (cause) {
    throw new DamagedData(path, `is damaged: ${String(cause)}`, undefined, { cause });
  }
  if (encode(marks) !== text) throw new DamagedData(path, 'is damaged: its checksum does not match');
  return marks;
}

/**
 * The file with the content of all services' directories, by which losses are detected. It is written when files are
 * created or removed, and a second after other changes. Its content is a lower bound for that moment and all later
 * ones.
 */
export class Manifest {
  private readonly marks: Map<string, ServiceMark>;
  private readonly sources = new Map<string, MarkSource>();
  /** Services with data of their own. */
  private readonly withData: Set<string>;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private closed = false;
  private failed = false;
  private written: string;

  constructor(
    private readonly options: { fileSystem: FileSystem; directory: string; log: Logger },
    marks: Marks,
  ) {
    this.marks = new Map(marks);
    this.withData = new Set([...marks].filter(([, { data }]) => data).map(([service]) => service));
    this.written = encode(marks);
  }

  /** Returns the services with state. */
  get services(): string[] {
    return [...this.marks.keys()];
  }

  /** Returns the content of a service's directory at the last write of the manifest. */
  markOf(service: string): ServiceMark | undefined {
    return this.marks.get(service);
  }

  /** Records that a service has its own data; written when the promise resolves, if possible. */
  async hasData(service: string): Promise<void> {
    if (this.withData.has(service)) return;
    this.withData.add(service);
    await this.write();
  }

  /** Registers the source of a service's marks. */
  follow(service: string, source: MarkSource): void {
    this.sources.set(service, source);
  }

  /** Schedules the marks after a write; they are written a second later. */
  touch(): void {
    if (this.timer || this.closed) return;
    this.timer = setTimeout(() => void this.checkAndWrite(), MARK_DELAY).unref();
  }

  /** Writes the current marks. Never rejects: a failure loses nothing, and the next change tries again. */
  write(): Promise<void> {
    if (!this.writing) {
      this.writing = this.replace().finally(() => {
        this.writing = undefined;
      });
      return this.writing;
    }
    // The running write may miss later changes; a single further write serves all waiting callers.
    this.next ??= this.writing.then(() => {
      this.next = undefined;
      return this.write();
    });
    return this.next;
  }

  /** Writes the marks for the last time. */
  async close(): Promise<void> {
    this.closed = true;
    await this.write();
  }

  /**
   * Files may be removed while others are written: the content of a missing file may have been acknowledged just
   * before.
   */
  private async checkAndWrite(): Promise<void> {
    await Promise.all([...this.sources.values()].map((source) => source.check()));
    await this.write();
  }

  private async replace(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [service, source] of this.sources) {
      const mark = source.mark();
      if (mark.snapshot === undefined && !mark.journal) this.marks.delete(service);
      else this.marks.set(service, this.withData.has(service) ? { ...mark, data: true } : mark);
    }
    const text = encode(this.marks);
    if (text === this.written) return;
    const { fileSystem, directory, log } = this.options;
    try {
      await writeManifest(fileSystem, directory, this.marks);
      this.written = text;
      this.failed = false;
    } catch (error) {
      // The loss of the directory is already reported.
      if (!this.failed && !(error instanceof DirectoryLost))
        log.warn(`${join(directory, MANIFEST)} could not be written; lost files may not be detected`, { error });
      this.failed = true;
    }
  }
}
