// Compares the imports of a package's files with the dependencies that its package.json declares.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageOf } from './declarations.mjs';
import { withoutTemplates } from './unused-exports.mjs';
import { manifestOf, root } from './workspace.mjs';

const STATIC = /^(?:import|export)(?<type> type)?\b(?:[^'";`]*?\bfrom)? '(?<specifier>[^'.][^']*)'/gm;
const LATE = /(?<type>typeof )?\bimport\(\s*'(?<specifier>[^'.][^']*)'/g;

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

/** Dependencies of the root: those of build scripts, and with them the tools that all packages use. */
const { dependencies: ofBuilds, devDependencies } = manifestOf('.');
const ofAll = { ...ofBuilds, ...devDependencies };

/**
 * Finds undeclared imports of a package, dependencies that the root declares for all packages and, in published packages, unused
 * dependencies. Sources of a published package import `dependencies` and `peerDependencies` at run time. Types, tests and private
 * packages may also use `devDependencies` and the dependencies of the root.
 * @param {string} folder of the package
 * @param {Map<string, string>} sources text of each source by its path
 * @param {Map<string, string>} tests text of each test by its path
 * @returns {{ file: string, rule: string }[]}
 */
export function wrongDependencies(folder, sources, tests) {
  const { name: self, private: isPrivate, dependencies, devDependencies, peerDependencies } = manifestOf(folder);
  const atRunTime = { ...dependencies, ...peerDependencies, [self]: '' };
  const all = { ...atRunTime, ...devDependencies, ...ofAll };
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
  const isUnused = (name) =>
    !isPrivate &&
    !/^@types\/|^@emu\/service-types$/.test(name) &&
    ![...sources.values(), ...tests.values()].some((text) => text.includes(`'${name}`));
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    if (name in (peerDependencies ?? {})) continue;
    const rule = name in ofAll ? 'is declared by the root' : isUnused(name) ? 'is unused' : undefined;
    if (rule) breaches.push({ file: join(root, folder, 'package.json'), rule: `${name} ${rule}` });
  }
  return breaches;
}

/**
 * Finds imports of a build script that are missing from the root's `dependencies`, the only ones that the start installs.
 * @param {string} file
 * @returns {{ file: string, rule: string }[]}
 */
export function undeclaredOfBuild(file) {
  const names = [...importsOf(withoutTemplates(readFileSync(file, 'utf8'))).keys()];
  const missing = names.filter((name) => !(name in ofBuilds));
  return missing.map((name) => ({ file, rule: `${name} is not among the dependencies of the root` }));
}
