import { isObject } from '@emu/wire';
import { CLASSES, type DifferenceClass, type FoundDifference } from './differences.ts';

/** Differences that are known and accepted. */
export interface IgnoredDifference {
  readonly service: string;
  readonly operation: string;
  /** All classes if absent. */
  readonly class?: DifferenceClass;
  /** All members if absent. */
  readonly path?: string;
  readonly reason: string;
}

/** A list of ignored differences, as in its file. */
export interface IgnoreList {
  readonly ignored: readonly IgnoredDifference[];
}

/** Reads a list from its text. @throws SyntaxError with the problem for an invalid list */
export function parseIgnoreList(text: string): IgnoreList {
  const list = JSON.parse(text) as unknown;
  if (!isObject(list) || !Array.isArray(list.ignored)) throw new SyntaxError('it has no list "ignored"');
  for (const [index, entry] of list.ignored.entries()) check(entry, `entry ${index + 1}`);
  return list as unknown as IgnoreList;
}

function check(entry: unknown, place: string): void {
  if (!isObject(entry)) throw new SyntaxError(`${place} is no object`);
  for (const name of ['service', 'operation', 'reason'])
    if (typeof entry[name] !== 'string' || entry[name] === '') throw new SyntaxError(`${place} has no ${name}`);
  if (entry.class !== undefined && !CLASSES.includes(entry.class as DifferenceClass))
    throw new SyntaxError(`${place} has no known class; they are ${CLASSES.join(', ')}`);
  if (entry.path !== undefined && typeof entry.path !== 'string') throw new SyntaxError(`${place} has no valid path`);
}

/** Returns the text of a list's file. */
export const ignoreListText = (list: IgnoreList): string => `${JSON.stringify(list, undefined, 2)}\n`;

/** Returns the entry that a difference matches; undefined if it is not ignored. */
export const ignoringEntry = (list: IgnoreList, difference: FoundDifference): IgnoredDifference | undefined =>
  list.ignored.find(
    (entry) =>
      entry.service === difference.service &&
      entry.operation === difference.operation &&
      (entry.class ?? difference.class) === difference.class &&
      (entry.path ?? difference.path) === difference.path,
  );

/** Returns a list with an entry for each difference that the given one does not ignore. */
export function withAccepted(list: IgnoreList, differences: readonly FoundDifference[], reason: string): IgnoreList {
  const ignored = [...list.ignored];
  for (const difference of differences) {
    if (ignoringEntry({ ignored }, difference)) continue;
    const { service, operation, class: kind, path } = difference;
    ignored.push({ service, operation, class: kind, path, reason });
  }
  return { ignored };
}
