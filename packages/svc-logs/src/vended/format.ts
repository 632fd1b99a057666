import type { VendedRecord } from '@emu/core/service';
import { textOf } from '@emu/wire';
import type { DeliveryRecord } from '../records.ts';
import { DEFAULT_DELIMITER, type VendedLogKind } from './templates.ts';

type Settings = Pick<DeliveryRecord, 'fieldDelimiter'> & { readonly recordFields?: readonly string[] | undefined };

/** The only binary format. */
export const PARQUET = 'parquet';

/** Returns the fields that a delivery writes, in order. */
export const fieldsOf = ({ recordFields }: Settings, kind: VendedLogKind): readonly string[] =>
  recordFields?.length ? recordFields : kind.fields.map(({ name }) => name);

/** Formats a value in a line; missing ones are a dash. */
function fieldText(value: unknown): string {
  if (value === undefined) return '-';
  return textOf(value);
}

/** Formats in which a record is an object with named fields. */
const AS_OBJECTS: readonly string[] = ['json', 'raw', PARQUET];

/** Formats records as lines: JSON with named fields, or separated values. */
export function linesOf(
  records: readonly VendedRecord[],
  settings: Settings,
  format: string,
  kind: VendedLogKind,
): string[] {
  const names = fieldsOf(settings, kind);
  const delimiter = settings.fieldDelimiter ?? DEFAULT_DELIMITER;
  return records.map(({ fields }) => {
    if (!AS_OBJECTS.includes(format)) return names.map((name) => fieldText(fields[name])).join(delimiter);
    const chosen = names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]);
    return JSON.stringify(Object.fromEntries(chosen));
  });
}

/** Returns the header of a file. @see https://www.w3.org/TR/WD-logfile.html */
export const headerOf = (settings: Settings, format: string, kind: VendedLogKind): string =>
  format === 'w3c' ? `#Version: 1.0\n#Fields: ${fieldsOf(settings, kind).join(' ')}\n` : '';
