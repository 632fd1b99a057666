import { normalise, startFlags } from './argv.ts';
import { start } from './start.ts';

// `pnpm start -- --addr …` passes the dashes on.
const argv = process.argv.slice(2);
const args = normalise(argv[0] === '--' ? argv.slice(1) : argv);
const flags = startFlags(args);
if (flags) await start(flags);
else await (await import('./commands.ts')).run(args);
