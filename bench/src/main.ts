// pnpm bench [--quick] [name…]: measures emu beside a bare node:http server, prints a table and writes results.json.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { BENCHMARKS, type Effort } from './figures.ts';
import { type Figure, holds, table } from './measure.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const effort: Effort = values.quick
  ? { rounds: 3, seconds: 2, messages: 100_000 }
  : { rounds: 5, seconds: 5, messages: 1_000_000 };

const unknown = positionals.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(1);
}

const figures: Figure[] = [];
for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
  if (positionals.length && !positionals.includes(name)) continue;
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
