import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prose } from './markdown.ts';

/** An answer of AWS that is easily mistaken, with its source and the test that checks it in emu. */
interface Behaviour {
  /** The operation, or another subject. */
  operation: string;
  /** Request and state. */
  input: string;
  /** Response or behaviour of AWS; an error with its code and message. */
  answer: string;
  /** Source: a page of AWS's documentation, a recording or an issue thread. */
  source: string;
  /** `<path of the test file from the root> > <title of the test>`. */
  test: string;
}

const MEMBERS = ['operation', 'input', 'answer', 'source', 'test'] as const;

/** Returns the error of a row: a missing member, or an unknown test. */
function problemOf(row: Partial<Record<keyof Behaviour, unknown>>, root: string): string | undefined {
  const absent = MEMBERS.find((member) => typeof row[member] !== 'string' || row[member] === '');
  if (absent) return `lacks ${absent}`;
  const [path, title, ...more] = (row as Behaviour).test.split(' > ');
  if (!title || more.length) return `names no test as "<file> > <title>": ${String(row.test)}`;
  if (!existsSync(join(root, path!))) return `names a test file that does not exist: ${path}`;
  const text = readFileSync(join(root, path!), 'utf8').replaceAll(/\\(['"`])/g, '$1');
  return text.includes(title) ? undefined : `names a test that ${path} does not have: ${title}`;
}

/**
 * Reads the `behaviours.json` of a package.
 * @throws Error for an incomplete row or an unknown test
 */
export function behavioursOf(folder: string, root: string): readonly Behaviour[] {
  const file = `${folder}/behaviours.json`;
  if (!existsSync(join(root, file))) return [];
  const rows = JSON.parse(readFileSync(join(root, file), 'utf8')) as Behaviour[];
  for (const [index, row] of rows.entries()) {
    const problem = problemOf(row, root);
    if (problem) throw new Error(`${file}: row ${index + 1} ${problem}`);
  }
  return rows;
}

/** Returns rows as a list, with links relative to `docs/coverage`. */
export function behaviourList(rows: readonly Behaviour[]): string {
  const items = rows.map(({ operation, input, answer, source, test }) => {
    const [path, title] = test.split(' > ');
    const linked = source.replaceAll(/https:\/\/[^\s,]+/g, '<$&>');
    return [
      `- **${prose(operation)}**: ${prose(input)}`,
      `  - Answer: ${prose(answer)}`,
      `  - Source: ${prose(linked)}`,
      `  - Test: [${prose(title!)}](../../${path})`,
    ].join('\n');
  });
  return items.join('\n');
}
