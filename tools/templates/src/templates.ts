import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemplateFile } from './run.ts';

/** Reads all templates in a folder and its subfolders, by name. */
export const readTemplates = (folder: string): TemplateFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:json|ya?ml|template)$/.test(name))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
