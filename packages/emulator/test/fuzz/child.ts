// Runs the emulator's part of `pnpm fuzz` in a process of its own, which `fuzzWatched` ends when it hangs or needs too
// much memory. Arguments: the file for the name of the running request, the seed, the end in epoch milliseconds and the
// number of requests.
import { openSync, writeSync } from 'node:fs';
import { Random } from '../../../wire/test/fuzz/random.ts';
import { fuzz } from './fuzz.ts';
import { progressRecord } from './watched.ts';

const [file, seed, end, requests] = process.argv.slice(2);
const progress = openSync(file!, 'w');
let count = 0;
const report = await fuzz(
  new Random(Number(seed)),
  () => Date.now() >= Number(end) || count >= Number(requests),
  (name) => writeSync(progress, progressRecord(count++, name), 0),
);
process.send!(report, () => process.exit());
