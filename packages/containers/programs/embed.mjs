// Writes src/generated/programs.ts: the programs that lead AWS's host names to emu, as text, so that every bundle
// contains them. Run it after changing one of them; a test detects an outdated file.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Source text of the module. */
export const embed = () => `// Made by programs/embed.mjs from the files beside it. Do not edit.

/** Loaded before programs of Node.js. */
export const NODE_NAMES: string = ${JSON.stringify(read('names.cjs'))};

/** Module of Python that leads the names to emu when it is imported. */
export const PYTHON_NAMES: string = ${JSON.stringify(read('emu_names.py'))};

/** Module of Python that every interpreter imports when it starts. */
export const SITECUSTOMIZE: string = ${JSON.stringify(read('sitecustomize.py'))};
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(new URL('../src/generated/programs.ts', import.meta.url), embed());
