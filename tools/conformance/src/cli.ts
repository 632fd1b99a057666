// pnpm conformance [--update] [service…]: reports variants and passes of every operation, and fails where the baseline
// had a pass that is lost; --update adds to the baseline what is better, and fails all the same.
import { parseArgs } from 'node:util';
import { improvements, losses, readBaseline, runAll, SCENARIOS, writeBaseline } from './index.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { update: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(SCENARIOS, name));
if (unknown.length) {
  console.error(`There is no scenario ${unknown.join(', ')}; there are ${Object.keys(SCENARIOS).join(', ')}.`);
  process.exit(1);
}

const reports = await runAll(positionals.length ? positionals : undefined);
for (const [service, report] of Object.entries(reports)) {
  const operations = Object.entries(report);
  const sum = (pick: (entry: (typeof operations)[number][1]) => number): number =>
    operations.reduce((total, [, entry]) => total + pick(entry), 0);
  console.log(`\n${service}: ${sum(({ passes }) => passes)} of ${sum(({ variants }) => variants)} variants pass`);
  for (const [operation, { variants, passes, failures, leftOut, doubt }] of operations) {
    console.log(
      `  ${operation.padEnd(36)} ${String(passes).padStart(4)} of ${String(variants).padStart(4)}${doubt ? `  ${doubt}` : ''}`,
    );
    for (const [variant, reason] of Object.entries(failures)) console.log(`      ${variant}: ${reason}`);
    for (const [variant, reason] of Object.entries(leftOut)) console.log(`      (${variant} is left out: ${reason})`);
  }
}

const known = readBaseline();
if (values.update) writeBaseline(improvements(known, reports));
const lost = losses(known, reports);
for (const line of lost) console.error(`lost: ${line}`);
if (lost.length) process.exitCode = 1;
