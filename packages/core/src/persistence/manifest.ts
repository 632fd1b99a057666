import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Logger } from '../base/log.ts';
import { DamagedData } from '../storage/damage.ts';
import { DirectoryLost } from '../storage/directory-lost.ts';
import { type FileSystem, readText, replaceText } from '../storage/file-system.ts';
import { checksumText } from './journal-format.ts';

/** A journal as it was at some moment: it only grows, so it never becomes less than this. */
export interface JournalMark {
  /** Number of the journal. */
  number: number;
  /** Bytes up to the end of its last record. */
  size: number;
  /** Sequence number of the next record. */
  sequence: number;
  /** Whether these bytes had reached the device, so that not even a power cut makes the journal shorter. */
  synced: boolean;
}

/** What the directory of a service held at some moment. */
export interface ServiceMark {
  /** Number of the last journal that the snapshot takes in; absent where there was no snapshot. */
  snapshot?: number;
  /** The last journal; absent where the snapshot takes in all of them. */
  journal?: JournalMark;
  /** Set where the service has data of its own besides, so that its files have to be there. */
  data?: true;
}

/** Who knows what a service's directory holds. */
export interface MarkSource {
  /** What it holds now. */
  mark(): ServiceMark;
  /** Looks whether it is still there; what is written to it fails otherwise. */
  look(): Promise<void>;
}

/** What a manifest file says. */
export type Marks = ReadonlyMap<string, ServiceMark>;

/** Name of the file in the data directory. */
export const MANIFEST = 'emulator.manifest.json';

const FORMAT = 1;
/** Milliseconds after a change until the marks are written: what was changed since then has no mark yet. */
const MARK_DELAY = 1000;

/** The text of a manifest, whose checksum is of the services as they stand in it. */
function encode(marks: Marks): string {
  const names = [...marks.keys()].sort();
  const services = JSON.stringify(Object.fromEntries(names.map((name) => [name, marks.get(name)])));
  return `{"format":${FORMAT},"checksum":"${checksumText(crc32(services))}","services":${services}}\n`;
}

/** Writes a manifest in the place of the one that is there; on the device when the promise resolves. */
export async function writeManifest(fileSystem: FileSystem, directory: string, marks: Marks): Promise<void> {
  await replaceText(fileSystem, join(directory, MANIFEST), encode(marks));
  await fileSystem.syncDirectory(directory);
}

/**
 * Reads the manifest of a data directory.
 * @returns undefined where there is none
 * @throws DamagedData where it is not as it was written
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
 * The file that says what every service's directory holds, so that what is gone is missed. It is written when files come
 * and go, and a second after other changes, never for each; what it says is true of then and of every later moment.
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

  /** The services that have state. */
  get services(): string[] {
    return [...this.marks.keys()];
  }

  /** What a service's directory held when the manifest was written last. */
  markOf(service: string): ServiceMark | undefined {
    return this.marks.get(service);
  }

  /** Notes that a service has data of its own from now on; written when the promise resolves, where it can be. */
  async hasData(service: string): Promise<void> {
    if (this.withData.has(service)) return;
    this.withData.add(service);
    await this.write();
  }

  /** Asks `source` for the service's mark from now on. */
  follow(service: string, source: MarkSource): void {
    this.sources.set(service, source);
  }

  /** Something was written; the marks follow in a second. */
  touch(): void {
    if (this.timer || this.closed) return;
    this.timer = setTimeout(() => void this.look(), MARK_DELAY).unref();
  }

  /**
   * Writes the marks as they are now. Never rejects: where they cannot be written nothing is lost, and the next change
   * tries again.
   */
  write(): Promise<void> {
    if (!this.writing) {
      this.writing = this.replace().finally(() => {
        this.writing = undefined;
      });
      return this.writing;
    }
    // The running one may have passed by what changed since; one more serves all who ask meanwhile.
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

  /** Who removes files does it while others are written: what is gone by now may have been acknowledged just before. */
  private async look(): Promise<void> {
    await Promise.all([...this.sources.values()].map((source) => source.look()));
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
      // Of a directory that is lost everybody has been told.
      if (!this.failed && !(error instanceof DirectoryLost))
        log.warn(`${join(directory, MANIFEST)} could not be written; files that get lost may not be missed`, { error });
      this.failed = true;
    }
  }
}
