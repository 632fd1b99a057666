import { textOf } from '@emu/wire';
import type { ColumnSource } from 'hyparquet-writer';

type Fields = Readonly<Record<string, unknown>>;

/** Creates a column: numbers if all values are integers, otherwise texts; other values become JSON. */
function columnOf(name: string, values: readonly unknown[]): ColumnSource {
  const present = values.filter((value) => value !== undefined);
  if (present.length && present.every(Number.isSafeInteger))
    return {
      name,
      type: 'INT64',
      nullable: true,
      data: values.map((value) => (value === undefined ? null : BigInt(value as number))),
    };
  return {
    name,
    type: 'STRING',
    nullable: true,
    data: values.map((value) => (value === undefined ? null : textOf(value))),
  };
}

/**
 * Builds an Apache Parquet file with Snappy compression.
 * @param names columns in order
 * @param lines records as JSON objects
 */
export async function parquetFile(names: readonly string[], lines: readonly string[]): Promise<Buffer> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const records = lines.map((line) => JSON.parse(line) as Fields);
  const columnData = names.map((name) =>
    columnOf(
      name,
      records.map((record) => record[name]),
    ),
  );
  return Buffer.from(parquetWriteBuffer({ columnData }));
}
