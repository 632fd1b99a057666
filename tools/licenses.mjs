// Licenses of the packages in a bundle, which must be distributed with the code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the directory of the package that contains a file. */
function packageOf(file) {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) || !JSON.parse(readFileSync(join(folder, 'package.json'))).name)
    folder = dirname(folder);
  return folder;
}

/**
 * Returns names, versions and license texts of the packages among a bundle's inputs.
 * @param inputs paths as in esbuild's metafile
 */
export function licenses(inputs) {
  const folders = new Set(inputs.filter((file) => file.includes('node_modules')).map(packageOf));
  const entries = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return [...new Set(entries)].sort().join(`\n${'-'.repeat(80)}\n\n`);
}
