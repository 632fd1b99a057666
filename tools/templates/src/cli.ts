// pnpm templates [--known <file>] [--all] <folder>: deploys, updates and deletes every template of a folder in an
// embedded emulator, and reports the causes of failures. Fails for causes that the file does not list.
import { parseArgs } from 'node:util';
import { causesIn, readKnown, reportOf, staleCauses } from './report.ts';
import { Harness, type Outcome } from './run.ts';
import { readTemplates } from './templates.ts';

/** Prints what is wrong with the command, and how to use it. */
function refuse(problem: string): never {
  console.error(`${problem}\nUsage: pnpm templates [--known <file>] [--all] <folder>`);
  process.exit(1);
}

/** Returns the result of reading what the command names. */
function readOf<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    return refuse((error as Error).message);
  }
}

const { values, positionals } = readOf(() =>
  parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== '--'),
    options: { known: { type: 'string' }, all: { type: 'boolean', default: false } },
    allowPositionals: true,
  }),
);
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) refuse('Name one folder.');
const templates = readOf(() => readTemplates(folder));
const known = values.known === undefined ? [] : readOf(() => readKnown(values.known!));

const started = process.cpuUsage();
const outcomes: Outcome[] = [];
{
  await using harness = await Harness.open();
  for (const template of templates) outcomes.push(await harness.run(template));
}
const { user, system } = process.cpuUsage(started);
console.log(reportOf(outcomes, known, values.all));
for (const cause of staleCauses(outcomes, known)) console.log(`no longer found: ${cause}`);
console.log(`${((user + system) / 1e6).toFixed(1)} s of CPU time`);
if (causesIn(outcomes, known).some(({ reason }) => reason === undefined)) process.exitCode = 1;
