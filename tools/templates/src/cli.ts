// pnpm templates [--known <file>] [--all] <folder>: deploys, updates and deletes every template of a folder in an
// embedded emulator, and reports the causes of failures. Fails for causes that the file does not list.
import { parseArgs } from 'node:util';
import { causesIn, readKnown, reportOf, staleCauses } from './report.ts';
import { Harness, type Outcome } from './run.ts';
import { readTemplates } from './templates.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { known: { type: 'string' }, all: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  console.error('Usage: pnpm templates [--known <file>] [--all] <folder>');
  process.exit(1);
}

const started = process.cpuUsage();
const known = values.known === undefined ? [] : readKnown(values.known);
const outcomes: Outcome[] = [];
{
  await using harness = await Harness.open();
  for (const template of readTemplates(folder)) outcomes.push(await harness.run(template));
}
const { user, system } = process.cpuUsage(started);
console.log(reportOf(outcomes, known, values.all));
for (const cause of staleCauses(outcomes, known)) console.log(`no longer found: ${cause}`);
console.log(`${((user + system) / 1e6).toFixed(1)} s of CPU time`);
if (causesIn(outcomes, known).some(({ reason }) => reason === undefined)) process.exitCode = 1;
