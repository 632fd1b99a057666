import { createHash } from 'node:crypto';
import type { DeepReadonly } from '@emu/core/service';
import type { InventoryConfiguration } from '@emu/service-types/s3';
import { AwsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import { entries } from '../buckets/object-pages.ts';
import type { Actor } from '../events/actor.ts';
import type { S3State } from '../state.ts';
import { folderOf, targetOf, type WrittenFile, writeReport } from './delivery.ts';
import { fieldsOf, type Listed } from './inventory-fields.ts';
import { FORMATS, type InventoryFormat } from './inventory-formats.ts';

type Configuration = DeepReadonly<InventoryConfiguration>;

const DAY = 86_400_000;

/**
 * Whether a list is due.
 * @param now epoch milliseconds
 */
function isDue(configuration: Configuration, last: number | undefined, now: number): boolean {
  const days = configuration.Schedule.Frequency === 'Weekly' ? 7 : 1;
  return configuration.IsEnabled && (last === undefined || now - last >= days * DAY);
}

const formatOf = ({ Destination }: Configuration): InventoryFormat | undefined =>
  FORMATS[Destination.S3BucketDestination.Format];

/** Delivers due inventories of all buckets of an account. */
export async function runInventories(actor: Actor, state: S3State): Promise<void> {
  for (const bucket of state.buckets())
    for (const configuration of Object.values(bucket.record.configurations.inventory ?? {})) {
      // It may have been deleted while others were written.
      if (state.bucket(bucket.name) !== bucket) break;
      const last = bucket.record.inventoryDeliveries?.[configuration.Id];
      if (formatOf(configuration) && isDue(configuration, last, actor.clock.now()))
        await deliverInventory(actor, state, bucket, configuration);
    }
}

/** Yields the versions in a list. */
function* listed(bucket: Bucket, configuration: Configuration, now: number): Generator<Listed> {
  const all = configuration.IncludedObjectVersions === 'All';
  for (const { versions } of entries(bucket, configuration.Filter?.Prefix ?? ''))
    for (const [index, version] of versions.entries()) {
      if (!all && (index > 0 || version.deleteMarker)) break;
      yield { bucket, version, latest: index === 0, now };
    }
}

/** First rows of the remaining list, and whether more follow. */
class Portions {
  private next: IteratorResult<Listed>;

  constructor(private readonly rows: Generator<Listed>) {
    this.next = rows.next();
  }

  get more(): boolean {
    return !this.next.done;
  }

  *take(count: number): Generator<Listed> {
    for (let left = count; left > 0 && !this.next.done; left--) {
      yield this.next.value;
      this.next = this.rows.next();
    }
  }
}

/**
 * Writes an inventory list and its manifests to the destination bucket. As on AWS, a list rejected by the destination
 * is lost; lists in ORC are not written.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html
 */
export async function deliverInventory(
  actor: Actor,
  state: S3State,
  bucket: Bucket,
  configuration: Configuration,
): Promise<void> {
  const { Id: id, Destination } = configuration;
  const format = formatOf(configuration);
  if (!format) {
    const { Format: name } = Destination.S3BucketDestination;
    actor.log.warn(`inventory lists in ${name} are not delivered`, { bucket: bucket.name, inventory: id });
    return;
  }
  const now = actor.clock.now();
  state.updateBucket(bucket, (draft) => {
    draft.inventoryDeliveries = { ...draft.inventoryDeliveries, [id]: now };
  });
  try {
    await deliver(actor, bucket, configuration, format, now);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    actor.log.warn('an inventory list could not be delivered', { bucket: bucket.name, inventory: id, error });
  }
}

async function deliver(
  actor: Actor,
  bucket: Bucket,
  configuration: Configuration,
  format: InventoryFormat,
  now: number,
): Promise<void> {
  const destination = configuration.Destination.S3BucketDestination;
  const base = `${folderOf(destination, bucket)}/${configuration.Id}`;
  const write = (key: string, body: string | AsyncIterable<Uint8Array>, type: string): Promise<WrittenFile> =>
    writeReport(actor, bucket, destination, key, body, type);
  const fields = fieldsOf(configuration.IncludedObjectVersions === 'All', configuration.OptionalFields ?? []);
  const files: WrittenFile[] = [];
  const portions = new Portions(listed(bucket, configuration, now));
  do {
    const key = `${base}/data/${actor.ids.uuid()}${format.extension}`;
    files.push(await write(key, format.bytes(fields, portions.take(format.maxRows)), format.contentType));
  } while (portions.more);
  const manifest = JSON.stringify(
    {
      sourceBucket: bucket.name,
      destinationBucket: destination.Bucket,
      version: '2016-11-30',
      creationTimestamp: String(now),
      fileFormat: destination.Format,
      fileSchema: format.schema(fields),
      files: files.map(({ key, size, md5 }) => ({ key, size, MD5checksum: md5 })),
    },
    null,
    2,
  );
  const moment = new Date(now).toISOString();
  const minute = `${moment.slice(0, 10)}T${moment.slice(11, 16).replace(':', '-')}Z`;
  const links = files.map(({ key }) => `s3://${targetOf(destination)}/${key}`).join('\n');
  await write(`${base}/hive/dt=${minute.slice(0, -1).replace('T', '-')}/symlink.txt`, links, 'text/plain');
  await write(`${base}/${minute}/manifest.json`, manifest, 'application/json');
  await write(`${base}/${minute}/manifest.checksum`, createHash('md5').update(manifest).digest('hex'), 'text/plain');
}
