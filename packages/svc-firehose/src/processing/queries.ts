import { Program, ProgramLimitError } from '@emu/core/programs';
import { invalidArgument } from '../errors.ts';

/** Maximum bytes of records per jq run: each run takes milliseconds. */
const CHUNK = 4 * 1024 * 1024;
/** Maximum milliseconds of a jq run. */
const MAX_TIME = 5000;

const jq = new Program(() => import('./jq-program.ts'), MAX_TIME);

/**
 * @param query jq query
 * @param owner ARN of the delivery stream
 * @throws AwsError `InvalidArgumentException` if jq cannot compile it
 */
export async function checkQuery(query: string, owner: string): Promise<void> {
  const invalid = invalidArgument(
    'The MetadataExtractionQuery of the MetadataExtraction processor is not a valid jq 1.6 expression.',
  );
  try {
    const output = await jq.run({ query, lines: [] }, owner);
    if ('invalid' in output) throw invalid;
  } catch (error) {
    throw error instanceof ProgramLimitError ? invalid : error;
  }
}

/**
 * Evaluates the query for each record.
 * @param owner ARN of the delivery stream
 * @returns undefined for records with invalid JSON, or whose result is not an object, or if the query exceeds its limits
 * @see https://docs.aws.amazon.com/firehose/latest/dev/dynamic-partitioning-partitioning-keys.html
 */
export async function extract(
  records: readonly Buffer[],
  query: string,
  owner: string,
): Promise<(Record<string, unknown> | undefined)[]> {
  const found: (Record<string, unknown> | undefined)[] = [];
  while (found.length < records.length) {
    const lines: string[] = [];
    for (let size = 0; found.length + lines.length < records.length && (size === 0 || size < CHUNK); ) {
      // A line break in JSON is white space.
      const line = records[found.length + lines.length]!.toString('utf8').replaceAll(/[\r\n]+/g, ' ');
      lines.push(line);
      size += line.length;
    }
    const objects = await objectsFor(query, lines, owner);
    found.push(...lines.map((_, index) => objects[index]));
  }
  return found;
}

async function objectsFor(query: string, lines: readonly string[], owner: string) {
  try {
    const output = await jq.run({ query, lines }, owner);
    return 'objects' in output ? output.objects : [];
  } catch (error) {
    if (error instanceof ProgramLimitError) return [];
    throw error;
  }
}
