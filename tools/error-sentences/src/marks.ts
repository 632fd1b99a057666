import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sentence } from './collect.ts';
import { HOLE } from './values.ts';

/** What is known of a sentence. */
export type Mark =
  /** AWS answered it. `source` is the file of the recording. */
  | { readonly kind: 'recorded'; readonly source: string }
  /** AWS's documentation has it: `source` is the page's address, or `model …` and the model's name in botocore. */
  | { readonly kind: 'documented'; readonly source: string }
  /** Nothing shows that AWS says it so. */
  | { readonly kind: 'own' };

/** A sentence as it is kept: holes are `{}`, and `*` is the code of what is told within the messages of others. */
export interface Marked {
  readonly code: string;
  readonly message: string;
  readonly mark: Mark;
}

const FILE = 'error-sentences.json';

/** A text as it is kept. */
export const kept = (text: string): string => text.replaceAll(HOLE, '{}');

/** The code of a sentence as it is kept. */
export const keptCode = ({ code }: Pick<Sentence, 'code'>): string => (code === HOLE ? '*' : code);

/** The key of a sentence in a package. */
export const keyOf = (code: string, message: string): string => `${code}\n${message}`;

/** Packages that have marks. */
export function markedPackages(root: string): string[] {
  return readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(root, folder, FILE)))
    .sort();
}

/** The marks of a package. @throws Error for a file of another form */
export function readMarks(root: string, folder: string): Marked[] {
  const file = join(root, folder, FILE);
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as unknown[]).map((entry) => {
    const [code, message, kind, source] = entry as [string, string, Mark['kind'], string?];
    const sourced = kind === 'recorded' || kind === 'documented';
    if (typeof code !== 'string' || typeof message !== 'string' || (!sourced && kind !== 'own') || sourced !== !!source)
      throw new Error(`${folder}/${FILE}: no mark: ${JSON.stringify(entry)}`);
    return { code, message, mark: sourced ? { kind, source: source! } : { kind: 'own' } };
  });
}

/** Writes the marks of a package, one line each. */
export function writeMarks(root: string, folder: string, marks: readonly Marked[]): void {
  const lines = marks
    .map(({ code, message, mark }) => [code, message, mark.kind, ...(mark.kind === 'own' ? [] : [mark.source])])
    .sort(([code, message], [otherCode, other]) => compare(code!, otherCode!) || compare(message!, other!))
    .map((entry) => JSON.stringify(entry));
  writeFileSync(join(root, folder, FILE), lines.length ? `[\n${lines.join(',\n')}\n]\n` : '[]\n');
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** How many sentences there are of each kind. */
export type Counts = Record<Mark['kind'], number>;

/** Counts marks by kind. */
export function countsOf(marks: readonly Marked[]): Counts {
  const counts: Counts = { recorded: 0, documented: 0, own: 0 };
  for (const { mark } of marks) counts[mark.kind]++;
  return counts;
}
