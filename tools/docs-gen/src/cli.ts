// pnpm coverage [--check]: writes the generated pages of docs/, and the generated parts of the others.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES } from '@emu/emulator';
import { typesIndex, typesOf } from './cloudformation.ts';
import { configurationParts } from './configuration.ts';
import { routesIndex } from './control-routes.ts';
import { coveragePages } from './coverage.ts';
import { fillPart } from './markdown.ts';
import { servicePages } from './service-pages.ts';
import { loadServices } from './services.ts';
import { terraformPage } from './terraform.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const services = await loadServices(SERVICES, root);
const types = new Map(
  await Promise.all(services.map(async (service) => [service.name, await typesOf(service)] as const)),
);

/** Returns a page with its generated parts. */
function filled(path: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce(
    (page, [name, text]) => fillPart(page, name, text, path),
    readFileSync(join(root, path), 'utf8'),
  );
}

const pages: Record<string, string> = {
  ...servicePages(services, types, root),
  ...coveragePages(services, root),
  'docs/coverage/terraform.md': terraformPage(services, root),
  'docs/cloudformation.md': filled('docs/cloudformation.md', { types: typesIndex(types) }),
  'docs/configuration.md': filled('docs/configuration.md', configurationParts()),
  'docs/control-routes.md': filled('docs/control-routes.md', { routes: routesIndex(services) }),
};
const surplus = readdirSync(join(root, 'docs/coverage'))
  .map((name) => `docs/coverage/${name}`)
  .filter((path) => !(path in pages));

const check = process.argv.includes('--check');
for (const [path, text] of Object.entries(pages)) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (check) {
    console.error(`${path} is stale; run pnpm coverage`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
for (const path of surplus) {
  if (check) {
    console.error(`${path} belongs to no service; run pnpm coverage`);
    process.exitCode = 1;
  } else {
    rmSync(join(root, path));
    console.log(`removed ${path}`);
  }
}
