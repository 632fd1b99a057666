import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemplateFile } from './run.ts';

/**
 * Reads all templates in a folder and its subfolders, by name.
 * @throws Error if the folder is missing or has no template
 */
export function readTemplates(folder: string): TemplateFile[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:json|ya?ml|template)$/.test(name),
  );
  if (names.length === 0)
    throw new Error(`${folder} contains no files with the extensions json, yaml, yml or template.`);
  return names.sort().map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}
