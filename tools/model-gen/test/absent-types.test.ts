import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findServiceSpec } from '../src/cloudformation.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const textOf = (path: string): string => readFileSync(join(DOCS, path), 'utf8');

/** Returns the types that a pattern finds in a text, with the text beside them. */
const typesIn = (text: string, pattern: RegExp): Map<string, string> =>
  new Map([...text.matchAll(pattern)].map(([, name, beside]) => [name!, beside!]));

const namespaceOf = (type: string): string => type.split('::').slice(0, 2).join('::');

test("every type of emu's services is supported or listed with a reason", () => {
  const here = typesIn(textOf('cloudformation.md'), /^\| `(AWS::\S+)` \| (.*) \|$/gm);
  const services = readdirSync(join(DOCS, 'services')).map((name) => textOf(`services/${name}`));
  const absent = services.map((page) => page.split('\nThese types are absent:\n')[1] ?? '');
  const reasons = typesIn(absent.join('\n'), /^- `(AWS::\S+)`: (.*)\.$/gm);
  expect(here.size).toBeGreaterThan(180);
  const namespaces = new Set([...here.keys()].map(namespaceOf));
  const all = [...findServiceSpec()!.db.all('resource')].map(({ cloudFormationType }) => cloudFormationType);
  const missing = all.filter((type) => namespaces.has(namespaceOf(type)) && !here.has(type)).sort();
  expect([...reasons.keys()].sort()).toEqual(missing);
  for (const [type, why] of reasons) expect([type, why.length > 10]).toEqual([type, true]);
});
