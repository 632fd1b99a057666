// Compares the imports of a package's files with the dependencies that its package.json declares.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, root } from './workspace.mjs';

const STATIC = /^(?:import|export)(?<type> type)?\b(?:[^'";`]*?\bfrom)? '(?<specifier>[^'.][^']*)'/gm;
const LATE = /(?<type>typeof )?\bimport\(\s*'(?<specifier>[^'.][^']*)'/g;

/** Returns the package that a module belongs to: `@emu/core` of `@emu/core/calls`. */
const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Returns the packages that a text imports, each with whether it imports types only. */
function importsOf(text) {
  const found = new Map();
  for (const pattern of [STATIC, LATE]) {
    for (const { groups } of text.matchAll(pattern)) {
      const name = packageOf(groups.specifier);
      if (!name.startsWith('node:')) found.set(name, groups.type !== undefined && found.get(name) !== false);
    }
  }
  return found;
}

/** Returns a text without the contents of template literals, such as sources of examples. */
const withoutTemplates = (text) => text.replace(/`(?:\\.|[^`\\])*`/gs, '``');

/** Declarations of the root for all packages. */
const { dependencies: builders, devDependencies: tools } = manifestOf('.');

/**
 * Finds undeclared imports of a package and, in published packages, unused dependencies. Sources of a published package import
 * `dependencies` and `peerDependencies` at run time. Types, tests and private packages may also use `devDependencies` and the
 * dependencies of the root.
 * @param {string} folder of the package
 * @param {Map<string, string>} sources text of each source by its path
 * @param {Map<string, string>} tests text of each test by its path
 * @returns {{ file: string, rule: string }[]}
 */
export function undeclaredImports(folder, sources, tests) {
  const { name: self, private: isPrivate, dependencies, devDependencies, peerDependencies } = manifestOf(folder);
  const atRunTime = { ...dependencies, ...peerDependencies, [self]: '' };
  const all = { ...atRunTime, ...devDependencies, ...builders, ...tools };
  const breaches = [];
  const check = (file, text, isSource) => {
    const isWrong = ([name, isType]) => !(name in (isSource && !isType && !isPrivate ? atRunTime : all));
    const imports = [...importsOf(text)];
    if (!imports.some(isWrong)) return;
    for (const [name] of [...importsOf(withoutTemplates(text))].filter(isWrong))
      breaches.push({
        file,
        rule: `${name} is not among the ${isSource ? 'dependencies' : 'declarations'} of package.json`,
      });
  };
  for (const [file, text] of sources) check(file, text, true);
  for (const [file, text] of tests) check(file, text, false);
  if (isPrivate) return breaches;
  const surplus = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) =>
      !(name in (peerDependencies ?? {})) &&
      !/^@types\/|^@emu\/service-types$/.test(name) &&
      ![...sources.values(), ...tests.values()].some((text) => text.includes(`'${name}`)),
  );
  return [
    ...breaches,
    ...surplus.map((name) => ({ file: join(root, folder, 'package.json'), rule: `${name} is unused` })),
  ];
}

/**
 * Finds imports of a build script that are missing from the root's `dependencies`, the only ones that the start installs.
 * @param {string} file
 * @returns {{ file: string, rule: string }[]}
 */
export function undeclaredByRoot(file) {
  const names = [...importsOf(withoutTemplates(readFileSync(file, 'utf8'))).keys()];
  const missing = names.filter((name) => !(name in builders));
  return missing.map((name) => ({ file, rule: `${name} is not among the dependencies of the root` }));
}
