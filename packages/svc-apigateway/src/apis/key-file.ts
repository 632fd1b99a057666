import { badRequest } from '../errors.ts';

/** A key in a file of API keys. */
export interface KeyRow {
  name: string;
  value: string | undefined;
  description: string | undefined;
  enabled: boolean;
  usagePlanIds: string[];
}

const MAX_ROWS = 10_000;

/** Returns the fields of a CSV line. */
function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g))
    fields.push(quoted === undefined ? (plain ?? '').trim() : quoted.replaceAll('""', '"'));
  return fields;
}

/**
 * Parses a file of API keys: CSV with the columns `name`, `key`, `description`, `enabled` and `usageplanIds`.
 * @throws AwsError `BadRequestException`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-key-file-format.html
 */
export function readKeys(text: string): KeyRow[] {
  const [header = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const names = fieldsOf(header).map((name) => name.toLowerCase());
  if (!names.includes('name')) throw badRequest('Failed to parse the file of API keys: no column is called name.');
  if (lines.length > MAX_ROWS) throw badRequest(`A file of API keys cannot have more than ${MAX_ROWS} keys.`);
  return lines.map((line) => {
    const fields = fieldsOf(line);
    const field = (name: string): string | undefined => fields[names.indexOf(name)] || undefined;
    return {
      name: field('name') ?? '',
      value: field('key'),
      description: field('description'),
      enabled: field('enabled')?.toLowerCase() === 'true',
      usagePlanIds: (field('usageplanids') ?? '').split(/[,;\s]+/).filter((id) => id !== ''),
    };
  });
}
