import { gzipSync } from 'node:zlib';
import {
  type DeepReadonly,
  DueTimers,
  parseArn,
  type VendedLog,
  type VendedRecord,
  type Worker,
} from '@emu/core/service';
import { writeDelivered } from '../bucket-delivery.ts';
import { writeLines } from '../ingestion/writer.ts';
import type { DeliveryDestinationRecord, DeliveryRecord } from '../records.ts';
import type { LogsRegistry } from '../registry.ts';
import { deliveryDestinationType, deliverySourceType } from '../resources.ts';
import { fieldsOf, headerOf, linesOf, PARQUET } from './format.ts';
import { folderOf } from './object-key.ts';
import { parquetFile } from './parquet.ts';
import { type Carrier, FORMATS, kindOf, type VendedLogKind } from './templates.ts';

type Delivery = DeepReadonly<DeliveryRecord>;
type Destination = DeepReadonly<DeliveryDestinationRecord>;

/** Milliseconds for which records are collected for an object. AWS takes minutes. */
const OBJECT_PERIOD = 5000;
/** Bytes of text after which an object is written immediately. */
const OBJECT_BYTES = 1024 * 1024;
/** Maximum records and bytes per Firehose call. */
const BATCH = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Maximum number of pending delivery calls; further ones are dropped. */
const MAX_WAITING = 1000;

/** Records collected for an object. */
interface Collected {
  readonly lines: string[];
  bytes: number;
}

/** A delivery with the context for writing. */
interface Way {
  readonly delivery: Delivery;
  readonly destination: Destination;
  /** Account and region of the destination. */
  readonly owner: LogsRegistry;
  readonly kind: VendedLogKind;
  readonly format: string;
}

/**
 * Carries vended logs to the destinations of their deliveries.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-vended-logs-permissions-V2.html
 */
export class VendedDeliveries implements Worker {
  private readonly timers: DueTimers;
  private readonly collected = new Map<string, Collected>();
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly state: LogsRegistry) {
    this.timers = new DueTimers(state.clock);
  }

  close(): void {
    this.timers.cancelAll();
    this.collected.clear();
  }

  /** Delivers records after earlier ones. */
  deliver(log: VendedLog, records: readonly VendedRecord[]): Promise<void> {
    if (this.waiting >= MAX_WAITING) return Promise.resolve();
    this.waiting++;
    this.last = this.last
      .then(async () => {
        for (const way of this.waysOf(log)) await this.attempt(way, () => this.send(way, log.stream, records));
      })
      .finally(() => {
        this.waiting--;
      });
    return this.last;
  }

  /** Deliveries of a log, with their destinations. */
  private waysOf({ resourceArn, logType }: VendedLog): Way[] {
    const { deliverySources, vendedDeliveries } = this.state;
    const ways: Way[] = [];
    for (const source of deliverySources.values()) {
      if (source.resourceArn !== resourceArn || source.logType !== logType) continue;
      const kind = kindOf(source.service);
      for (const delivery of vendedDeliveries.values()) {
        const way = kind && delivery.sourceName === source.name ? this.wayOf(delivery, kind) : undefined;
        if (way) ways.push(way);
      }
    }
    return ways;
  }

  private wayOf(delivery: Delivery, kind: VendedLogKind): Way | undefined {
    const address = deliveryDestinationType.parse(delivery.destinationArn);
    const owner = address && this.state.service.existingState(address.place.accountId, address.place.region);
    const destination = owner?.deliveryDestinations.get(address!.key.name);
    if (!owner || !destination) return undefined;
    const format = destination.outputFormat ?? FORMATS[destination.type as Carrier][0];
    return { delivery, destination, owner, kind, format };
  }

  private async send(way: Way, stream: string, records: readonly VendedRecord[]): Promise<void> {
    const { delivery, destination, owner, kind, format } = way;
    const { region, resource } = parseArn(destination.resourceArn!)!;
    const lines = linesOf(records, delivery, format, kind);
    if (destination.type === 'CWL') {
      const group = resource.replace(/^log-group:/, '').replace(/:\*$/, '');
      // As in AWS, a missing group receives nothing.
      if (!owner.groups.find(group)) throw new Error(`The log group ${group} does not exist.`);
      const events = records.map(({ timestamp, cause }, index) => ({ timestamp, message: lines[index]!, cause }));
      await writeLines(owner, group, stream, events);
    } else if (destination.type === 'FH') {
      const DeliveryStreamName = resource.slice(resource.indexOf('/') + 1);
      for (const batch of batchesOf(lines)) {
        const Records = batch.map((line) => ({ Data: Buffer.from(`${line}\n`) }));
        await owner.call('firehose', 'PutRecordBatch', { DeliveryStreamName, Records }, { region });
      }
    } else await this.collect(way, lines);
  }

  /** Collects lines until an object is full or its time is up. */
  private async collect(way: Way, lines: readonly string[]): Promise<void> {
    const { id } = way.delivery;
    let collected = this.collected.get(id);
    if (!collected) {
      collected = { lines: [], bytes: 0 };
      this.collected.set(id, collected);
      const due = this.state.clock.now() + OBJECT_PERIOD;
      this.timers.set(id, due, () => this.attempt(way, () => this.flush(way)));
    }
    for (const line of lines) {
      collected.lines.push(line);
      collected.bytes += line.length;
    }
    if (collected.bytes >= OBJECT_BYTES) await this.flush(way);
  }

  /** Writes the collected lines as an object. */
  private async flush({ delivery, destination, owner, kind, format }: Way): Promise<void> {
    const collected = this.collected.get(delivery.id);
    this.collected.delete(delivery.id);
    this.timers.cancel(delivery.id);
    if (!collected) return;
    const { state } = this;
    const folder = folderOf(state, kind, delivery.s3 ?? {}, state.clock.now());
    const { resource } = parseArn(destination.resourceArn!)!;
    const [Bucket = '', ...prefix] = resource.split('/');
    const Key = [...prefix, `${folder}${state.ids.uuid()}.log.${format === PARQUET ? PARQUET : 'gz'}`].join('/');
    const Body =
      format === PARQUET
        ? await parquetFile(fieldsOf(delivery, kind), collected.lines)
        : gzipSync(`${headerOf(delivery, format, kind)}${collected.lines.join('\n')}\n`);
    const sourceArn = deliverySourceType.arn({ name: delivery.sourceName }, state);
    await writeDelivered(owner, { Bucket, Key, Body }, sourceArn, state);
  }

  /** Awaits a delivery and logs failures. */
  private async attempt({ delivery }: Way, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.state.log.warn(`records were not delivered to ${delivery.destinationArn}`, { error });
    }
  }
}

/** Splits lines into batches for Firehose. */
function* batchesOf(lines: readonly string[]): Iterable<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1;
    if (batch.length === BATCH || (batch.length && bytes + size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(line);
    bytes += size;
  }
  if (batch.length) yield batch;
}
