import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Environment variable that identifies processes of an emulator, including those that left their group. */
const VARIABLE = 'EMU_PROCESSES';
const SHELL = '/bin/sh';
/** Number of instances of a run with different limits. */
const INSTANCES = 90_000;
/** Digits of a limit in bytes that distinguish instances of a run. */
const INSTANCE_DIGITS = 8;

/** Marks of the processes of an instance, or of a whole run, and their descendants. */
export interface Mark {
  /** `NAME=value` in their environment, or a prefix of it. */
  readonly variable: string;
  /** Pattern of their line in `/proc/<pid>/limits`. */
  readonly limit: string;
}

/** Returns the mark of every process of a run. @param run the run's id, a UUID */
export function runMark(run: string): Mark {
  return { variable: `${VARIABLE}=${run}/`, limit: limitLine(`${prefixOf(run)}[0-9]{${INSTANCE_DIGITS}}`) };
}

/**
 * Mark of an instance. A process can clear its environment and leave its group, session and parents, but it always
 * inherits limits. Linux stores the limit of the resident set without enforcing it, so it is set to a unique number of
 * petabytes.
 */
export class InstanceMark implements Mark {
  readonly variable: string;
  readonly limit: string;
  private readonly value: string;
  private readonly kibibytes: string;

  constructor(run: string, number: number) {
    const place = number % INSTANCES;
    this.value = `${run}/${number}`;
    this.variable = `${VARIABLE}=${this.value}\0`;
    this.limit = limitLine(prefixOf(run) + String(place * 1024).padStart(INSTANCE_DIGITS, '0'));
    this.kibibytes = String(numberOf(run) * 10 ** INSTANCE_DIGITS + place);
  }

  /** Command of a shell that sets the limit. A shell without it leaves the mark in the environment. */
  get limitCommand(): string {
    return `ulimit -m ${this.kibibytes} 2>/dev/null`;
  }

  /** Returns an environment with the mark. */
  environment(own: Readonly<Record<string, string>>): Record<string, string> {
    return { ...own, [VARIABLE]: this.value };
  }

  /**
   * Returns a command that runs another one with the mark, if the system supports it, and with a limit of processes.
   * @param processes limit for the user, set by the shell against runaway processes; not effective for root
   */
  command(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    processes: number | undefined,
  ): readonly string[] {
    // The error for an unknown command must not come from a shell.
    const marked = process.platform === 'linux' && existsSync(SHELL) && isThere(command[0]!, environment.PATH);
    const limits = [
      // A lower existing limit remains.
      ...(marked ? [this.limitCommand] : []),
      ...(processes === undefined ? [] : [`ulimit -u ${Math.trunc(processes)}`]),
    ];
    return limits.length ? [SHELL, '-c', [...limits, 'exec "$@"'].join('; '), 'emu', ...command] : command;
  }
}

/** Returns a number of eight digits for a run. */
const numberOf = (run: string): number => 10_000_000 + (Number.parseInt(run.slice(0, 8), 16) % 70_000_000 || 0);

/** Returns the common first digits of a run's limits in bytes. */
const prefixOf = (run: string): string => String(numberOf(run) * 1024);

const limitLine = (bytes: string): string => `^Max resident set +[0-9]+ +${bytes} `;

function isThere(command: string, path = '/usr/local/bin:/usr/bin:/bin'): boolean {
  const places = command.includes('/') ? [command] : path.split(delimiter).map((folder) => join(folder, command));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
