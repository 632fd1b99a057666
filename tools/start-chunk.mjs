// Merges the many chunks loaded at a start into one file, because node takes a third of a millisecond to find, link and
// evaluate each file.
import { dirname, join, relative } from 'node:path/posix';
import { getBuiltinModule } from 'node:process';
import { init, parse } from 'es-module-lexer';
import { build } from 'esbuild';

/** Import statements of a chunk as written by esbuild: names, aliases, or none. */
const IMPORT = /^import\s*(?:\{([^}]*)\}\s*from\s*)?["'][^"']*["']$/;

/**
 * An esbuild plugin that takes node's modules from `process.getBuiltinModule`: an `import` of one reads everything that it
 * exports, and so loads all that it would otherwise load on first use, such as Web Crypto. Only names in use remain.
 */
const builtinModules = {
  name: 'builtin-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : { path, external: true },
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const names = Object.keys(getBuiltinModule(path)).filter(
        (name) => /^[a-zA-Z]\w*$/.test(name) && name !== 'default',
      );
      const found = `process.getBuiltinModule(${JSON.stringify(path)})`;
      return {
        contents: [
          `const found = ${found};`,
          'export default found;',
          ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => found.${name})();`),
        ].join('\n'),
      };
    });
  },
};

/** Returns the outputs that `from` loads statically, directly or not; `metafile` is esbuild's. */
function loadedWith(metafile, from) {
  const found = new Set();
  const visit = (path) => {
    for (const { path: next, kind, external } of metafile.outputs[path].imports) {
      if (kind !== 'import-statement' || external || found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  for (const path of from) visit(path);
  return [...found];
}

/** Returns `text` with its static imports of merged chunks replaced by one import of the merged file. */
function importMerged(text, path, merged, aliasOf) {
  const names = [];
  const kept = [];
  let end = 0;
  for (const { ss, se, d, n } of parse(text)[0]) {
    const imported = n?.startsWith('.') ? join(dirname(path), n) : undefined;
    if (d !== -1 || !aliasOf.has(imported)) continue;
    const clause = IMPORT.exec(text.slice(ss, se));
    if (!clause) throw new Error(`${path}: this import is in a form that is not known: ${text.slice(ss, se)}`);
    for (const each of clause[1]?.split(',') ?? []) {
      const [name, local = name] = each.trim().split(/\s+as\s+/);
      if (name) names.push(`${aliasOf.get(imported).get(name)} as ${local}`);
    }
    kept.push(text.slice(end, ss));
    end = se + (text[se] === ';' ? 1 : 0);
    if (text[end] === '\n') end++;
  }
  if (!kept.length) return text;
  const target = relative(dirname(path), merged);
  const from = JSON.stringify(target.startsWith('.') ? target : `./${target}`);
  const [before, ...after] = [...kept, text.slice(end)];
  return `${before}import ${names.length ? `{ ${names.join(', ')} } from ` : ''}${from};\n${after.join('')}`;
}

/**
 * Merges the chunks that every start loads into one file.
 *
 * @param {{ outputs: Record<string, import('esbuild').Metafile['outputs'][string]> }} metafile of the build with splitting
 * @param {Map<string, string>} files the text of each output by its path, as in the metafile
 * @param {{ roots: string[], merged: string }} options `roots`: the outputs whose static imports are merged, which stay files
 *   themselves; `merged`: the path of the file to make
 * @returns {Promise<Map<string, string>>} the files to write instead
 */
export async function mergeStart(metafile, files, { roots, merged }) {
  await init;
  const chunks = loadedWith(metafile, roots).filter((path) => !roots.includes(path));
  const aliasOf = new Map(
    chunks.map((path, at) => [path, new Map(metafile.outputs[path].exports.map((name) => [name, `c${at}_${name}`]))]),
  );
  const entry = chunks.map((path) => {
    const names = [...aliasOf.get(path)].map(([name, alias]) => `${name} as ${alias}`);
    return names.length ? `export { ${names.join(', ')} } from '/${path}';` : `import '/${path}';`;
  });
  const inMemory = {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[./]/ }, ({ path, importer, kind }) => {
        const full = path.startsWith('/') ? path.slice(1) : join(dirname(importer), path);
        return kind !== 'dynamic-import' && aliasOf.has(full)
          ? { path: full, namespace: 'chunk' }
          : { path, external: true };
      });
      onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ contents: files.get(path), loader: 'js' }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents: entry.join('\n'), sourcefile: 'start' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Names stay, for stack traces. White space is a quarter of what node has to read at each start.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [inMemory, builtinModules],
    write: false,
  });
  const rest = [...files].filter(([path]) => !aliasOf.has(path));
  return new Map([
    ...rest.map(([path, text]) => [path, importMerged(text, path, merged, aliasOf)]),
    [merged, outputFiles[0].text],
  ]);
}
