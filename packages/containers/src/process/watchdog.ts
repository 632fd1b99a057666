import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends process groups when the emulator is gone, however it ended: a shell reads the groups' ids from a pipe that only
 * the emulator holds open, and kills what is left of them when the pipe ends. Processes that left their group are found
 * by the variable in their environment. Last it removes the directory of the run.
 */
const SCRIPT = `
trap '' INT TERM HUP
groups=' '
while read -r change id; do
  case $change in
    +) groups="$groups$id " ;;
    -) groups="\${groups%% $id *} \${groups#* $id }" ;;
  esac
done
for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
for file in $(grep -lsF "$1" /proc/[0-9]*/environ 2>/dev/null); do
  id=\${file#/proc/}
  kill -s KILL "\${id%%/*}" 2>/dev/null
done
rm -rf -- "$2"
`;

/** Keeps the process groups of one emulator from outliving it. */
export class Watchdog {
  private readonly groups = new Set<number>();
  private child: ChildProcess | undefined;
  private closing = false;

  /**
   * @param marker `NAME=value` in the environment of every process of this emulator
   * @param directory removed in the end
   */
  constructor(
    private readonly marker: string,
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
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'emu-watchdog', this.marker, this.directory], {
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
