// pnpm fuzz [--seed N] [--seconds S] [--requests R] [--only emulator|decoding]: sends broken requests to an emulator in
// this process until the time is over or, with --requests, after R requests; and decodes R requests (50,000) for each
// service of the protocol tests.
import { parseArgs } from 'node:util';
import { fuzzDecoding } from '../../../wire/test/fuzz/decoding.ts';
import { Memory } from '../../../wire/test/fuzz/memory.ts';
import { Random } from '../../../wire/test/fuzz/random.ts';
import { SERVICES } from '../../../wire/test/support/services.ts';
import { fuzzWatched } from './watched.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string' },
    requests: { type: 'string' },
    only: { type: 'string' },
  },
});
const PARTS = ['emulator', 'decoding'];
if (values.only !== undefined && !PARTS.includes(values.only)) throw new Error(`--only takes ${PARTS.join(' or ')}`);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
console.log(`seed ${seed}`);
const problems: string[] = [];

if (values.only !== 'emulator')
  for (const service of SERVICES) {
    const memory = new Memory();
    memory.warm();
    const report = await fuzzDecoding(service, new Random(seed), Number(values.requests ?? 50_000), 4);
    console.log(
      `${report.protocol} (${service.client}): ${report.requests} requests, ${JSON.stringify(report.outcomes)}`,
    );
    const leaked = memory.leaked();
    problems.push(...report.problems, ...(leaked ? [`${report.protocol}: ${leaked}`] : []));
  }
if (values.only !== 'decoding') {
  const { seconds = values.requests === undefined ? '30' : 'Infinity' } = values;
  const requests = Number(values.requests ?? Number.POSITIVE_INFINITY);
  const report = await fuzzWatched({ seed, end: Date.now() + Number(seconds) * 1000, requests });
  console.log(
    `${report.requests} requests, at most ${Math.round(report.resident / 1024 ** 2)} MB, by status: ${JSON.stringify(report.statuses)}`,
  );
  problems.push(...report.problems);
}
for (const problem of problems) console.log(`\n${problem}`);
process.exit(problems.length > 0 ? 1 : 0);
