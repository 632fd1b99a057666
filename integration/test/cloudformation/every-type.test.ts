import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PACKAGES = join(import.meta.dirname, '../../../packages');
const manifests = readdirSync(PACKAGES).filter((name) => name.startsWith('svc-'));

test('a case creates, updates, replaces and deletes every type of a service', async () => {
  const cases = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('\n');
  const types: string[] = [];
  for (const name of manifests) {
    const { manifest } = (await import(join(PACKAGES, name, 'src/manifest.ts'))) as {
      manifest: { cloudFormation?: { types: readonly string[] } };
    };
    types.push(...(manifest.cloudFormation?.types ?? []));
  }
  expect(types.length).toBeGreaterThan(170);
  expect(types.filter((type) => !cases.includes(`'${type}'`))).toEqual([]);
});
