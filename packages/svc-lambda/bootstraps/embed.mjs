// Writes src/generated/bootstraps.ts: the programs that run handlers, as text, so that every bundle contains them. Run
// it after changing one of them; a test detects an outdated file.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Source text of the module. */
export const embed = () => `// Made by bootstraps/embed.mjs from the files beside it. Do not edit.

/** Runs handlers in Node.js. */
export const NODE_BOOTSTRAP: string = ${JSON.stringify(read('node.cjs'))};

/** Runs handlers in Python. */
export const PYTHON_BOOTSTRAP: string = ${JSON.stringify(read('python.py'))};

/** Python's module for hooks of SnapStart. */
export const PYTHON_HOOKS: string = ${JSON.stringify(read('snapshot_restore_py.py'))};

/** Runs handlers in Ruby. */
export const RUBY_BOOTSTRAP: string = ${JSON.stringify(read('ruby.rb'))};
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(new URL('../src/generated/bootstraps.ts', import.meta.url), embed());
