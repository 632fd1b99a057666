// Has bundles import each name of a workspace package from the module that defines it. esbuild puts everything that an
// index re-exports into the chunks of everyone who imports from it, also what nobody there uses: the code that each
// start loads would be half as large again.
import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url));
const IMPORT = /^import \{([^}]*)\} from '@emu\/([^'/]+)(\/[^']+)?';$/gm;
const REEXPORT = /^export (?:\* from|\{([^}]*)\} from) '(\.[^']+)';$/gm;
const DEFINITION = /^export (?:default )?(?:abstract class|class|(?:async )?function\*?|const|let|enum) (\w+)/gm;

/** Returns a function that finds the module of each value that a module exports, by name: its path and its name there. */
function exportReader() {
  const known = new Map();
  return function exportsOf(path) {
    const found = known.get(path);
    if (found) return found;
    const exports = new Map();
    known.set(path, exports);
    const text = readFileSync(path, 'utf8');
    for (const [, name] of text.matchAll(DEFINITION)) exports.set(name, { path, name });
    for (const [, clause, from] of text.matchAll(REEXPORT)) {
      const target = exportsOf(join(dirname(path), from));
      if (clause === undefined) for (const [name, place] of target) exports.set(name, place);
      else
        for (const { name, local } of namesOf(clause)) {
          const place = target.get(name);
          if (place) exports.set(local, place);
        }
    }
    return exports;
  };
}

/** Returns the values of an import or export clause, without its types. */
const namesOf = (clause) =>
  clause.split(',').flatMap((each) => {
    const [name, local = name] = each.trim().split(/\s+as\s+/);
    return name && !name.startsWith('type ') ? [{ name, local }] : [];
  });

/** An esbuild plugin for the sources of the workspace's packages, which must resolve by `emu-source`. */
export const directImports = {
  name: 'direct-imports',
  setup({ onLoad }) {
    const exportsOf = exportReader();
    const entries = new Map();
    const entryOf = (name, subpath = '') => {
      if (!entries.has(name))
        entries.set(name, JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')).exports);
      const entry = entries.get(name)[`.${subpath}`]?.['emu-source'];
      return entry === undefined ? undefined : join(PACKAGES, name, entry);
    };
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return undefined;
      const contents = readFileSync(path, 'utf8').replace(IMPORT, (statement, clause, name, subpath) => {
        const entry = entryOf(name, subpath);
        const exports = entry?.endsWith('.ts') ? exportsOf(entry) : new Map();
        return namesOf(clause)
          .map(({ name: imported, local }) => {
            const place = exports.get(imported);
            const source = place
              ? { ...place }
              : { path: statement.slice(statement.indexOf("'") + 1, -2), name: imported };
            return `import { ${source.name} as ${local} } from ${JSON.stringify(source.path)};`;
          })
          .join(' ');
      });
      return { contents, loader: 'ts' };
    });
  },
};
