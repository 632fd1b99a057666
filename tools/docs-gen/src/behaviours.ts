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

/**
 * Reads the `behaviours.json` of a package. `tools/check-sources.mjs` checks that the tests exist.
 * @throws Error for an incomplete row
 */
export function behavioursOf(folder: string, root: string): readonly Behaviour[] {
  const file = `${folder}/behaviours.json`;
  if (!existsSync(join(root, file))) return [];
  const rows = JSON.parse(readFileSync(join(root, file), 'utf8')) as Behaviour[];
  for (const [index, row] of rows.entries()) {
    const absent = MEMBERS.find((member) => typeof row[member] !== 'string' || row[member] === '');
    if (absent) throw new Error(`${file}: row ${index + 1} lacks ${absent}`);
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
