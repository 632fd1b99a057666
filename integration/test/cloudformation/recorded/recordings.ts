import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a test was recorded to be answered, by the names of its steps. */
export type Answers = Readonly<Record<string, unknown>>;

/** Folder of answers recorded of AWS; where it is absent nothing is compared. */
const root = join(process.env.EMULATOR_AWS_RECORDINGS ?? '/nonexistent', 'cloudformation');
export const hasRecordings = existsSync(root);

/** A recording in which what is random or a time is a placeholder. */
const withPlaceholders = (text: string): string =>
  text
    .replace(/((?:CFN|<stack-name:1>)-\w+-)([A-Za-z0-9]{12})\b/g, '$1<random-$2:1>')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid-$&:1>')
    .replaceAll('url_suffix', 'amazonaws.com')
    .replaceAll('"timestamp"', '"datetime"')
    .replace(/-date"/g, '-<date>"');

let recordings: Map<string, Answers> | undefined;

function loaded(): Map<string, Answers> {
  const found = new Map<string, Answers>();
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json')) continue;
    const tests = JSON.parse(withPlaceholders(readFileSync(join(root, file), 'utf8'))) as object;
    for (const [name, one] of Object.entries(tests)) found.set(name, one['recorded-content']);
  }
  return found;
}

/** The answers of a recorded test. @param test end of its name, from its class or its own name on */
export function answersOf(test: string): Answers {
  recordings ??= loaded();
  for (const [name, answers] of recordings) if (name.endsWith(`::${test}`)) return answers;
  throw new Error(`no recording of ${test}`);
}
