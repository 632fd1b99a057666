// pnpm bench [--quick] [name…]: measures emu compared with a bare node:http server, prints a table and writes
// results.json. pnpm bench [--quick] soak: many connections and concurrent requests, for a minute. pnpm bench [--quick]
// flood: memory a minute after many concurrent requests, and after many objects of 1 MiB.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { readArguments } from './arguments.ts';
import type { Effort } from './compare.ts';
import { BENCHMARKS } from './figures.ts';
import { flood, floodSummary, remains } from './flood.ts';
import { type Figure, holds, table } from './measure.ts';
import { soak, withinLimits } from './soak.ts';
import { healthTable, isSlow, soakHead, soakRow, soakSummary } from './soak-table.ts';

const { quick, names } = readArguments();
const effort: Effort = quick
  ? { rounds: 3, seconds: 2, messages: 100_000 }
  : { rounds: 5, seconds: 5, messages: 1_000_000 };

if (names[0] === 'soak') {
  const wanted = quick
    ? { connections: 1000, clients: 2000, seconds: 6, every: 1, health: true }
    : { connections: 10_000, clients: 2000, seconds: 60, every: 5, health: true };
  const options = withinLimits(wanted);
  if (options.connections < wanted.connections)
    console.log(`The limit of open files allows ${options.connections} connections and ${options.clients} clients.`);
  console.log(soakHead());
  const report = await soak(options, (sample) => console.log(soakRow(sample)));
  console.log(`\n${healthTable(report.health)}\n\n${soakSummary(report)}`);
  process.exit(report.problems.length || report.health.some(isSlow) ? 1 : 0);
}

if (names[0] === 'flood') {
  const seconds = quick ? 5 : 30;
  const reports = [
    await flood({ of: 'requests', clients: 200, seconds }),
    await flood({ of: 'objects', clients: 16, seconds }),
  ];
  for (const report of reports) console.log(floodSummary(report));
  process.exit(reports.some(remains) ? 1 : 0);
}

const figures: Figure[] = [];
for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
  if (names.length && !names.includes(name)) continue;
  console.error(`measuring ${name} …`);
  figures.push(...(await benchmark(effort)));
}
const machine = `node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}`;
console.log(`${table(figures)}\n\n${machine}`);
writeFileSync(
  new URL('../results.json', import.meta.url),
  `${JSON.stringify({ machine, effort, figures }, null, 2)}\n`,
);
if (!figures.every(holds)) process.exitCode = 1;
