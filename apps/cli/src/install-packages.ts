import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { allPythons } from '@emu/svc-lambda/sdk';
import { Failure } from './failure.ts';

/**
 * Installs packages of npm and their dependencies into `<directory>/node_modules`, without their install scripts. Copies
 * local ones.
 * @throws Failure if npm is missing or fails; its own output is on stderr
 */
export async function installNodePackages(directory: string, packages: readonly string[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--no-package-lock',
    '--omit=dev',
    '--install-links',
  ];
  await runProgram('npm', ['install', '--prefix', directory, ...options, '--', ...packages]);
  await rm(join(directory, 'node_modules', '.bin'), { recursive: true, force: true });
  await rm(join(directory, 'node_modules', '.package-lock.json'), { force: true });
}

/** Options of an installation of Python packages. */
export interface PythonInstall {
  /** Python version of the packages, e.g. `3.12`. */
  version: string | undefined;
  /** Packages for this architecture and Linux, as in containers; by default for the interpreter on this machine. */
  linux?: 'x86_64' | 'arm64' | undefined;
  /** Whether the packages contain no native code, and work with every interpreter from the version on. */
  pure?: boolean;
}

/**
 * Installs Python packages and their dependencies into a directory, from wheels: a source package runs its own code when
 * it is installed.
 * @throws Failure if no Python has pip, or pip fails; its own output is on stderr
 */
export async function installPythonPackages(
  directory: string,
  requirements: readonly string[],
  { version, linux, pure }: PythonInstall,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const platform = linux === 'arm64' ? 'manylinux2014_aarch64' : 'manylinux2014_x86_64';
  const options = [
    '--target',
    directory,
    '--only-binary=:all:',
    '--no-compile',
    '--disable-pip-version-check',
    '--no-input',
  ];
  if (linux) options.push('--platform', platform, '--implementation', 'cp');
  const isForOthers = linux !== undefined || pure === true;
  if (isForOthers && version !== undefined) options.push('--python-version', version);
  const program = await pythonWithPip(isForOthers ? undefined : version);
  // The first two contradict --target; the last avoids a warning.
  const variables = { PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_ROOT_USER_ACTION: 'ignore' };
  await runProgram(program, ['-m', 'pip', 'install', ...options, '--', ...requirements], variables);
}

/** Returns a Python of this machine that has pip, preferably of a version. @throws Failure without one */
async function pythonWithPip(version: string | undefined): Promise<string> {
  const pythons = [...(await allPythons())];
  if (version !== undefined)
    pythons.sort((a, b) => Number(b.version.startsWith(version)) - Number(a.version.startsWith(version)));
  for (const { executable } of pythons) if (await hasPip(executable)) return executable;
  const problem = pythons.length === 0 ? 'No Python 3 was found' : `${pythons[0]!.executable} has no pip`;
  throw new Failure(`${problem}; install python3 with pip (Debian: python3-pip).`);
}

const hasPip = (python: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(python, ['-c', 'import pip'], { stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });

/** Runs a program with its output on stderr. @throws Failure if it is missing or fails */
function runProgram(program: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...variables };
    const child = spawn(program, args, { env, stdio: ['ignore', process.stderr, process.stderr] });
    child.on('error', (error) => reject(new Failure(`${program} cannot be run: ${error.message}.`)));
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Failure(`${program} ended with ${signal ?? code}; its messages are above.`));
    });
  });
}
