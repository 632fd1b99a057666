import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Variable by which processes of an emulator are found, also those that left their group. */
const VARIABLE = 'EMU_PROCESSES';
const SHELL = '/bin/sh';
/** Instances of a run whose limits differ. */
const INSTANCES = 90_000;
/** Digits of a limit in bytes that tell instances of a run apart. */
const INSTANCE_DIGITS = 8;

/** What marks the processes of an instance, or all of a run, and everything that these start. */
export interface Mark {
  /** `NAME=value` in their environment, or a beginning of it. */
  readonly variable: string;
  /** Expression of their line in `/proc/<pid>/limits`. */
  readonly limit: string;
}

/** The mark of every process of a run. @param run the run's id, a UUID */
export function runMark(run: string): Mark {
  return { variable: `${VARIABLE}=${run}/`, limit: limitLine(`${prefixOf(run)}[0-9]{${INSTANCE_DIGITS}}`) };
}

/**
 * The mark of an instance. Environments can be cleared, and process groups, sessions and parents be left, but limits are
 * inherited whatever a process does: the limit of the resident set, which Linux keeps and does not apply, is set to a
 * number of petabytes that is the instance's own.
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

  /** An environment with the mark. */
  environment(own: Readonly<Record<string, string>>): Record<string, string> {
    return { ...own, [VARIABLE]: this.value };
  }

  /**
   * A command that runs another with the mark, where the system has what it takes, and within a number of processes.
   * @param processes most processes of the user; the shell's limit, which only holds runaways, and not for root
   */
  command(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    processes: number | undefined,
  ): readonly string[] {
    // The error of a command that is not there is to be its own and not a shell's.
    const marked = process.platform === 'linux' && existsSync(SHELL) && isThere(command[0]!, environment.PATH);
    const limits = [
      // One that is lower already stays.
      ...(marked ? [`ulimit -m ${this.kibibytes} 2>/dev/null`] : []),
      ...(processes === undefined ? [] : [`ulimit -u ${Math.trunc(processes)}`]),
    ];
    return limits.length ? [SHELL, '-c', [...limits, 'exec "$@"'].join('; '), 'emu', ...command] : command;
  }
}

/** A number of eight digits, which stands for a run. */
const numberOf = (run: string): number => 10_000_000 + (Number.parseInt(run.slice(0, 8), 16) % 70_000_000 || 0);

/** What the limits in bytes of a run begin with. */
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
