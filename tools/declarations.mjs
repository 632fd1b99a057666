import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const SPECIFIER = /\b(?:from|import)\s*\(?\s*(['"])([^'"]+)\1/g;

/** The package that a module belongs to: `@emu/core` of `@emu/core/calls`. */
const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/**
 * Makes the declarations that tsc wrote those of a published package: their relative imports name the .js files that
 * consumers see, and what no entry point reaches is removed.
 * @param {string} folder the declarations', with nothing else of that kind in it
 * @param {readonly string[]} entries paths of the entry points' declarations in the folder
 * @param {ReadonlySet<string>} privatePackages names of packages that consumers cannot install
 * @throws Error where a declaration that stays imports one of those, or one that is not there
 */
export function publishDeclarations(folder, entries, privatePackages) {
  const reached = new Set();
  const reach = (file, from) => {
    if (reached.has(file)) return;
    reached.add(file);
    const name = relative(folder, file);
    if (!existsSync(file)) throw new Error(`${from} imports ${name}, which is not among the declarations`);
    const text = readFileSync(file, 'utf8').replace(SPECIFIER, (found, quote, specifier) => {
      if (specifier.startsWith('.')) {
        const target = specifier.replace(/\.ts$/, '.js');
        reach(resolve(dirname(file), target.replace(/\.js$/, '.d.ts')), name);
        return found.replace(`${quote}${specifier}${quote}`, `${quote}${target}${quote}`);
      }
      const owner = packageOf(specifier);
      if (privatePackages.has(owner)) throw new Error(`${name} imports ${owner}, which is never published`);
      return found;
    });
    writeFileSync(file, text);
  };
  for (const entry of entries) reach(resolve(folder, entry), 'package.json');
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const item of all) {
    const file = resolve(item.parentPath, item.name);
    if (item.isFile() && item.name.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
  }
  // Folders within folders come later, so that the innermost goes first.
  for (const item of all.toReversed())
    if (item.isDirectory() && !readdirSync(join(item.parentPath, item.name)).length)
      rmdirSync(join(item.parentPath, item.name));
}
