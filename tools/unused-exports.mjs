// Finds exported functions, constants and classes that no other file imports. Reads text instead of syntax trees, which
// would be many times slower: the formatter leaves few forms of imports and exports. Exported types are ignored,
// because declarations of inferred types may have to name them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { packageFolders, root } from './workspace.mjs';

const DECLARATION = /^export (?:(?:declare|abstract|async) )*(?:function\*?|const|let|class|enum) ([\w$]+)/gm;
const LIST = /^export (type )?\{([^}]*)\}(?: from '([^']+)')?/gm;
const STAR = /^export \* (as \w+ )?from '([^']+)'/gm;
const STATIC = /^import (?:type )?(?:[\w$]+(?:, )?)?(?:\{([^}]*)\}|(\* as [\w$]+))? ?(?:from )?'([^']+)'/gm;
/** Matches `import()`, with its destructured names if adjacent. */
const LATE =
  /(?:\{([^{}]*)\} = (?:await )?)?\bimport\(\s*'([^']+)'[^()]*\)(?:\s*\.then\(\s*\(\{([^{}]*)\}\)|\)?\.(?!then\b)([\w$]+))?/g;

/** Packages whose exports are for users and need no use in this repository. */
const FOR_USERS = new Set(['@emu/control-client', '@emu/emulator']);

/** Returns the values of a list such as `a, type B, c as d,`: their local and external names. */
function namesOf(list) {
  return list
    .replace(/\/\/.*|\/\*.*?\*\//g, '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => item.replace(/^type /, '').split(/ as |\s*:\s*/))
    .map(([name, alias = name]) => ({ name, alias }));
}

/** Returns the names of exported values in a text, without those of `export *`. */
function exportsOf(text) {
  const lists = [...text.matchAll(LIST)].filter(([, isType]) => !isType).map(([, , list]) => list);
  return new Set([
    ...[...text.matchAll(DECLARATION)].map(([, name]) => name),
    ...lists.flatMap((list) => namesOf(list.replace(/\btype [^,]*/g, '')).map(({ alias }) => alias)),
  ]);
}

/** Returns the names of the values that a file of a package exports, those of `export *` included. */
export function valuesOf(file) {
  const text = readFileSync(file, 'utf8');
  const stars = [...text.matchAll(STAR)].flatMap(([, , from]) => [...valuesOf(resolve(dirname(file), from))]);
  return new Set([...exportsOf(text), ...stars]);
}

/** Returns the names that a text imports from a module. */
export const importedFrom = (text, specifier) =>
  [...text.matchAll(STATIC)]
    .filter(([, list, , from]) => list && from === specifier)
    .flatMap(([, list]) => namesOf(list).map(({ name }) => name));

/** Returns a text without the contents of template literals, such as sources of examples. */
export const withoutTemplates = (text) => text.replace(/`(?:\\.|[^`\\])*`/gs, '``');

/** Returns the source of each module of the workspace's packages by specifier, and the sources of the modules for users. */
function packageModules() {
  const modules = new Map();
  const forUsers = new Set();
  for (const folder of packageFolders()) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json')));
    for (const [path, target] of Object.entries(exports)) {
      const file = join(root, folder, target['emu-source'] ?? target.types ?? target.default ?? target);
      modules.set(join(name, path), file);
      if (FOR_USERS.has(name)) forUsers.add(file);
    }
  }
  return { modules, forUsers };
}

/** Returns the paths of all sources, including tests. */
function sources() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.mts', '*.mjs', '*.js'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const paths = listed.split('\n').filter((path) => path !== '');
  return paths.map((path) => join(root, path)).filter(existsSync);
}

/**
 * Lists the exported functions, constants and classes that no other file of the repository imports.
 * @returns {{ file: string, name: string }[]}
 */
export function unusedExports() {
  const { modules, forUsers } = packageModules();
  const declared = new Map();
  const stars = new Map();
  const uses = [...forUsers].map((of) => ({ of }));
  for (const file of sources()) {
    const text = readFileSync(file, 'utf8');
    const target = (specifier) =>
      specifier.startsWith('.') ? resolve(dirname(file), specifier) : modules.get(specifier);
    const use = (specifier, list) => uses.push({ of: target(specifier), names: list && namesOf(list) });
    declared.set(file, exportsOf(text));
    stars.set(file, []);
    for (const [, , list, from] of text.matchAll(LIST)) if (from) use(from, list);
    for (const [, as, from] of text.matchAll(STAR)) as ? use(from) : stars.get(file).push(target(from));
    for (const [, list, star, from] of text.matchAll(STATIC)) if (list || star) use(from, list);
    for (const [, before, from, then, member] of text.matchAll(LATE)) use(from, before ?? then ?? member);
  }

  const used = new Map([...declared.keys()].map((file) => [file, new Set()]));
  const mark = (file, name) => {
    if (!used.has(file) || used.get(file).has(name)) return;
    used.get(file).add(name);
    if (!declared.get(file).has(name)) for (const next of stars.get(file)) mark(next, name);
  };
  const markAll = (file) => {
    for (const name of declared.get(file) ?? []) mark(file, name);
    for (const next of stars.get(file) ?? []) markAll(next);
  };
  for (const { of, names } of uses) {
    if (names) for (const { name } of names) mark(of, name);
    else markAll(of);
  }

  const isChecked = (file) => /(?<!\.d)\.ts$/.test(file) && !/[\\/](?:generated|fixture)[\\/]/.test(file);
  return [...declared.keys()].filter(isChecked).flatMap((file) => {
    const unused = [...declared.get(file)].filter((name) => !used.get(file).has(name));
    if (!unused.length) return [];
    const real = exportsOf(withoutTemplates(readFileSync(file, 'utf8')));
    return unused.filter((name) => real.has(name)).map((name) => ({ file, name }));
  });
}
