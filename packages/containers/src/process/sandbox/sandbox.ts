import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { ContainerError, type ContainerSandbox } from '@emu/core/service';
import type { Launch } from '../launch.ts';
import type { InstanceMark } from '../mark.ts';
import { firstLine, type Holder } from './holder.ts';
import type { MountPlan } from './mount-plan.ts';
import { GROUP, ROOT, USER } from './skeleton.ts';
import { SYSTEM_PATH, type Tools } from './tools.ts';

/** Milliseconds for a trial. */
const TRIAL_LIMIT = 10_000;
/** Prefix of variables that carry those of an instance past the programs that enter the sandbox. */
const CARRIER = 'EMU_VARIABLE_';
/** Variables that some shells do not assign. */
const READ_ONLY = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID']);
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
    return enter(this.holder, this.tools, { command, environment, workingDirectory, mark });
  }

  close(): Promise<void> {
    return this.holder.close();
  }

  /** The error for a missing program must not come from a shell. */
  private async check(program: string): Promise<void> {
    const path = program.startsWith('/') ? this.plan.machinePath(program) : undefined;
    if (path === undefined) return;
    await access(path, constants.X_OK).catch((error: NodeJS.ErrnoException) => {
      const why = `${program} cannot be started: spawn ${program} ${error.code}`;
      throw new ContainerError('command', why, { cause: error });
    });
  }
}

/** Starts a program inside. @returns the reason of a failure; undefined if it ran */
export function trial(holder: Holder, tools: Tools, mark: InstanceMark): Promise<string | undefined> {
  const launch = enter(holder, tools, { command: ['/bin/true'], environment: {}, workingDirectory: '/', mark });
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
}

/**
 * Returns the launch of a command in the namespaces of a holder. Variables of the instance, such as LD_PRELOAD, have no
 * effect on the programs that enter them.
 */
function enter({ first }: Holder, tools: Tools, { command, environment, workingDirectory, mark }: Inside): Launch {
  const carried: Record<string, string> = {};
  const steps = [mark.limitCommand];
  for (const [name, value] of Object.entries(environment)) {
    if (READ_ONLY.has(name) || !IDENTIFIER.test(name)) {
      carried[name] = value;
      continue;
    }
    const carrier = `${CARRIER}${name}`;
    carried[carrier] = value;
    steps.push(`export ${name}="$${carrier}"; unset ${carrier}`);
  }
  if (environment.PATH === undefined) steps.push('unset PATH');
  const script = [...steps, 'exec "$@"'].join('\n');
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
