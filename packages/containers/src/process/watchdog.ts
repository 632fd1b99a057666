import { type ChildProcess, spawn } from 'node:child_process';
import type { Mark } from './mark.ts';

/**
 * Ends processes after the emulator has ended in any way. A shell reads their ids, including process groups, from a
 * pipe that only the emulator holds open, and kills the remaining ones when the pipe closes. It also finds their
 * descendants by parent, by the mark in environment or limits, and by a working directory inside the run's directory;
 * it repeats this until it finds none. At last it removes the directory of the run.
 */
const SCRIPT = `
trap '' INT TERM HUP
marker=$1
directory=$2
limit=$3
known=' '
while read -r change id; do
  case $change in
    +) known="$known$id " ;;
    -) known="\${known%% $id *} \${known#* $id }" ;;
  esac
done
find_children() {
  found=yes
  while [ "$found" ]; do
    found=
    for file in /proc/[0-9]*/stat; do
      read -r line <"$file" || continue
      id=\${line%% *}
      case $known in *" $id "*) continue ;; esac
      set -- \${line##*) }
      case $known in *" $2 "*) known="$known$id "; found=yes ;; esac
    done
  done
} 2>/dev/null
find_working() {
  for link in /proc/[0-9]*/cwd; do
    case $(readlink "$link") in
      "$directory" | "$directory"/*) ;;
      *) continue ;;
    esac
    read -r line <"\${link%cwd}stat" || continue
    set -- \${line##*) }
    # One with a terminal is somebody's who looks around there.
    [ "$5" = 0 ] && left="$left \${line%% *}"
  done
} 2>/dev/null
for pass in 1 2 3 4 5; do
  find_children
  for id in $known; do
    kill -s KILL -- "-$id" 2>/dev/null
    kill -s KILL "$id" 2>/dev/null
  done
  known=' '
  left=
  for file in $(grep -lsF "$marker" /proc/[0-9]*/environ; grep -lsE "$limit" /proc/[0-9]*/limits); do
    id=\${file#/proc/}
    left="$left \${id%/*}"
  done 2>/dev/null
  find_working
  [ "$left" ] || break
  for id in $left; do known="$known$id "; done
done
rm -rf -- "$directory"
`;

/** Prevents the process groups of an emulator from outliving it. */
export class Watchdog {
  private readonly groups = new Set<number>();
  private child: ChildProcess | undefined;
  private closing = false;

  /**
   * @param mark of every process of this emulator
   * @param directory removed at the end
   */
  constructor(
    private readonly mark: Mark,
    private readonly directory: string,
  ) {}

  /** Adds a group. */
  add(group: number): void {
    this.groups.add(group);
    if (this.child) this.send(`+ ${group}`);
    else this.start();
  }

  /** Removes an ended group, because its id may be reused. */
  delete(group: number): void {
    if (this.groups.delete(group)) this.send(`- ${group}`);
  }

  /** Runs the cleanup now. Resolves at its end. */
  async close(): Promise<void> {
    this.closing = true;
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    // The emulator's process must not end before the cleanup has.
    child.ref();
    child.stdin?.end();
    await ended;
  }

  private start(): void {
    // In its own group, because Ctrl-C in a terminal is meant for the emulator, which then ends the groups itself.
    const { variable, limit } = this.mark;
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'emu-watchdog', variable, this.directory, limit], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    });
    this.child = child;
    child.unref();
    // Writing to an ended watchdog fails. Its end is handled below.
    child.stdin?.on('error', () => undefined);
    (child.stdin as { unref?(): void } | null)?.unref?.();
    const ended = (): void => {
      if (this.child === child) this.child = undefined;
      if (!this.closing && this.groups.size > 0) this.start();
    };
    child.once('exit', ended);
    // Without /bin/sh, only the emulator itself ends groups.
    child.once('error', () => undefined);
    for (const group of this.groups) this.send(`+ ${group}`);
  }

  private send(line: string): void {
    this.child?.stdin?.write(`${line}\n`);
  }
}
