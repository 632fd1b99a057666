import { release } from 'node:os';

/** Process ids below this number are used once only: so many more processes are possible at first. */
const RESERVED_IDS = 300;

/** Commands that limit the processes and threads of a sandbox, as far as the kernel can. */
export interface ProcessLimit {
  /** Command of a shell in the process id namespace, with the machine's /proc below a directory; `:` without effect. */
  namespaceCommand(oldRoot: string): string;
  /** Command of a shell in the user namespace of an instance; `:` without effect. */
  readonly instanceCommand: string;
}

/**
 * Returns the commands that limit processes. Since Linux 6.14 each process id namespace has a range of ids; before, the
 * file is a setting of the whole machine. Since 5.14 a user namespace counts its own processes, except those of root;
 * before, all processes of the user count.
 * @see https://docs.kernel.org/admin-guide/sysctl/kernel.html#pid-max
 */
export function processLimit(processes: number | undefined, kernel = release()): ProcessLimit {
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(kernel) ?? [];
  const isSince = (wanted: number): boolean => processes !== undefined && Number(major) * 100 + Number(minor) >= wanted;
  const most = Math.trunc(processes ?? 0);
  return {
    namespaceCommand: (oldRoot) =>
      // A container may have a read-only /proc/sys.
      isSince(614) ? `{ echo ${most + RESERVED_IDS} >${oldRoot}/proc/sys/kernel/pid_max || :; } 2>/dev/null` : ':',
    // Shells name it differently.
    instanceCommand: isSince(514) ? `{ ulimit -u ${most} || ulimit -p ${most} || :; } 2>/dev/null` : ':',
  };
}
