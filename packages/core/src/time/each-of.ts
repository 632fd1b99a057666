/**
 * Calls a function for each of many items, with limited concurrency: work that waits for a disk finishes sooner in
 * parallel.
 * @param most items at a time
 * @throws the first error, after all started calls have ended
 */
export async function eachOf<Item>(
  items: Iterable<Item>,
  most: number,
  action: (item: Item) => Promise<unknown>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  let failed = false;
  const work = async (): Promise<void> => {
    for (let next = rest.next(); !failed && !next.done; next = rest.next())
      try {
        await action(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
  };
  const ends = await Promise.allSettled(Array.from({ length: most }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
