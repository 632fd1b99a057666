/**
 * Does something with each of many items, some of them at the same time, as what waits for a disk is done sooner.
 * @param most how many at a time
 * @throws what went wrong first, when everything that was begun has ended
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
