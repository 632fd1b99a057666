import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { ContainerError, type ContainerSandbox } from '@emu/core/service';
import type { Launch } from '../launch.ts';
import type { InstanceMark } from '../mark.ts';
import { firstLine, type Holder } from './holder.ts';
import type { MountPlan } from './mount-plan.ts';
import type { ProcessLimit } from './process-limit.ts';
import { GROUP, ROOT, USER } from './skeleton.ts';
import { SYSTEM_PATH, type Tools } from './tools.ts';

/** Milliseconds for a trial. */
const TRIAL_LIMIT = 10_000;
/** Prefix of variables that carry those of an instance past the programs that enter the sandbox. */
const CARRIER = 'EMU_VARIABLE_';
/** Variables that some shells do not assign, or not with every value. */
const OF_SHELLS = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'OPTIND', 'PPID', 'SHELLOPTS', 'UID']);
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Namespaces that instances enter. They then enter a further user namespace, in which they have no capability and cannot
 * create others.
 */
export class Sandbox implements ContainerSandbox {
  constructor(
    private readonly holder: Holder,
    private readonly plan: MountPlan,
    private readonly tools: Tools,
    private readonly limit: ProcessLimit,
  ) {}

  /** Resolves when it has ended. */
  get ended(): Promise<void> {
    return this.holder.ended;
  }

  /**
   * Returns the launch of a command inside, with a mark.
   * @throws ContainerError `command` if the command is missing inside or not executable, or the sandbox has ended
   */
  async launch(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    workingDirectory: string,
    mark: InstanceMark,
  ): Promise<Launch> {
    await this.check(command[0]!);
    // The id of its first process may belong to another one.
    if (!this.holder.isRunning) throw new ContainerError('command', 'the sandbox has ended');
    const limits = [mark.limitCommand, this.limit.instanceCommand];
    return enter(this.holder, this.tools, { command, environment, workingDirectory, mark, limits });
  }

  close(): Promise<void> {
    return this.holder.close();
  }

  /** The error for a missing program must not come from a shell. Hidden files of the machine are missing. */
  private async check(program: string): Promise<void> {
    const found = program.startsWith('/') ? this.plan.find(program) : 'temporary';
    if (found === 'temporary') return;
    const failed = (code = 'ENOENT'): ContainerError =>
      new ContainerError('command', `${program} cannot be started: spawn ${program} ${code}`);
    if (found === 'absent') throw failed();
    await access(found.machinePath, constants.X_OK).catch((error: NodeJS.ErrnoException) => {
      throw failed(error.code);
    });
  }
}

/** Starts a program inside. @returns the reason of a failure; undefined if it ran */
export function trial(holder: Holder, tools: Tools, mark: InstanceMark): Promise<string | undefined> {
  const inside = { command: ['/bin/true'], environment: {}, workingDirectory: '/', mark, limits: [mark.limitCommand] };
  const launch = enter(holder, tools, inside);
  const [file, ...args] = launch.command;
  return new Promise((resolve) =>
    execFile(file!, args, { env: launch.environment, cwd: '/', timeout: TRIAL_LIMIT }, (error, _, stderr) =>
      resolve(error ? firstLine(stderr) || error.message : undefined),
    ),
  );
}

interface Inside {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  readonly mark: InstanceMark;
  /** Commands of a shell that set limits. */
  readonly limits: readonly string[];
}

/**
 * Returns the launch of a command in the namespaces of a holder. Variables of the instance, such as LD_PRELOAD, have no
 * effect on the programs that enter them.
 */
function enter({ first }: Holder, tools: Tools, inside: Inside): Launch {
  const { command, environment, workingDirectory, mark, limits } = inside;
  const carried: Record<string, string> = {};
  const steps = [...limits];
  const unset: string[] = [];
  const assigned: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!IDENTIFIER.test(name)) {
      carried[name] = value;
      continue;
    }
    const carrier = `${CARRIER}${name}`;
    carried[carrier] = value;
    if (OF_SHELLS.has(name)) {
      unset.push(`-u ${carrier}`);
      assigned.push(`"${name}=$${carrier}"`);
    } else steps.push(`export ${name}="$${carrier}"; unset ${carrier}`);
  }
  if (environment.PATH === undefined) steps.push('unset PATH');
  const env = assigned.length > 0 ? ['/usr/bin/env', ...unset, ...assigned] : [];
  const script = [...steps, ['exec', ...env, '"$@"'].join(' ')].join('\n');
  return {
    command: [
      tools.nsenter,
      ...['--target', String(first), '--user', '--preserve-credentials', '--mount', '--pid', '--ipc', '--'],
      tools.unshare,
      ...[`--map-user=${USER}`, `--map-group=${GROUP}`, `--root=${ROOT}`, `--wd=${workingDirectory}`, '--'],
      ...['/bin/sh', '-c', script, 'emu', ...command],
    ],
    environment: mark.environment({ PATH: SYSTEM_PATH, ...carried }),
    directory: '/',
  };
}
