import { isObject } from '@emu/wire';
import { invalidArgument } from '../errors.ts';

/** Bytes of records that jq gets at once: each run of it costs milliseconds. */
const CHUNK = 4 * 1024 * 1024;

/** Loaded here only: few delivery streams have queries. */
const load = () => import('./jq.ts');

/** Has each line taken as text first, so that one that is no JSON fails alone. */
const wrapped = (query: string): string => `def query: ${query}\n; try [fromjson | query] catch null`;

/**
 * @param query of jq
 * @throws AwsError `InvalidArgumentException` where jq cannot compile it
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
 * The members that a query makes of each record.
 * @returns undefined for records that are no JSON, or of which the query makes no object
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
      // A line break in JSON is a blank.
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
