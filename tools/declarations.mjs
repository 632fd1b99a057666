import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Matches the specifier of a relative module or of a package. */
const SPECIFIER = /\b(?:from|import)\s*\(?\s*(['"])([\w@.][\w@./-]*)\1/g;

/** Returns the package of a module: `@emu/core` for `@emu/core/calls`. */
export const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/**
 * Writes the declarations that a package's entry points reach, with relative imports of the .js files for consumers.
 * @param {string} from directory of the declarations as written by the compiler
 * @param {string} to output directory
 * @param {readonly string[]} entries paths of the entry points' declarations in the directory
 * @param {ReadonlySet<string>} installed names of the packages that consumers install with this one
 * @throws Error if a reachable declaration imports another package or a missing declaration
 */
export function publishDeclarations(from, to, entries, installed) {
  const reached = new Set();
  const reach = (file, importer) => {
    if (reached.has(file)) return;
    reached.add(file);
    const name = relative(from, file);
    if (!existsSync(file)) throw new Error(`${importer} imports ${name}, which is not among the declarations`);
    const text = readFileSync(file, 'utf8').replace(SPECIFIER, (found, quote, specifier) => {
      if (specifier.startsWith('.')) {
        const target = specifier.replace(/\.ts$/, '.js');
        reach(resolve(dirname(file), target.replace(/\.js$/, '.d.ts')), name);
        return found.replace(`${quote}${specifier}${quote}`, `${quote}${target}${quote}`);
      }
      const owner = packageOf(specifier);
      if (!installed.has(owner)) throw new Error(`${name} imports ${owner}, which is not installed with the package`);
      return found;
    });
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), text);
  };
  for (const entry of entries) reach(resolve(from, entry), 'package.json');
}
