/** Maximum number of steps of one stack that run concurrently. */
const MAX_PARALLEL = 50;

/**
 * Runs a task for each node as soon as its dependencies have succeeded.
 * @param waitsFor dependencies of a node; nodes outside the given ones are ignored
 * @param pause lets other work run before a task
 * @param run resolves to whether the task succeeded; must not reject. Dependents of a failed node do not start
 * @param stopped whether to start no further tasks
 * @returns nodes that were not started
 */
export async function runGraph(
  nodes: readonly string[],
  waitsFor: (node: string) => Iterable<string>,
  pause: () => Promise<void> | undefined,
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
  const start = async (node: string): Promise<boolean> => {
    const pausing = pause();
    if (pausing) await pausing;
    if (stopped()) return false;
    begun.add(node);
    return run(node);
  };
  await new Promise<void>((resolve, reject) => {
    const next = (): void => {
      while (ready.length && running < MAX_PARALLEL && !stopped()) {
        const node = ready.shift()!;
        running++;
        start(node).then((succeeded) => {
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
