/** An installed interpreter. */
export interface Interpreter {
  /** Path of the program itself: a version manager's shim would need the user's environment. */
  readonly executable: string;
  /** E.g. `20.11.1`; `3.11` if the patch version is unknown. */
  readonly version: string;
  /** Whether the user's environment selects it: it is on PATH, or runs emu. */
  readonly selected: boolean;
}

/** Returns the numbers of a version, such as `v20.11.1`; undefined if the text contains none. */
export function numbersOf(text: string): readonly number[] | undefined {
  const [found] = /\d+(?:\.\d+)*/.exec(text) ?? [];
  return found?.split('.').map(Number);
}

/** Compares version numbers; missing ones count as 0. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether a version is one of a runtime: `20.11.1` of `20`, `3.12.1` of `3.12`. */
export const isOfVersion = (version: string, wanted: string): boolean =>
  version === wanted || version.startsWith(`${wanted}.`);

/**
 * Returns the interpreter for a runtime: one of its version, otherwise of the next higher version, otherwise of the
 * highest one. Of one version, the first selected one is preferred, then the newest.
 * @param wanted version of the runtime, e.g. `20` or `3.12`
 */
export function nearestInterpreter(found: readonly Interpreter[], wanted: string): Interpreter | undefined {
  const target = numbersOf(wanted) ?? [];
  const ranked = found.flatMap((interpreter) => {
    const numbers = numbersOf(interpreter.version);
    if (numbers === undefined) return [];
    const group = numbers.slice(0, target.length);
    const distance = compareVersions(group, target);
    return [{ interpreter, numbers, group, rank: distance === 0 ? 0 : distance > 0 ? 1 : 2 }];
  });
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.rank === 1 ? compareVersions(a.group, b.group) : compareVersions(b.group, a.group)) ||
      Number(b.interpreter.selected) - Number(a.interpreter.selected) ||
      (a.interpreter.selected ? 0 : compareVersions(b.numbers, a.numbers)),
  );
  return ranked[0]?.interpreter;
}
