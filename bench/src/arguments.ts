import { parseArgs } from 'node:util';
import { BENCHMARKS } from './figures.ts';

/** Arguments of `pnpm bench`. */
export interface Arguments {
  readonly quick: boolean;
  /** Selected benchmarks; empty for all. `soak` and `flood` only alone. */
  readonly names: readonly string[];
}

/** Parses the command line, or ends the process with a message for unknown flags and names. */
export function readArguments(): Arguments {
  try {
    const { values, positionals: names } = parseArgs({
      args: process.argv.slice(2).filter((arg) => arg !== '--'),
      options: { quick: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const isAlone = names.length === 1 && ['soak', 'flood'].includes(names[0]!);
    const unknown = isAlone ? [] : names.filter((name) => !Object.hasOwn(BENCHMARKS, name));
    if (unknown.length > 0) throw new Error(`Unknown benchmark: ${unknown.join(', ')}`);
    return { quick: values.quick, names };
  } catch (error) {
    console.error(`${(error as Error).message}\nusage: pnpm bench [--quick] [soak | flood | name…]`);
    console.error(`names: ${Object.keys(BENCHMARKS).join(', ')}`);
    process.exit(2);
  }
}
