import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { type EmulatorSettings, type ServiceHandle, Slices } from '@emu/core/service';
import type { CreateTableInput, TableDescription } from '@emu/service-types/dynamodb';
import { decodeItem } from '../attributes/codec.ts';
import { checkItemKey } from '../attributes/keys.ts';
import { checkedItem } from '../attributes/values.ts';
import { DYNAMODB_OPTIONS } from '../options.ts';
import type { DynamoState } from '../state.ts';
import type { Table } from '../tables/table.ts';

/**
 * Loads tables at start from a local copy of an `ExportTableToPointInTime` export: `manifest-summary.json`,
 * `manifest-files.json` and `data/*.json.gz` of a full export in DynamoDB JSON.
 */

type Handle = ServiceHandle<DynamoState>;

/** Number of items between waits for persistence and progress messages. */
const BATCH = 10_000;

/** An export to load, and the `describe-table` output with the shape of its table. */
interface Source {
  directory: string;
  description: string;
}

/**
 * Loads every export in the settings, each as a new table.
 * @throws Error with the file name if a file is missing or malformed, or the table exists
 */
export async function importAtStart(handle: Handle): Promise<void> {
  for (const source of await sourcesOf(handle.settings)) await importExport(handle, source);
}

async function sourcesOf(settings: EmulatorSettings): Promise<Source[]> {
  const values = settings.of(DYNAMODB_OPTIONS);
  const { EMULATOR_DYNAMODB_IMPORT_DIR: root } = values;
  if (root === undefined)
    return [
      { directory: values.EMULATOR_DYNAMODB_IMPORT_PATH!, description: values.EMULATOR_DYNAMODB_DESCRIBE_TABLE! },
    ];
  const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const sources: Source[] = [];
  for (const { name } of folders.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const directory = join(root, name);
    if (!(await readdir(directory)).includes('describe-table.json'))
      throw new Error(`${directory} has no describe-table.json, which describes the table to import.`);
    sources.push({ directory, description: join(directory, 'describe-table.json') });
  }
  return sources;
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object') return value as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  throw new Error(`${path} contains no JSON object.`);
}

/** Returns the CreateTable input for a table with the shape in a `describe-table` output. */
function creationOf(description: TableDescription): CreateTableInput {
  const billingMode = description.BillingModeSummary?.BillingMode ?? 'PROVISIONED';
  const throughput = (given: TableDescription['ProvisionedThroughput']) =>
    billingMode === 'PROVISIONED'
      ? {
          ProvisionedThroughput: {
            ReadCapacityUnits: given?.ReadCapacityUnits ?? 1,
            WriteCapacityUnits: given?.WriteCapacityUnits ?? 1,
          },
        }
      : {};
  return {
    TableName: description.TableName!,
    AttributeDefinitions: description.AttributeDefinitions ?? [],
    KeySchema: description.KeySchema ?? [],
    BillingMode: billingMode,
    ...throughput(description.ProvisionedThroughput),
    ...(description.LocalSecondaryIndexes?.length && {
      LocalSecondaryIndexes: description.LocalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName: IndexName!,
        KeySchema: KeySchema!,
        Projection: Projection!,
      })),
    }),
    ...(description.GlobalSecondaryIndexes?.length && {
      GlobalSecondaryIndexes: description.GlobalSecondaryIndexes.map((index) => ({
        IndexName: index.IndexName!,
        KeySchema: index.KeySchema!,
        Projection: index.Projection!,
        ...throughput(index.ProvisionedThroughput),
      })),
    }),
  };
}

async function importExport(handle: Handle, { directory, description }: Source): Promise<void> {
  const summary = await readJson(join(directory, 'manifest-summary.json'));
  if (summary.outputFormat !== undefined && summary.outputFormat !== 'DYNAMODB_JSON')
    throw new Error(
      `${directory} is an export in the format ${summary.outputFormat}; only DYNAMODB_JSON can be imported.`,
    );
  const dump = await readJson(description);
  const shape = (dump.Table ?? dump) as TableDescription;
  if (typeof shape.TableName !== 'string') throw new Error(`${description} names no table.`);
  const { accountId, region } = handle.settings;
  const state = handle.state(accountId, region);
  if (state.table(shape.TableName))
    throw new Error(`${directory} cannot be imported: a table named ${shape.TableName} exists already.`);
  try {
    await handle.call('dynamodb', 'CreateTable', creationOf(shape), { accountId, region });
  } catch (error) {
    throw new Error(`${description} does not describe a table: ${(error as Error).message}`);
  }
  const table = state.table(shape.TableName)!;
  table.beginImport();
  const progress = new Progress(handle, table.name, Number(summary.itemCount) || undefined);
  try {
    for (const file of await dataFiles(directory)) await importFile(table, file, progress);
  } catch (error) {
    // A table is loaded completely or not at all.
    await state.removeTable(table.name);
    await handle.committed();
    throw error;
  }
  table.endImport();
  await handle.committed();
  progress.end();
}

/** Returns the data files in the manifest; without a manifest, all data files in the folder. */
async function dataFiles(directory: string): Promise<string[]> {
  const data = join(directory, 'data');
  let manifest: string;
  try {
    manifest = await readFile(join(directory, 'manifest-files.json'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return (await readdir(data)).sort().map((name) => join(data, name));
  }
  return manifest
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => join(data, basename((JSON.parse(line) as { dataFileS3Key: string }).dataFileS3Key)));
}

async function importFile(table: Table, path: string, progress: Progress): Promise<void> {
  const source = createReadStream(path);
  const bytes = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  // Errors of the source are not propagated by `pipe`.
  source.once('error', (error) => bytes.destroy(error));
  let line = 0;
  for await (const text of createInterface({ input: bytes, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    if (text === '') continue;
    try {
      const item = checkedItem(decodeItem((JSON.parse(text) as { Item: unknown }).Item));
      checkItemKey(item, table.primary.schema);
      table.checkIndexKeys(item, 'put');
      table.put(item);
    } catch (error) {
      throw new Error(`${path}, line ${line}: ${(error as Error).message}`);
    }
    await progress.count();
  }
}

/** Reports the progress of a load on the terminal and waits for persistence. */
class Progress {
  private done = 0;
  private readonly slices = new Slices();

  constructor(
    private readonly handle: Handle,
    private readonly name: string,
    private readonly total: number | undefined,
  ) {}

  async count(): Promise<void> {
    const pause = this.slices.pause();
    if (pause) await pause;
    if (++this.done % BATCH) return;
    this.show();
    await this.handle.committed();
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\n');
    this.handle.log.info(`imported ${this.done} items into the table ${this.name}`);
  }

  private show(): void {
    if (!process.stderr.isTTY) return;
    const share = this.total ? ` of ${this.total}` : '';
    process.stderr.write(`\rimporting ${this.name}: ${this.done}${share} items`);
  }
}
