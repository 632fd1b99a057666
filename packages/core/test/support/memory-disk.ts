import { basename, dirname } from 'node:path';
import type { FileStatus, FileSystem, OpenFile } from '../../src/storage/file-system.ts';

/** The bytes of a file. Buffers are replaced, never changed. */
interface Content {
  bytes: Buffer;
  /** The bytes that have reached the device. */
  synced: Buffer;
  changedAt: number;
  /** Number of hard links. */
  links: number;
}

/** A change of names, in the order in which the device gets them. */
interface NameChange {
  /** The directories that it changes. */
  readonly directories: readonly string[];
  apply(names: Names): void;
}

interface Names {
  readonly files: Map<string, Content>;
  readonly directories: Set<string>;
}

const NOTHING = Buffer.alloc(0);

const fileError = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code });

/** Delays of calls, in milliseconds. */
export interface Delays {
  write(): number;
  sync(): number;
}

/**
 * A disk in memory, for emulators that crash: a crash loses what is not written, and a power failure what is not
 * synced.
 */
export class MemoryDisk {
  private names: Names = { files: new Map(), directories: new Set() };
  /** The names that have reached the device. */
  private readonly durable: Names = { files: new Map(), directories: new Set() };
  private changes: NameChange[] = [];

  /** Returns the disk for one process. @param isAlive whether that process can still change anything */
  fileSystem(delays: Delays, isAlive: () => boolean): FileSystem {
    const after = async <T>(delay: number, action: () => T): Promise<T> => {
      if (delay) await new Promise((resolve) => setTimeout(resolve, delay));
      if (!isAlive()) throw fileError('EIO', 'the process is dead');
      return action();
    };
    return {
      open: (path, flags) => after(0, () => this.file(this.opened(path, flags), delays, after)),
      rename: (from, to) => after(0, () => this.rename(from, to)),
      remove: (path) => after(0, () => this.remove(path)),
      makeDirectory: (path) => after(0, () => this.makeDirectory(path)),
      status: (path) => after(0, () => statusOf(this.existing(path))),
      list: (path) => after(0, () => this.list(path)),
      syncDirectory: (path) => after(delays.sync(), () => this.syncDirectory(path)),
    };
  }

  /**
   * Loses what has not reached the device, except for a random part. @param random a number from 0 up to 1, which is
   * excluded
   */
  cutPower(random: () => number): void {
    this.commit(Math.floor(random() * (this.changes.length + 1)));
    this.changes = [];
    this.names = { files: new Map(), directories: new Set(this.durable.directories) };
    for (const [path, content] of this.durable.files) {
      if (!this.names.directories.has(dirname(path))) continue;
      const { bytes, synced } = content;
      const isLonger = bytes.subarray(0, synced.length).equals(synced);
      const kept = isLonger ? synced.length + Math.floor(random() * (bytes.length - synced.length + 1)) : 0;
      content.bytes = isLonger ? bytes.subarray(0, kept) : synced;
      content.synced = content.bytes;
      content.links = 1;
      this.names.files.set(path, content);
    }
    this.durable.files.clear();
    for (const [path, content] of this.names.files) this.durable.files.set(path, content);
  }

  private file(content: Content, delays: Delays, after: <T>(delay: number, action: () => T) => Promise<T>): OpenFile {
    const sync = () =>
      after(delays.sync(), () => {
        content.synced = content.bytes;
      });
    return {
      read: async (buffer, offset, length, position) =>
        content.bytes.copy(buffer, offset, position, Math.min(position + length, content.bytes.length)),
      write: (buffer, offset, length, position) =>
        after(delays.write(), () => {
          const bytes = Buffer.alloc(Math.max(content.bytes.length, position + length));
          content.bytes.copy(bytes);
          bytes.set(buffer.subarray(offset, offset + length), position);
          replace(content, bytes);
          return length;
        }),
      truncate: (length) => after(0, () => replace(content, content.bytes.subarray(0, length))),
      sync,
      datasync: sync,
      size: async () => content.bytes.length,
      status: async () => statusOf(content),
      close: async () => undefined,
    };
  }

  private opened(path: string, flags: string): Content {
    const found = this.names.files.get(path);
    if (flags.startsWith('r')) return this.existing(path);
    if (found && flags === 'wx') throw fileError('EEXIST', path);
    if (found) {
      replace(found, NOTHING);
      return found;
    }
    this.requireDirectory(path);
    const content: Content = { bytes: NOTHING, synced: NOTHING, changedAt: Date.now(), links: 1 };
    this.change([dirname(path)], ({ files }) => files.set(path, content));
    return content;
  }

  private rename(from: string, to: string): void {
    const content = this.existing(from);
    this.requireDirectory(to);
    const replaced = this.names.files.get(to);
    if (replaced) replaced.links--;
    this.change([dirname(from), dirname(to)], ({ files }) => {
      files.delete(from);
      files.set(to, content);
    });
  }

  private remove(path: string): void {
    const content = this.names.files.get(path);
    if (!content) return;
    content.links--;
    this.change([dirname(path)], ({ files }) => files.delete(path));
  }

  private makeDirectory(path: string): void {
    if (this.names.directories.has(path)) return;
    if (dirname(path) !== path) this.makeDirectory(dirname(path));
    this.change([dirname(path)], ({ directories }) => directories.add(path));
  }

  private list(path: string): string[] {
    const entries = [...this.names.files.keys(), ...this.names.directories];
    return entries.filter((entry) => dirname(entry) === path && entry !== path).map((entry) => basename(entry));
  }

  private syncDirectory(path: string): void {
    this.commit(this.changes.findLastIndex(({ directories }) => directories.includes(path)) + 1);
  }

  /** Applies a change of names, which reaches the device later. */
  private change(directories: readonly string[], apply: NameChange['apply']): void {
    apply(this.names);
    this.changes.push({ directories, apply });
  }

  /** Writes the first changes of names to the device. */
  private commit(count: number): void {
    for (const { apply } of this.changes.splice(0, count)) apply(this.durable);
  }

  private existing(path: string): Content {
    const content = this.names.files.get(path);
    if (!content) throw fileError('ENOENT', path);
    return content;
  }

  private requireDirectory(path: string): void {
    if (!this.names.directories.has(dirname(path))) throw fileError('ENOENT', path);
  }
}

function replace(content: Content, bytes: Buffer): void {
  content.bytes = bytes;
  content.changedAt = Date.now();
}

const statusOf = ({ bytes, changedAt, links }: Content): FileStatus => ({ size: bytes.length, changedAt, links });
