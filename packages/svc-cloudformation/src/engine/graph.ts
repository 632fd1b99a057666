/** Most steps of one stack that run at the same time. */
const MAX_PARALLEL = 50;

/**
 * Runs a task for each node as soon as those that it waits for have succeeded.
 * @param waitsFor nodes that a node waits for; others than the given nodes are ignored
 * @param run resolves to whether it succeeded; what waits for a failed node never begins. Never rejects
 * @param stopped whether nothing more is to begin
 * @returns nodes that did not begin
 */
export async function runGraph(
  nodes: readonly string[],
  waitsFor: (node: string) => Iterable<string>,
  run: (node: string) => Promise<boolean>,
  stopped: () => boolean = () => false,
): Promise<string[]> {
  const known = new Set(nodes);
  const waiting = new Map<string, Set<string>>();
  const dependents = new Map<string, string[]>();
  for (const node of nodes) {
    const own = new Set([...waitsFor(node)].filter((other) => known.has(other) && other !== node));
    waiting.set(node, own);
    for (const other of own) dependents.set(other, [...(dependents.get(other) ?? []), node]);
  }
  const ready = nodes.filter((node) => waiting.get(node)!.size === 0);
  const begun = new Set<string>();
  let running = 0;
  await new Promise<void>((resolve, reject) => {
    const next = (): void => {
      while (ready.length && running < MAX_PARALLEL && !stopped()) {
        const node = ready.shift()!;
        begun.add(node);
        running++;
        run(node).then((succeeded) => {
          running--;
          if (succeeded)
            for (const dependent of dependents.get(node) ?? []) {
              const own = waiting.get(dependent)!;
              own.delete(node);
              if (own.size === 0) ready.push(dependent);
            }
          next();
        }, reject);
      }
      if (running === 0) resolve();
    };
    next();
  });
  return nodes.filter((node) => !begun.has(node));
}
