import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Evidence that AWS uses a sentence. */
export interface Mark {
  /** `recorded`: in a response of AWS. `documented`: in AWS's documentation. */
  readonly kind: 'recorded' | 'documented';
  /** File of the recording, URL of the page, or `model …` with the model's name in botocore. */
  readonly source: string;
}

/** An error sentence with its evidence. Sentences that are not listed are our own. */
export interface Marked {
  /** `*` if the sentence is part of other errors' messages. */
  readonly code: string;
  /** `{}` represents each part known at run time only. */
  readonly message: string;
  readonly mark: Mark;
}

const FILE = 'error-sentences.json';

/** Returns the package directories of the repository. */
export const packageFolders = (root: string): string[] =>
  readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}`)
    .sort();

/** Reads the listed sentences of a package. @throws Error for a malformed entry */
export function readMarks(root: string, folder: string): Marked[] {
  const file = join(root, folder, FILE);
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as unknown[]).map((entry) => {
    const [code, message, kind, source] = entry as [string, string, Mark['kind'], string];
    if (![code, message, source].every((text) => typeof text === 'string') || !/^(recorded|documented)$/.test(kind))
      throw new Error(`${folder}/${FILE}: invalid entry: ${JSON.stringify(entry)}`);
    return { code, message, mark: { kind, source } };
  });
}

/** Writes the listed sentences of a package, one per line; no file for none. */
export function writeMarks(root: string, folder: string, marks: readonly Marked[]): void {
  const file = join(root, folder, FILE);
  const lines = marks
    .map(({ code, message, mark }) => [code, message, mark.kind, mark.source] as const)
    .sort(([code, message], [otherCode, other]) => compare(code, otherCode) || compare(message, other))
    .map((entry) => JSON.stringify(entry));
  if (lines.length) writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`);
  else rmSync(file, { force: true });
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Number of sentences by kind of evidence. */
export type Counts = Record<Mark['kind'], number>;

/** Counts sentences by kind of evidence. */
export function countsOf(marks: readonly Marked[]): Counts {
  const counts: Counts = { recorded: 0, documented: 0 };
  for (const { mark } of marks) counts[mark.kind]++;
  return counts;
}
