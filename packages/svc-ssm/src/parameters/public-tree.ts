/** A public parameter, or only a part of names, with what is below it. */
export interface Branch {
  readonly value: string | undefined;
  /** Children by the next part of the name, in order. */
  readonly children: () => ReadonlyMap<string, Branch>;
}

const NOTHING: ReadonlyMap<string, Branch> = new Map();

/** Returns a parameter with nothing below it. */
export const leaf = (value: string): Branch => ({ value, children: () => NOTHING });

/** Returns the tree of parameters by name parts. @param parameters in order of their names */
export function treeOf(parameters: readonly (readonly [parts: readonly string[], value: string])[]): Branch {
  const own = parameters.find(([parts]) => parts.length === 0);
  const groups = new Map<string, (readonly [readonly string[], string])[]>();
  for (const [[first, ...rest], value] of parameters) {
    if (first === undefined) continue;
    const group = groups.get(first);
    if (group) group.push([rest, value]);
    else groups.set(first, [[rest, value]]);
  }
  const children = new Map([...groups].map(([name, group]) => [name, treeOf(group)]));
  return { value: own?.[1], children: () => children };
}

/** Returns the branch at a name; undefined if there is none. */
export function branchAt(tree: Branch, parts: readonly string[]): Branch | undefined {
  let branch: Branch | undefined = tree;
  for (const part of parts) branch = branch?.children().get(part);
  return branch;
}

/**
 * Yields the parameters below a branch with their names, parents first.
 * @param path name of the branch
 * @param after parts of the name below the branch to continue after
 */
export function* parametersBelow(
  branch: Branch,
  path: string,
  recursive: boolean,
  after: readonly string[] = [],
): Generator<readonly [name: string, value: string]> {
  const [first, ...rest] = after;
  let skipping = first !== undefined && branch.children().has(first);
  for (const [part, child] of branch.children()) {
    const reached = part === first;
    if (skipping && !reached) continue;
    skipping = false;
    const name = `${path}/${part}`;
    if (!reached && child.value !== undefined) yield [name, child.value];
    if (recursive) yield* parametersBelow(child, name, true, reached ? rest : []);
  }
}
