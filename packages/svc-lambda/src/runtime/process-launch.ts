import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { lambdaError } from '../errors.ts';
import { NODE_BOOTSTRAP, PYTHON_BOOTSTRAP } from '../generated/bootstraps.ts';
import type { Version } from '../records.ts';

/** How a function's processes are started on this machine. */
export interface ProcessCommand {
  command: string[];
  /** Where the runtime's own files are. */
  runtimeDirectory: string;
  /** Directories for the front of PATH. */
  path: string[];
}

/** Puts the programs that run handlers into a directory. @returns its path */
export async function installBootstraps(home: string): Promise<string> {
  const directory = join(home, 'runtime');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'bootstrap.cjs'), NODE_BOOTSTRAP);
  await writeFile(join(directory, 'bootstrap.py'), PYTHON_BOOTSTRAP);
  return directory;
}

/**
 * The command that runs a version with the interpreters of this machine.
 * @param runtimeDirectory from `installBootstraps`
 * @throws AwsError `InvalidRuntimeException` where its runtime needs a container engine, or an interpreter is missing
 */
export async function processCommand(
  version: Version,
  taskRoot: string,
  layerRoot: string,
  runtimeDirectory: string,
): Promise<ProcessCommand> {
  const { runtime, packageType, environment } = version.config;
  if (packageType === 'Image' || runtime === undefined)
    throw cannotRun(version, 'container images need a container engine (EMULATOR_LAMBDA_BACKEND=docker or k8s)');
  const wrapper = environment?.AWS_LAMBDA_EXEC_WRAPPER;
  const wrapped = wrapper === undefined ? [] : [inside(wrapper, taskRoot, layerRoot)];
  if (runtime.startsWith('provided')) {
    const program = await bootstrapOf(version, taskRoot, layerRoot);
    return { command: [program], runtimeDirectory: taskRoot, path: [] };
  }
  if (runtime.startsWith('nodejs')) {
    // V8 keeps its heap within the function's memory, as AWS's runtime has it, and so fails with its own message.
    const heap = Math.max(64, Math.floor(version.config.memorySize * 0.9));
    const command = [process.execPath, `--max-old-space-size=${heap}`, join(runtimeDirectory, 'bootstrap.cjs')];
    return { command: [...wrapped, ...command], runtimeDirectory, path: [] };
  }
  if (runtime.startsWith('python')) {
    const python = (await pythonOf(runtime)) ?? (await pythonOf('python3'));
    if (python === undefined) throw cannotRun(version, `there is neither ${runtime} nor python3 on PATH`);
    return { command: [...wrapped, python, '-u', join(runtimeDirectory, 'bootstrap.py')], runtimeDirectory, path: [] };
  }
  throw cannotRun(version, 'this runtime needs a container engine (EMULATOR_LAMBDA_BACKEND=docker or k8s)');
}

/** Programs of external extensions, which layers bring. */
export async function extensionPrograms(layerRoot: string): Promise<{ name: string; path: string }[]> {
  const directory = join(layerRoot, 'extensions');
  let names: string[];
  try {
    names = await readdir(directory);
  } catch {
    // No layer brings any.
    return [];
  }
  const programs: { name: string; path: string }[] = [];
  for (const name of names.sort()) {
    const path = join(directory, name);
    if ((await stat(path)).isFile()) programs.push({ name, path });
  }
  return programs;
}

/** What a caller is told of a version that cannot be run here. */
export const cannotRun = (version: Version, why: string) =>
  lambdaError(
    'InvalidRuntimeException',
    `emu cannot run ${version.functionName} (${version.config.runtime ?? 'container image'}): ${why.replace(/\.$/, '')}.`,
    'Service',
  );

/** Paths that AWS documents, as they are on this machine. */
function inside(path: string, taskRoot: string, layerRoot: string): string {
  if (path.startsWith('/var/task/')) return join(taskRoot, path.slice('/var/task/'.length));
  if (path.startsWith('/opt/')) return join(layerRoot, path.slice('/opt/'.length));
  return path;
}

/**
 * The program of a `provided` function, in its package or a layer.
 * @throws MissingBootstrap where neither has one
 */
export async function bootstrapOf(version: Version, taskRoot: string, layerRoot: string): Promise<string> {
  for (const program of [join(taskRoot, 'bootstrap'), join(layerRoot, 'bootstrap')])
    if (await isExecutable(program)) return program;
  throw new MissingBootstrap(version.functionName);
}

/** A `provided` function whose package has no program to run: an error of the function, not of the request. */
export class MissingBootstrap extends Error {
  override readonly name = 'MissingBootstrap';
  constructor(functionName: string) {
    super(`Couldn't find valid bootstrap(s): [/var/task/bootstrap /opt/bootstrap] of ${functionName}`);
  }
}

/** What programs named like an interpreter are, by their path and the time they were put there. */
const pythons = new Map<string, Promise<string | undefined>>();

/** A Python interpreter itself: what PATH has may be a shim of a version manager, which needs the user's environment. */
async function pythonOf(name: string): Promise<string | undefined> {
  const path = await findProgram(name);
  if (path === undefined) return undefined;
  // Asking takes longer than a cold start. Version managers write their shims anew when they install a version.
  const key = `${path} ${(await stat(path)).mtimeMs}`;
  let found = pythons.get(key);
  if (!found) {
    found = interpreterOf(path);
    pythons.set(key, found);
  }
  return found;
}

async function interpreterOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-c', 'import sys; print(sys.executable)'], {
      timeout: 10_000,
    });
    return stdout.trim() || undefined;
  } catch {
    // A shim of a version that is not installed.
    return undefined;
  }
}

async function findProgram(name: string): Promise<string | undefined> {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory, name);
    if (directory && (await isExecutable(path))) return path;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
