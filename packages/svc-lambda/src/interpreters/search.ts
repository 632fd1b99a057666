import { accessSync, closeSync, constants, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { programDirectories, type VersionDirectory } from './places.ts';
import { compareVersions, type Interpreter, numbersOf } from './versions.ts';

/** First bytes of programs: ELF and the forms of Mach-O. Shims are scripts. */
const PROGRAM_HEADS = ['7f454c46', 'cffaedfe', 'cefaedfe', 'cafebabe'];

/** Names of real interpreters: some version managers link every program to their own. */
const INTERPRETER = /^(?:nodejs|node|python(?:3(?:\.\d+)?)?|ruby[\d.]*|java)$/;

/** Whether a path is an executable file. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns the path without links if it leads to an interpreter; undefined for shims and missing programs. */
function realInterpreter(path: string): string | undefined {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return undefined;
  }
  return INTERPRETER.test(basename(real)) && isExecutable(real) && isProgram(real) ? real : undefined;
}

/** Whether a file is a program of the machine instead of a script. */
function isProgram(path: string): boolean {
  const head = Buffer.alloc(4);
  try {
    const file = openSync(path, 'r');
    readSync(file, head);
    closeSync(file);
  } catch {
    return false;
  }
  return PROGRAM_HEADS.includes(head.toString('hex'));
}

/** Returns the names in a directory; none if it cannot be read. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** How the interpreters of a language are found. */
export interface Language {
  /** Directories of version managers. */
  managed(env: NodeJS.ProcessEnv): readonly VersionDirectory[];
  /** Names of the interpreter in a directory on PATH. */
  names(directory: string): readonly string[];
  /** Directory of an installation that the user's variables select; undefined without any. */
  selected?(env: NodeJS.ProcessEnv): string | undefined;
  /**
   * Name of the interpreter of a version in the directories of version managers. Without it, their names are not
   * versions.
   */
  nameOf?(version: string): string;
  /**
   * Returns the version of an interpreter on PATH; undefined if it is unknown.
   * @param real its path without links
   */
  versionOf(real: string): string | undefined | Promise<string | undefined>;
}

/**
 * Finds the interpreters of a language by looking at directories, without running anything on PATH that may be a shim.
 * The result is kept until one of the directories changes.
 */
export class InterpreterSearch {
  private last: { stamp: string; found: Promise<readonly Interpreter[]> } | undefined;

  constructor(private readonly language: Language) {}

  /** Returns the interpreters, selected ones first. */
  found(env: NodeJS.ProcessEnv = process.env): Promise<readonly Interpreter[]> {
    const directories = [...programDirectories(env), ...this.language.managed(env).map(({ directory }) => directory)];
    const stamp = directories.map((directory) => `${directory} ${changedAt(directory)}`).join('\n');
    if (this.last?.stamp !== stamp) this.last = { stamp, found: this.search(env) };
    return this.last.found;
  }

  private async search(env: NodeJS.ProcessEnv): Promise<readonly Interpreter[]> {
    const found = new Map<string, Interpreter>();
    const add = (interpreter: Interpreter): void => {
      const real = realInterpreter(interpreter.executable);
      // Virtual environments link to the program of another one.
      const key = `${real} ${dirname(interpreter.executable)}`;
      if (real !== undefined && !found.has(key)) found.set(key, interpreter);
    };
    const managed = this.language.managed(env);
    const home = this.language.selected?.(env);
    for (const directory of [...(home === undefined ? [] : [join(home, 'bin')]), ...programDirectories(env)]) {
      for (const name of this.language.names(directory)) {
        const executable = join(directory, name);
        const real = realInterpreter(executable);
        const version = real === undefined ? undefined : await this.language.versionOf(real);
        if (version !== undefined) add({ executable, version, selected: true });
      }
      // Its shims select a version by files of the user; emu takes the one that the function asks for.
      for (const manager of managed)
        if (directory.startsWith(`${manager.root}/`)) for (const one of await this.versionsOf(manager, true)) add(one);
    }
    for (const manager of managed) for (const one of await this.versionsOf(manager, false)) add(one);
    return [...found.values()];
  }

  /** Returns the versions in a directory, newest first. */
  private async versionsOf({ directory, programs }: VersionDirectory, selected: boolean): Promise<Interpreter[]> {
    const found: Interpreter[] = [];
    for (const name of namesIn(directory)) {
      const one = await this.versionAt(join(directory, name, programs), name);
      if (one !== undefined) found.push({ ...one, selected });
    }
    return found.sort((a, b) => compareVersions(numbersOf(b.version)!, numbersOf(a.version)!));
  }

  /** Returns the interpreter in a directory of programs. */
  private async versionAt(programs: string, name: string): Promise<Omit<Interpreter, 'selected'> | undefined> {
    if (this.language.nameOf !== undefined) {
      // Other names are aliases of versions, environments, or other implementations.
      const [, version] = /^(?:v|cpython-)?(\d+\.\d+(?:\.\d+)?)(?:[+-].*)?$/.exec(name) ?? [];
      if (version === undefined) return undefined;
      return { executable: join(programs, this.language.nameOf(version)), version };
    }
    const executable = join(programs, this.language.names(programs)[0]!);
    const real = realInterpreter(executable);
    const version = real === undefined ? undefined : await this.language.versionOf(real);
    return version === undefined ? undefined : { executable, version };
  }
}

/** Returns when names in a directory last changed, in epoch milliseconds; undefined if it cannot be read. */
function changedAt(directory: string): number | undefined {
  try {
    return statSync(directory, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}
