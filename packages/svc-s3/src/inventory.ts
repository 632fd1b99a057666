import { createHash } from 'node:crypto';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { DeepReadonly } from '@emu/core';
import { AwsError } from '@emu/wire';
import type { Bucket } from './bucket.ts';
import { type Actor, asS3 } from './events.ts';
import type { InventoryConfiguration } from './generated/s3.ts';
import { fieldsOf } from './inventory-fields.ts';
import { sortKeyOf } from './key-order.ts';
import type { ObjectEntry } from './object-index.ts';
import type { S3State } from './state.ts';

type Configuration = DeepReadonly<InventoryConfiguration>;

const DAY = 86_400_000;
/** Keys that are looked up at a time. */
const PAGE = 1000;

/** Whether a list is due. @param now epoch milliseconds */
function isDue(configuration: Configuration, last: number | undefined, now: number): boolean {
  const days = configuration.Schedule.Frequency === 'Weekly' ? 7 : 1;
  return configuration.IsEnabled && (last === undefined || now - last >= days * DAY);
}

/** Delivers what is due of every bucket of an account. */
export async function runInventories(actor: Actor, state: S3State): Promise<void> {
  for (const bucket of state.buckets())
    for (const configuration of Object.values(bucket.record.configurations.inventory ?? {})) {
      const last = bucket.record.inventoryDeliveries?.[configuration.Id];
      if (isDue(configuration, last, actor.clock.now())) await deliverInventory(actor, state, bucket, configuration);
    }
}

/** The lines of a list: every field in quotes, without a header. */
function* lines(bucket: Bucket, configuration: Configuration): Generator<string> {
  const all = configuration.IncludedObjectVersions === 'All';
  const fields = fieldsOf(all, configuration.OptionalFields ?? []);
  const prefix = configuration.Filter?.Prefix ?? '';
  for (const { versions } of entries(bucket, prefix)) {
    for (const [index, version] of versions.entries()) {
      if (!all && (index > 0 || version.deleteMarker)) break;
      const row = fields.map(([, field]) => field({ bucket, version, latest: index === 0 }) ?? '');
      yield `${row.map((value) => `"${String(value).replaceAll('"', '""')}"`).join(',')}\n`;
    }
  }
}

/** The keys of a bucket, some at a time: while the list is written the bucket may change. */
function* entries(bucket: Bucket, prefix: string): Generator<ObjectEntry> {
  let from = sortKeyOf(prefix);
  for (;;) {
    const page: ObjectEntry[] = [];
    for (const entry of bucket.objects.from(from)) {
      if (!entry.key.startsWith(prefix)) break;
      if (page.push(entry) === PAGE) break;
    }
    yield* page;
    if (page.length < PAGE) return;
    from = `${sortKeyOf(page.at(-1)!.key)}\0`;
  }
}

/**
 * Writes an inventory list and its manifests to the destination bucket. What that does not let in is not delivered, as
 * in AWS; nor are lists in other formats than CSV.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html
 */
export async function deliverInventory(
  actor: Actor,
  state: S3State,
  bucket: Bucket,
  configuration: Configuration,
): Promise<void> {
  const { Id: id, Destination } = configuration;
  const destination = Destination.S3BucketDestination;
  const now = actor.clock.now();
  state.updateBucket(bucket, (draft) => {
    draft.inventoryDeliveries = { ...draft.inventoryDeliveries, [id]: now };
  });
  if (destination.Format !== 'CSV') {
    actor.log.warn('inventory lists are delivered as CSV only', { bucket: bucket.name, inventory: id });
    return;
  }
  try {
    await deliver(actor, bucket, configuration, now);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    actor.log.warn('an inventory list could not be delivered', { bucket: bucket.name, inventory: id, error });
  }
}

async function deliver(actor: Actor, bucket: Bucket, configuration: Configuration, now: number): Promise<void> {
  const destination = configuration.Destination.S3BucketDestination;
  const target = destination.Bucket.slice(destination.Bucket.lastIndexOf(':') + 1);
  const prefix = destination.Prefix === undefined ? '' : `${destination.Prefix.replace(/\/$/, '')}/`;
  const base = `${prefix}${bucket.name}/${configuration.Id}`;
  const write = (Key: string, Body: string | AsyncIterable<Uint8Array>, type: string): Promise<unknown> =>
    actor.call(
      's3',
      'PutObject',
      { Bucket: target, Key, Body, ContentType: type, ...encryptionOf(destination.Encryption) },
      asS3(actor, bucket, bucket.accountId, bucket.region),
    );
  const key = `${base}/data/${actor.ids.uuid()}.csv.gz`;
  const md5 = createHash('md5');
  let size = 0;
  const compressed = new PassThrough();
  pipeline(Readable.from(lines(bucket, configuration)), createGzip(), compressed, () => undefined);
  await write(
    key,
    (async function* () {
      for await (const chunk of compressed as AsyncIterable<Uint8Array>) {
        md5.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    })(),
    'application/x-gzip',
  );
  const moment = new Date(now).toISOString();
  const manifest = JSON.stringify(
    {
      sourceBucket: bucket.name,
      destinationBucket: destination.Bucket,
      version: '2016-11-30',
      creationTimestamp: String(now),
      fileFormat: 'CSV',
      fileSchema: fieldsOf(configuration.IncludedObjectVersions === 'All', configuration.OptionalFields ?? [])
        .map(([name]) => name)
        .join(', '),
      files: [{ key, size, MD5checksum: md5.digest('hex') }],
    },
    null,
    2,
  );
  const minute = `${moment.slice(0, 10)}T${moment.slice(11, 16).replace(':', '-')}Z`;
  await write(
    `${base}/hive/dt=${minute.slice(0, -1).replace('T', '-')}/symlink.txt`,
    `s3://${target}/${key}`,
    'text/plain',
  );
  await write(`${base}/${minute}/manifest.json`, manifest, 'application/json');
  await write(`${base}/${minute}/manifest.checksum`, createHash('md5').update(manifest).digest('hex'), 'text/plain');
}

/** How a list is encrypted, as the configuration asks. */
function encryptionOf(encryption: Configuration['Destination']['S3BucketDestination']['Encryption']): {
  ServerSideEncryption?: string;
  SSEKMSKeyId?: string;
} {
  if (encryption?.SSEKMS) return { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: encryption.SSEKMS.KeyId };
  return encryption?.SSES3 ? { ServerSideEncryption: 'AES256' } : {};
}
