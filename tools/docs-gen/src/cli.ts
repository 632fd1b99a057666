import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES } from '@emu/emulator';
import { behavioursPage } from './behaviours.ts';
import { cloudFormationPage } from './cloudformation.ts';
import { configurationPage } from './configuration.ts';
import { coveragePage } from './coverage.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

const pages = {
  'docs/behaviours.md': behavioursPage(root),
  'docs/cloudformation.md': await cloudFormationPage(SERVICES),
  'docs/coverage.md': await coveragePage(root),
  'docs/configuration.md': configurationPage(),
};

const check = process.argv.includes('--check');
for (const [path, text] of Object.entries(pages)) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (check) {
    console.error(`generate: ${path} is stale; run pnpm generate`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`generate: wrote ${path}`);
  }
}
