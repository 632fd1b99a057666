import { isObject } from '@emu/wire';
import { invalidArgument } from '../errors.ts';

/** Maximum bytes of records per jq run: each run takes milliseconds. */
const CHUNK = 4 * 1024 * 1024;

/** Loads jq lazily, because few delivery streams have queries. */
const load = () => import('./jq.ts');

/** Reads each line as text first, so that invalid JSON fails only its record. */
const wrapped = (query: string): string => `def query: ${query}\n; try [fromjson | query] catch null`;

/**
 * @param query jq query
 * @throws AwsError `InvalidArgumentException` if jq cannot compile it
 */
export async function checkQuery(query: string): Promise<void> {
  const { raw } = await load();
  try {
    await raw('null', wrapped(query), ['-R', '-c']);
  } catch {
    throw invalidArgument(
      'The MetadataExtractionQuery of the MetadataExtraction processor is not a valid jq 1.6 expression.',
    );
  }
}

/**
 * Evaluates the query for each record.
 * @returns undefined for records with invalid JSON, or whose result is not an object
 * @see https://docs.aws.amazon.com/firehose/latest/dev/dynamic-partitioning-partitioning-keys.html
 */
export async function extract(
  records: readonly Buffer[],
  query: string,
): Promise<(Record<string, unknown> | undefined)[]> {
  const { raw } = await load();
  const found: (Record<string, unknown> | undefined)[] = [];
  for (let start = 0; start < records.length; ) {
    const lines: string[] = [];
    for (let size = 0; start < records.length && (size === 0 || size < CHUNK); start++) {
      // A line break in JSON is white space.
      const line = records[start]!.toString('utf8').replaceAll(/[\r\n]+/g, ' ');
      lines.push(line);
      size += line.length;
    }
    const output = await raw(`${lines.join('\n')}\n`, wrapped(query), ['-R', '-c']);
    for (const text of output.split('\n').slice(0, lines.length)) found.push(objectIn(text));
  }
  return found;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  const outputs = JSON.parse(text) as unknown[] | null;
  const [value] = outputs ?? [];
  return isObject(value) ? value : undefined;
}
