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
/** Touches that a process of another machine misses before it counts as gone. */
const MISSED_BEATS = 5;
/** How often a directory that others take at the same moment is tried. */
const ATTEMPTS = 50;
/** Milliseconds between two looks at others who are taking the directory. */
const PAUSE = 20;

/** A data directory that no other process uses. */
export interface DirectoryLock {
  /** Why the directory may not be written any more: it was removed, or another process has taken it. */
  readonly lost: Error | undefined;
  release(): Promise<void>;
}

/** Another process has the directory; the message names it. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
  /** @param user which process it is */
  constructor(
    readonly user: string,
    message: string,
  ) {
    super(message);
  }
}

/** How a directory is locked. */
export interface LockOptions {
  log: Logger;
  /** Milliseconds between two touches of the lock's file; for tests. */
  heartbeat?: number;
  /** Whether a socket is listened at where the file system has them; for tests. */
  sockets?: boolean;
}

/**
 * Takes a data directory for this process. Each process that wants it has a file of its own there, which names it and which
 * it touches now and then, and, where the file system has them, a socket that it listens at: processes of one kernel find
 * each other by it whatever containers, mounts and host names they have. What a dead process has left is removed.
 *
 * A process first shows itself and then looks for others. It gives way to one that holds the directory, and to one that is
 * looking too and whose token is smaller; for the other ones it waits until they hold it or have given way. So of two,
 * the one that looked last has seen the other.
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

/** A process that wants the directory and shows itself. */
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

  /** @returns whether nobody else has the directory or comes before. @throws Error naming who has it */
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

  /** Waits until another process has given way; false where this one has to. @throws Error where it has the directory */
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

  /** Whether the file of an entry is still touched; waits as long as it takes to tell. */
  private async beats(entry: LockEntry): Promise<boolean> {
    const { heartbeat = HEARTBEAT, log } = this.options;
    const patience = heartbeat * MISSED_BEATS;
    const ownFile = await stat(join(this.directory, entryName(this.own.token)));
    // Both times are the file system's, whose clock may not be this machine's.
    let left = patience - Math.max(0, ownFile.mtimeMs - entry.beatAt);
    for (; left > 0; left -= heartbeat) {
      await pause(Math.min(left, heartbeat));
      const again = await readEntry(this.directory, entry.file);
      if (!again) return false;
      if (again.beatAt !== entry.beatAt) return true;
    }
    const { pid, host, realm } = entry.content!;
    log.warn(`the data directory was last used by process ${pid} of another machine or container, which is gone`, {
      host: host ?? realm,
    });
    return false;
  }
}

/** Keeps a lock alive and notices when it is no longer there. */
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

  /** Notices a removal at once where the system tells of it; the heartbeat does in any case. */
  private startWatching(): FSWatcher | undefined {
    try {
      const watcher = watch(this.directory, { persistent: false }, () => this.look());
      watcher.on('error', (error) => this.options.log.debug('the data directory is watched no longer', { error }));
      return watcher;
    } catch (error) {
      this.options.log.debug('the data directory cannot be watched', { error });
      return undefined;
    }
  }

  /** At once, so that no write that ends after the removal is taken for safe. */
  private look(): void {
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
 * The process that uses a data directory, told without a trace of the look.
 * @returns undefined where none does; one of another machine that has not touched its file for a while counts as gone
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
    `${directory} is in use by ${user}; stop it, or give this one a --data-path of its own (${join(directory, file)})`,
  );
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
