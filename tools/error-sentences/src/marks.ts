import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What shows that AWS says a sentence so. */
export interface Mark {
  /** `recorded`: AWS answered it. `documented`: AWS's documentation has it. */
  readonly kind: 'recorded' | 'documented';
  /** The file of the recording, the page's address, or `model …` and the model's name in botocore. */
  readonly source: string;
}

/** A sentence of an error with what shows it. A sentence that is not listed is our own. */
export interface Marked {
  /** `*` where the sentence is a part of other errors' messages. */
  readonly code: string;
  /** `{}` stands for each part that is known at run time only. */
  readonly message: string;
  readonly mark: Mark;
}

const FILE = 'error-sentences.json';

/** Returns the folders of the packages in the repository. */
export const packageFolders = (root: string): string[] =>
  readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}`)
    .sort();

/** Reads the sentences of a package that are marked. @throws Error for an entry of another form */
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

/** Writes the marked sentences of a package, one line each; no file for none. */
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

/** How many sentences are marked with each kind. */
export type Counts = Record<Mark['kind'], number>;

/** Counts marks by kind. */
export function countsOf(marks: readonly Marked[]): Counts {
  const counts: Counts = { recorded: 0, documented: 0 };
  for (const { mark } of marks) counts[mark.kind]++;
  return counts;
}
