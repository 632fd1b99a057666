import { type FSWatcher, statSync, watch } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import { DirectoryLost } from '../storage/directory-lost.ts';
import {
  entriesBeside,
  entryName,
  type LockContent,
  type LockEntry,
  ownContent,
  presenceOf,
  readEntry,
  removeEntry,
  removeLostSockets,
  socketName,
  writeEntry,
} from './lock-entry.ts';
import { type LockSocket, listenIn } from './lock-socket.ts';

/** Milliseconds between two touches of the lock's file. */
const HEARTBEAT = 2000;
/** Missed touches after which a process of another machine counts as dead. */
const MISSED_BEATS = 5;
/** Attempts for a directory that others take at the same time. */
const ATTEMPTS = 50;
/** Milliseconds between two checks of other processes that are taking the directory. */
const PAUSE = 20;

/** An exclusively locked data directory. */
export interface DirectoryLock {
  /** Why the directory must not be written any more: it was removed, or another process has taken it. */
  readonly lost: Error | undefined;
  release(): Promise<void>;
}

/** Error for a directory of another process; the message names it. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
  /** @param user description of the process */
  constructor(
    readonly user: string,
    message: string,
  ) {
    super(message);
  }
}

/** Options of the lock. */
export interface LockOptions {
  log: Logger;
  /** Milliseconds between two touches of the lock's file; for tests. */
  heartbeat?: number;
  /** Whether to listen on a socket if the file system supports it; for tests. */
  sockets?: boolean;
}

/**
 * Locks a data directory for this process. Each process that requests the directory creates a file there, which
 * identifies it and which it touches periodically. If the file system supports it, it also listens on a socket:
 * processes of one kernel find each other by it, independent of containers, mounts and host names. Remains of dead
 * processes are removed.
 *
 * A process first creates its file and then looks for others. It gives way to a process that holds the directory, and
 * to a contending one with a smaller token; it waits until all other contenders hold the directory or have given way.
 * So of two processes, the one that looked last has seen the other.
 * @throws DirectoryInUse naming the process that uses the directory
 */
export async function lockDirectory(directory: string, options: LockOptions): Promise<DirectoryLock> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const contender = await Contender.enter(directory, options);
    try {
      if (await contender.prevails()) return await contender.hold();
    } catch (error) {
      await contender.leave();
      throw error;
    }
    await contender.leave();
    await pause(PAUSE);
  }
  throw new Error(`${directory} cannot be taken: other processes take it at the same time`);
}

/** A process that contends for the directory. */
class Contender {
  private socket: LockSocket | undefined;

  private constructor(
    private readonly directory: string,
    private readonly options: LockOptions,
    private readonly own: LockContent,
  ) {}

  static async enter(directory: string, options: LockOptions): Promise<Contender> {
    const own = await ownContent(directory);
    const contender = new Contender(directory, options, own);
    if (options.sockets ?? true)
      contender.socket = await listenIn(directory, socketName(own.token), () => JSON.stringify(own));
    own.socket = contender.socket !== undefined;
    try {
      await writeEntry(directory, own);
    } catch (error) {
      await contender.leave();
      throw error;
    }
    return contender;
  }

  /** @returns whether no other process holds the directory or has precedence. @throws Error naming the holder */
  async prevails(): Promise<boolean> {
    for (const entry of await entriesBeside(this.directory, this.own)) if (!(await this.outlasts(entry))) return false;
    return true;
  }

  async hold(): Promise<DirectoryLock> {
    this.own.holds = true;
    await writeEntry(this.directory, this.own);
    await removeLostSockets(this.directory);
    return new HeldLock(this.directory, this.own, this.options, () => this.leave());
  }

  async leave(): Promise<void> {
    await removeEntry(this.directory, { file: entryName(this.own.token) });
    await this.socket?.close();
  }

  /**
   * Waits until another process has given way; false if this one must give way. @throws Error if the other holds the
   * directory
   */
  private async outlasts(found: LockEntry): Promise<boolean> {
    let entry: LockEntry | undefined = found;
    for (let attempt = 0; entry && (await this.isThere(entry)); attempt++) {
      const { holds = true, token = '' } = entry.content!;
      if (holds || attempt > ATTEMPTS) throw inUse(this.directory, entry);
      if (token < this.own.token) return false;
      await pause(PAUSE);
      entry = await readEntry(this.directory, entry.file);
    }
    return true;
  }

  private async isThere(entry: LockEntry): Promise<boolean> {
    let presence = await presenceOf(this.directory, entry, this.own);
    if (presence === 'unclear') presence = (await this.beats(entry)) ? 'there' : 'gone';
    if (presence === 'there') return true;
    await removeEntry(this.directory, entry);
    return false;
  }

  /** Whether the file of an entry is still being touched; waits long enough to decide. */
  private async beats(entry: LockEntry): Promise<boolean> {
    const { heartbeat = HEARTBEAT, log } = this.options;
    const patience = heartbeat * MISSED_BEATS;
    const ownFile = await stat(join(this.directory, entryName(this.own.token)));
    // Both times are from the file system, whose clock may differ from this machine's.
    let left = patience - Math.max(0, ownFile.mtimeMs - entry.beatAt);
    for (; left > 0; left -= heartbeat) {
      await pause(Math.min(left, heartbeat));
      const again = await readEntry(this.directory, entry.file);
      if (!again) return false;
      if (again.beatAt !== entry.beatAt) return true;
    }
    const { pid, host, realm } = entry.content!;
    log.warn(`the data directory was last used by process ${pid} of another machine or container, which has ended`, {
      host: host ?? realm,
    });
    return false;
  }
}

/** Refreshes a lock and detects its removal. */
class HeldLock implements DirectoryLock {
  lost: Error | undefined;
  private readonly file: string;
  private readonly inode: number;
  private readonly timer: NodeJS.Timeout;
  private readonly watcher: FSWatcher | undefined;

  constructor(
    private readonly directory: string,
    own: LockContent,
    private readonly options: LockOptions,
    private readonly leave: () => Promise<void>,
  ) {
    this.file = join(directory, entryName(own.token));
    this.inode = statSync(this.file).ino;
    this.timer = setInterval(() => void this.beat(), options.heartbeat ?? HEARTBEAT);
    this.timer.unref();
    this.watcher = this.startWatching();
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    this.watcher?.close();
    await this.leave();
  }

  /** Detects a removal at once if the system reports it; the heartbeat detects it in any case. */
  private startWatching(): FSWatcher | undefined {
    try {
      const watcher = watch(this.directory, { persistent: false }, () => this.checkDirectory());
      watcher.on('error', (error) => this.options.log.debug('the data directory is no longer watched', { error }));
      return watcher;
    } catch (error) {
      this.options.log.debug('the data directory cannot be watched', { error });
      return undefined;
    }
  }

  /** Runs at once, so that no write that ends after the removal counts as durable. */
  private checkDirectory(): void {
    if (this.lost || statSync(this.file, { throwIfNoEntry: false })?.ino === this.inode) return;
    this.lose();
  }

  private async beat(): Promise<void> {
    const now = new Date();
    try {
      const { ino } = await stat(this.file);
      if (ino === this.inode) await utimes(this.file, now, now);
      else this.lose();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.lose();
      else this.options.log.debug('the lock of the data directory could not be touched', { error });
    }
  }

  private lose(): void {
    if (this.lost) return;
    this.lost = new DirectoryLost(this.directory);
    this.options.log.error(this.lost.message);
  }
}

/**
 * Returns the process that uses a data directory, without writing anything.
 * @returns undefined for none; a process of another machine that has not touched its file for a while counts as dead
 */
export async function holderOf(directory: string): Promise<DirectoryInUse | undefined> {
  const own = await ownContent(directory);
  for (const entry of await entriesBeside(directory, own)) {
    if (entry.content?.holds === false) continue;
    const presence = await presenceOf(directory, entry, own);
    const beats = Date.now() - entry.beatAt < HEARTBEAT * MISSED_BEATS;
    if (presence === 'there' || (presence === 'unclear' && beats)) return inUse(directory, entry);
  }
  return undefined;
}

function inUse(directory: string, { file, content }: LockEntry): DirectoryInUse {
  const { pid, host, since } = content!;
  const details = [host === undefined ? '' : ` on ${host}`, since === undefined ? '' : `, since ${since}`].join('');
  const user = `process ${pid}${details}`;
  return new DirectoryInUse(
    user,
    `${directory} is in use by ${user}; stop it, or start this one with another --data-path (${join(directory, file)})`,
  );
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
