import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lambdaError } from '../errors.ts';
import { NODE_BOOTSTRAP, PYTHON_BOOTSTRAP, PYTHON_HOOKS, RUBY_BOOTSTRAP } from '../generated/bootstraps.ts';
import { isExecutable } from '../interpreters/search.ts';
import type { Version } from '../records.ts';
import { MissingProgram } from './failures.ts';
import { languageCommand } from './language-commands.ts';

/** Start options of a function's processes on this machine. */
export interface ProcessCommand {
  command: string[];
  /** The interpreter in the command; undefined for a program of the function. */
  interpreter?: string | undefined;
  /** Directory of the runtime's own files. */
  runtimeDirectory: string;
  /** Directories to prepend to PATH. */
  path: string[];
  /** Difference between this machine and the version's configuration; undefined if none. */
  difference?: string | undefined;
}

/**
 * Installs the programs that run handlers in a directory.
 * @returns its path
 */
export async function installBootstraps(home: string): Promise<string> {
  const directory = join(home, 'runtime');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'bootstrap.cjs'), NODE_BOOTSTRAP);
  await writeFile(join(directory, 'bootstrap.py'), PYTHON_BOOTSTRAP);
  // A directory of its own, as only newer runtimes have the module.
  await mkdir(join(directory, 'hooks'), { recursive: true });
  await writeFile(join(directory, 'hooks', 'snapshot_restore_py.py'), PYTHON_HOOKS);
  await writeFile(join(directory, 'bootstrap.rb'), RUBY_BOOTSTRAP);
  return directory;
}

/** Reason why images do not run as local processes. */
export const WITHOUT_ENGINE = 'container images need a container engine (EMULATOR_LAMBDA_BACKEND=docker or k8s)';

/** Returns the warning that functions of another architecture run on this machine's; undefined if they match. */
export function otherArchitecture({ config: { architectures } }: Version): string | undefined {
  const own = process.arch === 'x64' ? 'x86_64' : process.arch;
  const [wanted = 'x86_64'] = architectures;
  return wanted === own ? undefined : `functions for ${wanted} run on ${own} here`;
}

/**
 * Returns the command that runs a version with local interpreters.
 * @param runtimeDirectory from `installBootstraps`
 * @param installed directory that `emu runtime install` fills
 * @throws AwsError `InvalidRuntimeException` if its runtime requires a container engine, or an interpreter is missing
 */
export async function processCommand(
  version: Version,
  taskRoot: string,
  layerRoot: string,
  runtimeDirectory: string,
  installed: string,
): Promise<ProcessCommand> {
  const { runtime, packageType, environment } = version.config;
  if (packageType === 'Image' || runtime === undefined) throw cannotRun(version, WITHOUT_ENGINE);
  const wrapper = environment?.AWS_LAMBDA_EXEC_WRAPPER;
  const wrapped = wrapper === undefined ? [] : [inside(wrapper, taskRoot, layerRoot)];
  if (runtime.startsWith('provided')) {
    const program = await bootstrapOf(version, taskRoot, layerRoot);
    return { command: [program], runtimeDirectory: taskRoot, path: [] };
  }
  const sources = { version, taskRoot, layerRoot, bootstraps: runtimeDirectory, runtimeDirectory: installed };
  const found = await languageCommand(runtime, sources);
  if (found === undefined)
    throw cannotRun(version, 'this runtime needs a container engine (EMULATOR_LAMBDA_BACKEND=docker or k8s)');
  if ('missing' in found) throw cannotRun(version, found.missing);
  const { command, difference } = found;
  return { command: [...wrapped, ...command], interpreter: command[0], runtimeDirectory, path: [], difference };
}

/** Returns the programs of external extensions in layers. */
export async function extensionPrograms(layerRoot: string): Promise<{ name: string; path: string }[]> {
  const directory = join(layerRoot, 'extensions');
  let names: string[];
  try {
    names = await readdir(directory);
  } catch {
    // No layer contains any.
    return [];
  }
  const programs: { name: string; path: string }[] = [];
  for (const name of names.sort()) {
    const path = join(directory, name);
    if ((await stat(path)).isFile()) programs.push({ name, path });
  }
  return programs;
}

/** Returns the caller's error for a version that cannot run here. */
export const cannotRun = (version: Version, why: string) =>
  lambdaError(
    'InvalidRuntimeException',
    `emu cannot run ${version.functionName} (${version.config.runtime ?? 'container image'}): ${why.replace(/\.$/, '')}.`,
    'Service',
  );

/** Returns AWS's documented paths, mapped to this machine. */
function inside(path: string, taskRoot: string, layerRoot: string): string {
  if (path.startsWith('/var/task/')) return join(taskRoot, path.slice('/var/task/'.length));
  if (path.startsWith('/opt/')) return join(layerRoot, path.slice('/opt/'.length));
  return path;
}

/**
 * Returns the bootstrap of a `provided` function, in its package or a layer.
 * @throws MissingProgram if neither contains one
 */
export async function bootstrapOf(version: Version, taskRoot: string, layerRoot: string): Promise<string> {
  for (const program of [join(taskRoot, 'bootstrap'), join(layerRoot, 'bootstrap')])
    if (isExecutable(program)) return program;
  throw new MissingProgram(
    `Couldn't find valid bootstrap(s): [/var/task/bootstrap /opt/bootstrap] of ${version.functionName}`,
  );
}
