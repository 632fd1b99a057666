import { join } from 'node:path';
import type { DataPlace, HeldData, OwnData } from '@emu/core/service';
import { AdoptedEvents } from './adopted-events.ts';
import { type EventBatch, grouped, isOpen, joined, type Waiting, writeBatches } from './batches.ts';
import { copyGroups, saveGroups } from './copies.ts';
import { keepUnclaimed, requireSize } from './inspection.ts';
import { type Manifest, readManifest, UNFINISHED_MANIFEST, writeManifest } from './manifest.ts';
import { FileMedium, MemoryMedium, segmentIdOf } from './medium.ts';
import { type Groups, type Segment, SegmentFile, type SegmentMark } from './segment.ts';
import { type LoadedSegment, SegmentCache } from './segment-cache.ts';

/**
 * The events of all log groups: append-only segments of JSON Lines, and a manifest with the committed length of each.
 * Concurrent batches share one commit. Bytes after the committed length were never acknowledged; the next append
 * overwrites them. A manifest is written after the records changed before it: otherwise a crash could leave a group
 * whose events were removed by a deletion that was never written. A file is removed after the first manifest without
 * it.
 */
export class EventStore implements OwnData {
  /** Indexed segments for readers. */
  private readonly cache: SegmentCache;
  private waiting: Waiting[] = [];
  private running: Promise<void> | undefined;
  /** Whether groups or segments were removed since the last manifest. */
  private changed = false;
  private failure: unknown;
  /** Unused files that the manifest on disk may still refer to. */
  private unused: SegmentFile[] = [];
  /** Groups whose batches are being committed. */
  private readonly writing = new Set<string>();
  private directoryMade = false;
  private closed = false;

  private constructor(
    private readonly place: DataPlace | undefined,
    private groups: Groups,
    private nextSegment: number,
    /** Whether a manifest exists; segments require one. */
    private manifestMade: boolean,
  ) {
    this.cache = new SegmentCache(place?.log);
  }

  /**
   * Opens the store of a directory.
   * @param place undefined for a store in memory
   * @throws DamagedData for missing committed events
   */
  static async open(place: DataPlace | undefined): Promise<EventStore> {
    const manifest = place && (await readManifest(place));
    if (place && !manifest) await keepUnclaimed(place);
    const nextSegment = manifest?.nextSegment ?? 1;
    const store = new EventStore(place, new Map(), nextSegment, manifest !== undefined);
    if (place) await store.load(place, manifest ?? { nextSegment: 1, groups: {} });
    // From now on, missing segments of earlier versions are detected as well.
    if (manifest) await place?.noteData?.();
    return store;
  }

  private async load(place: DataPlace, { groups }: Manifest): Promise<void> {
    const { fileSystem, directory } = place;
    const known = new Set<number>();
    for (const [key, marks] of Object.entries(groups)) {
      for (const mark of marks) {
        await requireSize(place, mark);
        known.add(mark.id);
      }
      this.groups.set(
        key,
        marks.map((mark) => ({ ...mark, file: this.fileOf(mark.id) })),
      );
    }
    // Removes remains of an interrupted manifest write, of uncommitted appends, and of expired segments.
    const isLeft = (name: string): boolean => {
      const id = segmentIdOf(name);
      return id === undefined ? name === UNFINISHED_MANIFEST : !known.has(id);
    };
    const left = (await fileSystem.list(directory)).filter(isLeft);
    // The previous process may have ended before the manifest's rename reached the device: a power failure could
    // restore the older manifest, which needs other segments.
    if (left.length) await fileSystem.syncDirectory(directory);
    for (const name of left) await fileSystem.remove(join(directory, name));
  }

  /**
   * Stores events; resolves when they are committed.
   * @returns their ids in order
   * @throws Error if they cannot be written
   */
  append(batch: EventBatch): Promise<string[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ batch, resolve, reject });
      this.run();
    });
  }

  /** Returns the segments of a group in order of creation. */
  segments(group: string): readonly Segment[] {
    return this.groups.get(group) ?? [];
  }

  /** Returns an indexed segment. */
  loaded(segment: Segment): Promise<LoadedSegment> {
    return this.cache.get(segment);
  }

  /** Deletes all events of a group. */
  dropGroup(group: string): void {
    const segments = this.groups.get(group);
    if (!segments) return;
    this.groups.delete(group);
    this.writing.delete(group);
    for (const { file } of segments) file.release();
    this.touch();
  }

  /**
   * Deletes the events of missing groups in an account and region.
   * @param exists whether a group key exists
   */
  prune(accountId: string, region: string, exists: (group: string) => boolean): void {
    for (const key of [...this.groups.keys()])
      if (key.startsWith(`${accountId}/${region}/`) && !exists(key)) this.dropGroup(key);
  }

  /** Expires a group's events before a time, permanently. */
  expire(group: string, cutoff: number): void {
    const segments = this.segments(group);
    if (!segments.some(({ from, cutoff: before = from }) => before < cutoff)) return;
    const kept: Segment[] = [];
    for (const segment of segments) {
      if (segment.to < cutoff) segment.file.release();
      else if (segment.from < cutoff) kept.push({ ...segment, cutoff: Math.max(cutoff, segment.cutoff ?? 0) });
      else kept.push(segment);
    }
    this.groups.set(group, kept);
    this.touch();
  }

  hold(): HeldData & { groups: Groups } {
    const groups: Groups = new Map();
    for (const [key, segments] of this.groups) {
      for (const { file } of segments) file.retain();
      // Closed: later appends would overwrite bytes after the checkpoint.
      groups.set(
        key,
        segments.map((segment) => ({ ...segment, sealed: true })),
      );
    }
    return {
      groups,
      release: () => {
        for (const segments of groups.values()) for (const { file } of segments) file.release();
      },
    };
  }

  putBack(held: HeldData | undefined): void {
    const groups: Groups = new Map((held as { groups: Groups } | undefined)?.groups);
    for (const segments of groups.values()) for (const { file } of segments) file.retain();
    for (const segments of this.groups.values()) for (const { file } of segments) file.release();
    this.groups = groups;
    this.writing.clear();
    this.touch();
  }

  async save(held: HeldData, place: DataPlace, accounts: readonly string[] | undefined): Promise<void> {
    await saveGroups((held as HeldData & { groups: Groups }).groups, place, accounts);
  }

  async adopt(place: DataPlace, accounts: readonly string[] | undefined): Promise<AdoptedEvents> {
    const { groups = {} } = (await readManifest(place)) ?? {};
    const chosen = Object.entries(groups).filter(([key]) => !accounts || accounts.includes(key.split('/')[0]!));
    const ids = chosen.flatMap(([, marks]) => marks.map(({ id }) => id));
    // Ids are preserved unless this store has already assigned some of them; their order is always preserved.
    const lowest = Math.min(...ids, Number.POSITIVE_INFINITY);
    const shift = lowest < this.nextSegment ? this.nextSegment - lowest : 0;
    this.nextSegment = Math.max(this.nextSegment, ...ids.map((id) => id + shift + 1));
    await this.makeDirectory();
    const taken: Groups = new Map();
    const release = (): void => {
      for (const segments of taken.values()) for (const { file } of segments) file.release();
      taken.clear();
    };
    try {
      await copyGroups(chosen, place, (id) => this.makeFile(id + shift, true), taken);
    } catch (error) {
      release();
      throw error;
    }
    const show = (): void => {
      for (const [key, segments] of taken) {
        this.dropGroup(key);
        this.groups.set(key, segments);
      }
      taken.clear();
      this.touch();
    };
    return new AdoptedEvents(shift, show, release);
  }

  clear(accountId: string | undefined): void {
    for (const key of [...this.groups.keys()])
      if (accountId === undefined || key.startsWith(`${accountId}/`)) this.dropGroup(key);
  }

  async committed(): Promise<void> {
    this.run();
    while (this.running) await this.running;
    if (this.changed && !this.closed) throw this.failure;
  }

  async close(): Promise<void> {
    await this.committed().catch(() => undefined);
    this.closed = true;
    for (const segments of this.groups.values()) for (const { file } of segments) await file.medium.rest();
  }

  private touch(): void {
    this.changed = true;
    this.run();
  }

  private run(): void {
    if (this.running || this.closed || !(this.waiting.length || this.changed)) return;
    this.running = this.commitAll().finally(() => {
      this.running = undefined;
      // Handles batches that arrived after the last check.
      if (this.waiting.length) this.run();
    });
  }

  private async commitAll(): Promise<void> {
    // Batches of one event loop turn are committed together.
    await Promise.resolve();
    while (this.waiting.length || this.changed) {
      const waiting = this.waiting;
      this.waiting = [];
      if (!(await this.commit(waiting)) && !this.waiting.length) return;
    }
  }

  /**
   * Writes batches and the manifest.
   * @returns whether it succeeded
   */
  private async commit(waiting: readonly Waiting[]): Promise<boolean> {
    const ids: string[][] = [];
    let changed = false;
    let unused: SegmentFile[] = [];
    try {
      await this.makeDirectory();
      const appended = new Map<string, Segment[]>();
      for (const [key, members] of grouped(waiting)) {
        this.writing.add(key);
        appended.set(key, await writeBatches(members, ids, this.openSegment(key), () => this.newSegment()));
      }
      for (const segments of appended.values()) for (const { file } of segments) await file.medium.sync();
      const after: Groups = new Map(this.groups);
      for (const [key, segments] of appended) after.set(key, joined(this.segments(key), segments));
      // This manifest still includes segments removed from now on.
      ({ changed, unused } = this);
      this.changed = false;
      this.unused = [];
      await this.place?.recordsCommitted?.();
      if (this.place) await writeManifest(this.place, this.manifestOf(after));
      for (const [key, segments] of appended) if (this.writing.has(key)) this.take(key, segments);
    } catch (error) {
      this.changed ||= changed;
      this.unused.push(...unused);
      this.failure = error;
      for (const { reject } of waiting) reject(error);
      return false;
    } finally {
      this.writing.clear();
    }
    for (const [index, { resolve }] of waiting.entries()) resolve(ids[index]!);
    await this.removeFiles(unused);
    return true;
  }

  /** Removes the files of segments that the manifest on disk does not contain. */
  private async removeFiles(files: readonly SegmentFile[]): Promise<void> {
    try {
      for (const file of files) if (!file.isUsed) await file.medium.remove();
    } catch (error) {
      // They only occupy space, and the next start removes them.
      this.place?.log.warn('segments of expired log events could not be removed', { error });
    }
  }

  private async makeDirectory(): Promise<void> {
    const { place } = this;
    if (!place || this.directoryMade) return;
    await place.fileSystem.makeDirectory(place.directory);
    if (!this.manifestMade) {
      // Written before the first segment: segments without a manifest mean that it was lost.
      await writeManifest(place, { nextSegment: this.nextSegment, groups: {} });
      this.manifestMade = true;
      await place.noteData?.();
    }
    this.directoryMade = true;
  }

  /** Returns the segment for the next event of a group. */
  private openSegment(key: string): Segment {
    const last = this.segments(key).at(-1);
    return last && isOpen(last) ? last : this.newSegment();
  }

  private newSegment(): Segment {
    const id = this.nextSegment++;
    const mark = { id, bytes: 0, events: 0, from: Number.POSITIVE_INFINITY, to: 0, streams: [0, 0] as const };
    return { ...mark, ...(this.place && { checksum: 0 }), file: this.makeFile(id, true) };
  }

  /** Stores the written segments of the group. */
  private take(key: string, written: readonly Segment[]): void {
    const before = this.segments(key);
    const known = new Set(before.map(({ file }) => file));
    for (const { file } of written) if (!known.has(file)) file.retain();
    this.groups.set(key, joined(before, written));
  }

  private fileOf(id: number): SegmentFile {
    const file = this.makeFile(id, false);
    file.retain();
    return file;
  }

  private makeFile(id: number, isNew: boolean): SegmentFile {
    const { place } = this;
    const medium = place ? new FileMedium(place.fileSystem, place.directory, id, isNew) : new MemoryMedium();
    return new SegmentFile(id, medium, (file) => {
      this.unused.push(file);
      this.cache.discard(id);
      // No other change may trigger a commit.
      this.touch();
    });
  }

  private manifestOf(groups: Groups): Manifest {
    const marks: Record<string, SegmentMark[]> = {};
    for (const [key, segments] of groups)
      marks[key] = segments.map(({ file: _file, sealed: _sealed, ...mark }) => mark);
    return { nextSegment: this.nextSegment, groups: marks };
  }
}
