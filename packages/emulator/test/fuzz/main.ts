// pnpm fuzz [--seed N] [--seconds S]: sends broken requests to an emulator of this process until the time is over.
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
  options: { seed: { type: 'string' }, seconds: { type: 'string', default: '30' } },
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const end = performance.now() + Number(values.seconds) * 1000;
console.log(`seed ${seed}`);
const { requests, statuses, problems } = await fuzz(seed, () => performance.now() >= end);
console.log(`${requests} requests, by status: ${JSON.stringify(statuses)}`);
for (const problem of problems) console.log(`\n${problem}`);
if (problems.length > 0) process.exitCode = 1;
