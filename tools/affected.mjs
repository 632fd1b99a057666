// Finds the test files that a change can affect, by following imports and paths from the changed files to the tests.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { packageFolders, root } from './workspace.mjs';

/** Files on which every test depends. */
const GLOBAL =
  /^(?:package\.json|pnpm-(?:lock|workspace)\.yaml|tsconfig[^/]*\.json|turbo\.json|vitest\.shared\.ts|tools\/[^/]+\.mjs|tools\/testing\/[^/]+\.ts|\.ci\/.*)$/;
/** Files read only by lint, the check of generated files and tests that name their path. */
const TEXT =
  /\.md$|(?:^|\/)(?:absent-operations|error-sentences|behaviours|durations)\.json$|^(?:LICENSE|NOTICE|biome\.json|\.git.*)$/;
const SOURCE = /\.[cm]?[jt]s$/;
const TEST = /(?:^|\/)test\/.*\.test\.[cm]?[jt]s$/;

/** Run-time imports, without type imports. */
const IMPORTS = [
  /\b(?:import|export)\b(?!\s+type\b)[^;'"`]*?\bfrom\s*['"]([^'"]+)['"]/g,
  /(?<!typeof\s)\bimport\s*\(?\s*['"]([^'"]+)['"]/g,
];
/** Text that may be the path of a file or directory. */
const PATHS = /['"`]((?:[\w@.-]+\/)*[\w@.-]+)\/?['"`]/g;

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
const namesOf = (output) => output.split('\0').filter(Boolean);
const slashes = (path) => path.replaceAll(sep, '/');

/** Returns the files that differ from the merge base of HEAD and a commit, including uncommitted ones. */
export function changedFiles(ref) {
  const base = git('merge-base', 'HEAD', ref).trim();
  const committed = namesOf(git('diff', '--name-only', '--no-renames', '-z', base));
  return [...new Set([...committed, ...namesOf(git('ls-files', '-z', '--others', '--exclude-standard'))])];
}

/** Files of the repository, each with the files that import or read it. */
class Graph {
  /** By file, or by directory with a trailing slash. */
  #users = new Map();
  #folders = packageFolders().map(slashes);
  #packages = new Map();

  constructor(files) {
    this.files = new Set(files);
    for (const folder of this.#folders) {
      const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      this.#packages.set(name, { folder, exports });
    }
    for (const file of files) if (SOURCE.test(file)) this.#read(file);
  }

  #read(file) {
    const text = readFileSync(join(root, file), 'utf8');
    const add = (target) => {
      if (target !== undefined) this.#users.set(target, (this.#users.get(target) ?? new Set()).add(file));
    };
    for (const pattern of IMPORTS)
      for (const [, specifier] of text.matchAll(pattern))
        add(specifier.startsWith('.') ? this.#at(join(dirname(file), specifier)) : this.#exported(specifier));
    // A file that uses its own location may read others through paths relative to it or, if it goes up to the root, to
    // the root.
    if (!text.includes('import.meta.')) return;
    const paths = [...text.matchAll(PATHS)].map(([, path]) => path);
    const climbs = paths.some((path) => resolve(root, dirname(file), path) === resolve(root));
    for (const start of climbs ? [dirname(file), ''] : [dirname(file)])
      for (const path of paths) add(this.#at(relative(root, resolve(root, start, path))));
  }

  /** Returns the target of a path: a file, a directory, or the sources of a package for its build. */
  #at(path) {
    const target = slashes(path);
    const built = this.#folders.find((folder) => `${target}/`.startsWith(`${folder}/dist/`));
    if (built !== undefined) return `${built}/src/`;
    const file = [target, target.replace(/\.js$/, '.ts')].find((each) => this.files.has(each));
    if (file !== undefined || target === '' || target.startsWith('..')) return file;
    return existsSync(join(root, target)) && statSync(join(root, target)).isDirectory() ? `${target}/` : undefined;
  }

  /** Returns the file that a workspace package exports; undefined for external packages. */
  #exported(specifier) {
    const [, name, path] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(specifier) ?? [];
    const { folder, exports } = this.#packages.get(name) ?? {};
    if (folder === undefined) return undefined;
    const entry = exports?.[`.${path}`];
    const file = entry?.['emu-source'] ?? entry?.default ?? entry;
    return typeof file === 'string' ? this.#at(join(folder, file)) : `${folder}/`;
  }

  /** Returns the files that use a file, or one of the directories that contain it below another directory. */
  usersOf(file, below = '') {
    const parts = file.slice(below.length).split('/');
    const folders = parts.slice(1).map((_, at) => `${below}${parts.slice(0, at + 1).join('/')}/`);
    return [file, ...folders].flatMap((target) => [...(this.#users.get(target) ?? [])]);
  }

  /** Returns some files and all their direct and indirect users. */
  withUsers(files) {
    const found = new Set(files);
    for (const file of found) for (const user of this.usersOf(file)) found.add(user);
    return found;
  }

  packageOf(file) {
    return this.#folders.find((folder) => file.startsWith(`${folder}/`));
  }
}

let graph;

/** Returns the graph of the repository's files, computed once. */
function graphOfRepository() {
  const listed = () => namesOf(git('ls-files', '-z', '--cached', '--others', '--exclude-standard'));
  graph ??= new Graph(listed().filter((file) => existsSync(join(root, file))));
  return graph;
}

/**
 * Finds the test files that changed files can affect.
 * @param changed paths relative to the root of the repository
 * @returns `all` test files, the `affected` ones, the directories of the `packages` with affected files, and, if every
 * test is affected, the changed file that is the `cause`
 */
export function affectedBy(changed) {
  const graph = graphOfRepository();
  const all = [...graph.files].filter((file) => TEST.test(file));
  const start = [];
  let cause = changed.find((file) => GLOBAL.test(file));
  for (const file of changed) {
    const folder = graph.packageOf(file);
    const isUsed = graph.usersOf(file, folder && `${folder}/`).length > 0;
    if (TEXT.test(file) || isUsed || TEST.test(file)) start.push(file);
    else if (folder === undefined) cause ??= file;
    else {
      // Its use is unknown, or it was deleted, so its whole package, or all tests of the package, count as changed.
      const part = file.startsWith(`${folder}/test/`) ? `${folder}/test/` : `${folder}/`;
      start.push(...[...graph.files].filter((each) => each.startsWith(part)));
    }
  }
  const found = cause === undefined ? graph.withUsers(start) : graph.files;
  return {
    all,
    affected: all.filter((file) => found.has(file)),
    packages: [...new Set([...found].map((file) => graph.packageOf(file)).filter(Boolean))],
    cause,
  };
}
