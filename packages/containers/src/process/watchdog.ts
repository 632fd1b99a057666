import { type ChildProcess, spawn } from 'node:child_process';
import type { Mark } from './mark.ts';

/**
 * Ends processes when the emulator is gone, however it ended: a shell reads their ids, those of groups among them, from a
 * pipe that only the emulator holds open, and kills what is left of them when the pipe ends. It finds what they started
 * too: by its parents, by the mark in its environment or its limits, and by a directory of the run that it works in; again
 * until nothing is found, as processes may start others meanwhile. Last it removes the directory of the run.
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

/** Keeps the process groups of one emulator from outliving it. */
export class Watchdog {
  private readonly groups = new Set<number>();
  private child: ChildProcess | undefined;
  private closing = false;

  /**
   * @param mark what every process of this emulator carries
   * @param directory removed in the end
   */
  constructor(
    private readonly mark: Mark,
    private readonly directory: string,
  ) {}

  /** Watches a group. */
  add(group: number): void {
    this.groups.add(group);
    if (this.child) this.tell(`+ ${group}`);
    else this.start();
  }

  /** Forgets a group that is gone: its number may soon be somebody else's. */
  delete(group: number): void {
    if (this.groups.delete(group)) this.tell(`- ${group}`);
  }

  /** Lets the watchdog do its work now; resolves when it has. */
  async close(): Promise<void> {
    this.closing = true;
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.stdin?.end();
    await ended;
  }

  private start(): void {
    // A group of its own: a terminal's Ctrl-C is for the emulator, which then has groups to end.
    const { variable, limit } = this.mark;
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'emu-watchdog', variable, this.directory, limit], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    });
    this.child = child;
    child.unref();
    // Writing to one that has just ended fails; its end is dealt with below.
    child.stdin?.on('error', () => undefined);
    (child.stdin as { unref?(): void } | null)?.unref?.();
    const ended = (): void => {
      if (this.child === child) this.child = undefined;
      if (!this.closing && this.groups.size > 0) this.start();
    };
    child.once('exit', ended);
    // No shell here (a machine without /bin/sh): groups are still ended by the emulator itself.
    child.once('error', () => undefined);
    for (const group of this.groups) this.tell(`+ ${group}`);
  }

  private tell(line: string): void {
    this.child?.stdin?.write(`${line}\n`);
  }
}
