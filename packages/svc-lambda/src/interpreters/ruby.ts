import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { homeOf, rubyVersionDirectories } from './places.ts';
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

/** Links to the directories of gems outside of an interpreter's installation. */
export const GEM_LINKS = ['gems-system', 'gems-user', 'gems-user-old'];

/**
 * Makes the gems of the system and of the user available to functions.
 * @param directory of the bootstraps
 */
export async function linkGems(directory: string, { version }: Interpreter): Promise<void> {
  const home = homeOf(process.env);
  const abi = `${version.split('.').slice(0, 2).join('.')}.0`;
  // Of Debian, and of RubyGems for users, in its newer and older form.
  const places = ['/var/lib/gems', join(home, '.local/share/gem/ruby'), join(home, '.gem/ruby')];
  for (const [index, place] of places.entries())
    if (existsSync(join(place, abi)))
      await symlink(join(place, abi), join(directory, GEM_LINKS[index]!)).catch((error: NodeJS.ErrnoException) => {
        // Exists from an earlier start.
        if (error.code !== 'EEXIST') throw error;
      });
}

/** Returns the version in an interpreter's name, such as `ruby3.1`, or in that of its library beside it. */
function versionOf(real: string): string | undefined {
  const [named] = /\d+\.\d+(?:\.\d+)?$/.exec(real) ?? [];
  if (named !== undefined) return named;
  // Libraries have versions of the binary interface, such as 3.3.0.
  const libraries = namesIn(join(dirname(real), '../lib/ruby')).filter((name) => /^\d+\.\d+\.0$/.test(name));
  return libraries.length === 1 ? libraries[0]!.replace(/\.0$/, '') : undefined;
}
