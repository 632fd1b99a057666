// pnpm conformance [--update] [service…]: reports variants, passes and members of every operation, and fails for
// regressions against the baselines; --update adds improvements to them and to the documentation.
import { parseArgs } from 'node:util';
import { improvements, losses, readBaseline, writeBaseline } from './baseline.ts';
import { documentFigures, figuresOf } from './figures.ts';
import { runAll, SCENARIOS } from './index.ts';
import { memberImprovements, memberLosses, readMembers, writeMembers } from './members.ts';
import { suffices } from './proof.ts';

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
  for (const [operation, { variants, passes, failures, leftOut, members, doubt }] of operations) {
    console.log(
      `  ${operation.padEnd(36)} ${String(passes).padStart(4)} of ${String(variants).padStart(4)}${doubt ? `  ${doubt}` : ''}`,
    );
    for (const [variant, reason] of Object.entries(failures)) console.log(`      ${variant}: ${reason}`);
    for (const [variant, reason] of Object.entries(leftOut)) console.log(`      (${variant} is left out: ${reason})`);
    for (const proof of ['echoed', 'read', 'untried', 'unread'] as const) {
      const those = Object.keys(members).filter((member) => members[member] === proof && !suffices(member, proof));
      if (those.length) console.log(`      ${proof}: ${those.join(', ')}`);
    }
  }
}

const [known, members] = [readBaseline(), readMembers()];
if (values.update) {
  writeBaseline(improvements(known, reports));
  writeMembers(memberImprovements(members, reports));
  documentFigures(figuresOf(readBaseline(), readMembers()));
}
const lost = [...losses(known, reports), ...memberLosses(members, reports)];
for (const line of lost) console.error(`lost: ${line}`);
if (lost.length) process.exitCode = 1;
