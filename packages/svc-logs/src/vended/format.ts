import type { VendedRecord } from '@emu/core';
import type { DeliveryRecord } from '../records.ts';
import { DEFAULT_DELIMITER, type VendedLogKind } from './templates.ts';

type Settings = Pick<DeliveryRecord, 'fieldDelimiter'> & { readonly recordFields?: readonly string[] | undefined };

/** The format whose files are no text. */
export const PARQUET = 'parquet';

/** Fields that a delivery writes, in their order. */
export const fieldsOf = ({ recordFields }: Settings, kind: VendedLogKind): readonly string[] =>
  recordFields?.length ? recordFields : kind.fields.map(({ name }) => name);

/** A value among others in a line; what is missing is a dash. */
function textOf(value: unknown): string {
  if (value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Formats of which each record is an object with its fields by name. */
const AS_OBJECTS: readonly string[] = ['json', 'raw', PARQUET];

/** Records as lines of text: JSON with the fields by name, or values with something between them. */
export function linesOf(
  records: readonly VendedRecord[],
  settings: Settings,
  format: string,
  kind: VendedLogKind,
): string[] {
  const names = fieldsOf(settings, kind);
  const delimiter = settings.fieldDelimiter ?? DEFAULT_DELIMITER;
  return records.map(({ fields }) => {
    if (!AS_OBJECTS.includes(format)) return names.map((name) => textOf(fields[name])).join(delimiter);
    const chosen = names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]);
    return JSON.stringify(Object.fromEntries(chosen));
  });
}

/** What is before the lines of a file. @see https://www.w3.org/TR/WD-logfile.html */
export const headerOf = (settings: Settings, format: string, kind: VendedLogKind): string =>
  format === 'w3c' ? `#Version: 1.0\n#Fields: ${fieldsOf(settings, kind).join(' ')}\n` : '';
