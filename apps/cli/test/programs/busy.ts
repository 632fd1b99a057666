// Guards against signals, and is busy for ever from the first turn with work on.
import { guardSignals } from '../../src/signal-guard.ts';

const times = { within: 300, again: 100, same: 100 };
process.on('SIGTERM', () => process.stdout.write('never\n'));
guardSignals(
  ['SIGTERM'],
  times,
  (start) =>
    setTimeout(() => {
      start();
      process.stdout.write('busy\n');
      for (;;);
    }, 10),
  (error) => process.stdout.write(String(error)),
);
