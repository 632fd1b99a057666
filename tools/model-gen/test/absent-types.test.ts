import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findServiceSpec } from '../src/cloudformation.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/cloudformation.md'), 'utf8');

/** The types in the table under a heading, and what stands in its last column. */
const tableOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/^\| (AWS::\S+) \|.*?\| ?([^|]*) \|$|^\| (AWS::\S+) \| ([^|]*) \|$/gm)].map(
      ([, name, last, other, why]) => [name ?? other!, last ?? why!],
    ),
  );

const namespaceOf = (type: string): string => type.split('::').slice(0, 2).join('::');

test('every type of a service that emu has is there, or is named with the reason', () => {
  const [present = '', absent = ''] = PAGE.split('## Types that are not there');
  const here = tableOf(present);
  const reasons = tableOf(absent);
  expect(here.size).toBeGreaterThan(180);
  const namespaces = new Set([...here.keys()].map(namespaceOf));
  const all = [...findServiceSpec()!.db.all('resource')].map(({ cloudFormationType }) => cloudFormationType);
  const missing = all.filter((type) => namespaces.has(namespaceOf(type)) && !here.has(type)).sort();
  expect([...reasons.keys()].sort()).toEqual(missing);
  for (const [type, why] of reasons) expect([type, why.length > 10]).toEqual([type, true]);
});
