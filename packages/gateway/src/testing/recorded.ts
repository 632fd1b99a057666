/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Placeholders in recordings for text that differs between runs. */
const PLACEHOLDER = /<[\w.-]+(?::\d+)?>/g;
const LOG_TIME = 'DDD MMM dd hh:mm:ss UTC yyyy';
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Converts a text to a pattern, in which equal numbered placeholders match the same text. */
function patternOf(recorded: string, known: Map<string, string>): [pattern: RegExp, names: string[]] {
  const names: string[] = [];
  let at = 0;
  let source = '';
  for (const { 0: name, index } of recorded.matchAll(PLACEHOLDER)) {
    source += escaped(recorded.slice(at, index));
    at = index + name.length;
    const value = known.get(name);
    if (value !== undefined) source += escaped(value);
    else {
      names.push(name);
      source += '(.*?)';
    }
  }
  source += escaped(recorded.slice(at));
  return [
    new RegExp(`^${source.replaceAll(LOG_TIME, '\\w{3} \\w{3} \\d\\d \\d\\d:\\d\\d:\\d\\d UTC \\d{4}')}$`, 's'),
    names,
  ];
}

function sameText(recorded: string, ours: Json, known: Map<string, string>): boolean {
  if (recorded === 'datetime') return typeof ours === 'string' && !Number.isNaN(Date.parse(ours));
  // Numbers such as latencies differ between runs.
  if (typeof ours === 'number') return /^<[\w.-]+>$/.test(recorded);
  if (typeof ours !== 'string') return false;
  const [pattern, names] = patternOf(recorded, known);
  const found = pattern.exec(ours);
  for (const [at, name] of names.entries()) if (found && name.includes(':')) known.set(name, found[at + 1]!);
  return found !== null;
}

/** Converts a text to a comparable form: JSON to its value, a log to its lines. */
function inForm(recorded: Json, ours: Json): Json {
  if (typeof ours !== 'string' || typeof recorded !== 'object' || recorded === null) return ours;
  if ('line00' in recorded)
    return Object.fromEntries(ours.split('\n').map((line, index) => [`line${String(index).padStart(2, '0')}`, line]));
  try {
    return JSON.parse(ours) as Json;
  } catch {
    return ours;
  }
}

/**
 * Returns the differences between a response and the recorded one, as paths with both values.
 * @param known values of placeholders, which are added
 */
export function differences(recorded: Json, given: Json, known: Map<string, string>, path = ''): string[] {
  const ours = inForm(recorded, given);
  // Recordings of failures contain the message twice.
  if (typeof recorded === 'object' && recorded !== null && 'Error' in recorded && 'message' in recorded) {
    const { message, ...rest } = recorded;
    return differences(rest, given, known, path);
  }
  const differ = (): string[] => [`${path}: recorded ${JSON.stringify(recorded)}, ours ${JSON.stringify(ours)}`];
  if (typeof recorded === 'string') return sameText(recorded, ours, known) ? [] : differ();
  if (typeof recorded !== 'object' || recorded === null) return Object.is(recorded, ours) ? [] : differ();
  if (typeof ours !== 'object' || ours === null || Array.isArray(recorded) !== Array.isArray(ours)) return differ();
  const names = new Set([...Object.keys(recorded), ...Object.keys(ours)]);
  return [...names].flatMap((name) => {
    const [theirs, own] = [recorded, ours].map((value) => (value as Record<string, Json>)[name]);
    if (theirs === undefined || own === undefined)
      return theirs === own ? [] : [`${path}.${name}: recorded ${JSON.stringify(theirs)}, ours ${JSON.stringify(own)}`];
    return differences(theirs, own, known, `${path}.${name}`);
  });
}

/** The response of a stage, in the form of the SDK's. */
export const given = <T extends object>(value: T): Promise<T> => Promise.resolve({ ...value, $given: true });

/** Returns an SDK's response, or its failure, in the form of recordings. */
export async function asRecorded(running: Promise<object>): Promise<Json> {
  try {
    const answer = await running;
    if (Array.isArray(answer)) return plain(answer);
    if ('$given' in answer) return plain({ ...answer, $given: undefined });
    const { $metadata, ...rest } = answer as { $metadata: { httpStatusCode: number } };
    return plain({ ...rest, ResponseMetadata: { HTTPHeaders: {}, HTTPStatusCode: $metadata.httpStatusCode } });
  } catch (error) {
    const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode: number } };
    if (!$metadata) throw error;
    return {
      // Entries, because the messages of emu's own errors are listed.
      Error: Object.fromEntries([
        ['Code', name],
        ['Message', message],
      ]),
      ResponseMetadata: { HTTPHeaders: {}, HTTPStatusCode: $metadata.httpStatusCode },
    };
  }
}

const plain = (value: object): Json =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (one instanceof Uint8Array ? Buffer.from(one).toString() : one)),
  ) as Json;
