import { isDeepStrictEqual } from 'node:util';
import { runningEmulators, type TestEmulator } from './emulator.ts';

/** Records as they are stored, by where they are: service, collection, account, region and key. */
type Records = Map<string, unknown>;

function recordsOf(emulators: Iterable<Pick<TestEmulator, 'kernel'>>): Records {
  const records: Records = new Map();
  let number = 0;
  for (const { kernel } of emulators) {
    number++;
    for (const service of kernel.services)
      for (const { collection, accountId, region, key, value } of kernel.loadedService(service)?.store.picture() ?? [])
        records.set(`${service} ${collection} ${accountId}/${region} ${key} (emulator ${number})`, value);
  }
  return records;
}

function changes(before: Records, after: Records): string[] {
  return [
    ...[...after.keys()].filter((place) => !before.has(place)).map((place) => `${place} is new`),
    ...[...before].flatMap(([place, value]) => {
      if (!after.has(place)) return [`${place} is gone`];
      return isDeepStrictEqual(value, after.get(place)) ? [] : [`${place} has changed`];
    }),
  ];
}

function expectNone(found: readonly string[], request: string): void {
  if (found.length > 0) throw new Error(`${request}, but it left its traces: ${found.join('; ')}`);
}

/**
 * Sends a request that must leave no trace: afterwards the emulator's services have the records that they had before.
 * @param request names it where it has left one
 * @returns what it answered
 */
export async function leavesNoTrace<T>(
  emulator: Pick<TestEmulator, 'kernel'>,
  request: string,
  send: () => Promise<T>,
): Promise<T> {
  const before = recordsOf([emulator]);
  const answer = await send();
  expectNone(changes(before, recordsOf([emulator])), `${request} was answered`);
  return answer;
}

/**
 * The error of what must fail, whatever it leaves: for refusals that are recorded, and for several requests in one.
 * @throws Error where it succeeds
 */
export async function rejection(requests: Promise<unknown>): Promise<Error> {
  try {
    await requests;
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error('the request succeeded');
}

/**
 * The error of a client's request that must be refused and leave no trace. Nothing else may be under way, in any emulator
 * that the process runs; the request must have been made by the same statement: nothing of it is done before.
 * @throws Error where it succeeds, or where records are not as they were before
 */
export async function refusal(request: Promise<unknown>): Promise<Error> {
  const emulators = [...runningEmulators()];
  const before = recordsOf(emulators);
  const error = await rejection(request);
  expectNone(changes(before, recordsOf(emulators)), `the request was refused (${error.name}: ${error.message})`);
  return error;
}
