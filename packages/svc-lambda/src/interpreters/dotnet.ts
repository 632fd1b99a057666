import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dotnetDirectories, programDirectories } from './places.ts';
import { isExecutable, namesIn } from './search.ts';
import { type Interpreter, nearestInterpreter } from './versions.ts';

/**
 * Returns the .NET for a runtime, with the version of its shared framework as `nearestInterpreter` chooses it; undefined
 * without any.
 * @param wanted e.g. `8`
 */
export function findDotnet(wanted: string, env: NodeJS.ProcessEnv = process.env): Interpreter | undefined {
  const onPath = programDirectories(env).flatMap((directory) => rootOf(join(directory, 'dotnet')) ?? []);
  const found = [...new Set([...onPath, ...dotnetDirectories(env)])].flatMap((root) =>
    namesIn(join(root, 'shared/Microsoft.NETCore.App')).map((version) => {
      const executable = join(root, 'dotnet');
      return { executable, version, selected: false };
    }),
  );
  return nearestInterpreter(
    found.filter(({ executable }) => isExecutable(executable)),
    wanted,
  );
}

/** Returns the installation that a program belongs to. */
function rootOf(program: string): string | undefined {
  try {
    return dirname(realpathSync(program));
  } catch {
    return undefined;
  }
}
