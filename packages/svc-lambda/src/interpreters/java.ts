import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { javaVersionDirectories } from './places.ts';
import { InterpreterSearch } from './search.ts';
import { type Interpreter, nearestInterpreter } from './versions.ts';

const javas = new InterpreterSearch({
  managed: javaVersionDirectories,
  names: () => ['java'],
  selected: ({ JAVA_HOME }) => (JAVA_HOME?.startsWith('/') ? JAVA_HOME : undefined),
  versionOf,
});

/**
 * Returns the Java for a runtime, as `nearestInterpreter` chooses it; undefined without any.
 * @param wanted e.g. `21`
 */
export const findJava = async (wanted: string): Promise<Interpreter | undefined> =>
  nearestInterpreter(await javas.found(), wanted);

/** Returns the version in the release file of an installation: `17.0.15`, or `8.0.402` for Java 8's `1.8.0_402`. */
function versionOf(real: string): string | undefined {
  try {
    const release = readFileSync(join(dirname(real), '../release'), 'utf8');
    const [, version] = /^JAVA_VERSION="(?:1\.)?([\d._]+)"/m.exec(release) ?? [];
    return version?.replaceAll('_', '.');
  } catch {
    // A Java 8 has its program below `jre`, and no file beside it.
    return undefined;
  }
}
