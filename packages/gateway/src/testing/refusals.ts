import { isDeepStrictEqual } from 'node:util';
import { runningEmulators, type TestEmulator } from './emulator.ts';

/** Stored records by service, collection, account, region and key. */
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
 * Sends a request that must not change records of the emulator's services.
 * @param request its name for the error
 * @returns its response
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
 * Returns the error of a request that must fail, whatever it changes: for recorded refusals, and for several requests
 * in one.
 * @throws Error if it succeeds
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
 * Returns the error of a client's request that must be refused without a change of records. No other request may run in
 * any emulator of the process, and the request must be created by the same statement.
 * @throws Error if it succeeds or changes records
 */
export async function refusal(request: Promise<unknown>): Promise<Error> {
  const emulators = [...runningEmulators()];
  const before = recordsOf(emulators);
  const error = await rejection(request);
  expectNone(changes(before, recordsOf(emulators)), `the request was refused (${error.name}: ${error.message})`);
  return error;
}
