import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
}

/**
 * Installs Python packages and their dependencies into a directory.
 * @throws Failure if Python is missing or pip fails; its own output is on stderr
 */
export async function installPythonPackages(
  directory: string,
  requirements: readonly string[],
  { version, linux }: PythonInstall,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const platform = linux === 'arm64' ? 'manylinux2014_aarch64' : 'manylinux2014_x86_64';
  const options = ['--target', directory, '--no-compile', '--disable-pip-version-check', '--no-input'];
  if (linux) options.push('--platform', platform, '--implementation', 'cp', '--only-binary=:all:');
  if (linux && version !== undefined) options.push('--python-version', version);
  const args = ['-m', 'pip', 'install', ...options, '--', ...requirements];
  const exact = version === undefined || linux ? [] : [`python${version}`];
  for (const program of exact) if (await isWorking(program)) return runProgram(program, args);
  await runProgram('python3', args);
}

/** Whether an interpreter runs: a version manager has programs of versions that are not installed. */
const isWorking = (program: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, ['-m', 'pip', '--version'], { stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });

/** Runs a program with its output on stderr. @throws Failure if it is missing or fails */
function runProgram(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', process.stderr, process.stderr] });
    child.on('error', (error) => reject(new Failure(`${program} cannot be run: ${error.message}.`)));
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Failure(`${program} ended with ${signal ?? code}; its messages are above.`));
    });
  });
}
