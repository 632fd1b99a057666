import { dirname, join } from 'node:path';
import { rubyVersionDirectories } from './places.ts';
import { InterpreterSearch, namesIn } from './search.ts';
import { type Interpreter, nearestInterpreter } from './versions.ts';

const rubies = new InterpreterSearch({
  managed: rubyVersionDirectories,
  names: (directory) => ['ruby', ...namesIn(directory).filter((name) => /^ruby\d+\.\d+$/.test(name))],
  nameOf: () => 'ruby',
  versionOf,
});

/**
 * Returns the Ruby for a runtime, as `nearestInterpreter` chooses it; undefined without any.
 * @param wanted e.g. `3.3`
 */
export const findRuby = async (wanted: string): Promise<Interpreter | undefined> =>
  nearestInterpreter(await rubies.found(), wanted);

/** Returns the version in an interpreter's name, such as `ruby3.1`, or in that of its library beside it. */
function versionOf(real: string): string | undefined {
  const [named] = /\d+\.\d+(?:\.\d+)?$/.exec(real) ?? [];
  if (named !== undefined) return named;
  // Libraries have versions of the binary interface, such as 3.3.0.
  const libraries = namesIn(join(dirname(real), '../lib/ruby')).filter((name) => /^\d+\.\d+\.0$/.test(name));
  return libraries.length === 1 ? libraries[0]!.replace(/\.0$/, '') : undefined;
}
