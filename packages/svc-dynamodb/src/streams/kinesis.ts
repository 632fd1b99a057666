import {
  type Collection,
  defineCollection,
  type InterruptedWork,
  interruptedRecords,
  parseArn,
  type StateScope,
  servicePrincipalName,
  type Worker,
} from '@emu/core/service';
import { encodeItem } from '../attributes/codec.ts';
import { keyOf, partitionText } from '../attributes/keys.ts';
import { equalItems, itemSize } from '../attributes/values.ts';
import type { ItemChange } from '../tables/table.ts';

/** Maximum number of records waiting for their stream; the oldest are dropped if the stream rejects them. */
const MAX_WAITING = 10_000;

/** A change not yet accepted by its stream, stored by an id of its own. */
interface WaitingRecord {
  streamArn: string;
  partitionKey: string;
  /** JSON text. */
  data: string;
  /** Id of the request that made the change. */
  cause?: string;
}

export const kinesisRecords = defineCollection<WaitingRecord>('kinesis-records', 'region');

/**
 * Sends item changes to Kinesis data streams in order, one at a time: "Using Kinesis Data Streams to capture changes to
 * DynamoDB" of the developer guide.
 */
export class KinesisSender implements Worker {
  private readonly waiting: Collection<WaitingRecord>;
  private sending = false;
  private closed = false;

  constructor(private readonly scope: StateScope) {
    this.waiting = scope.collection(kinesisRecords);
  }

  /** Continues with records interrupted by a restart. After a failure, the first one is dropped. */
  interrupted(): InterruptedWork[] {
    const [first] = this.waiting.keys();
    return interruptedRecords(this.waiting, {
      name: (_, key) => `change ${key} for a Kinesis stream`,
      isLeft: (_, key) => key === first,
      resume: () => this.begin(),
      fail: (_change, _reason, key) => {
        this.waiting.delete(key);
        void this.begin();
      },
    });
  }

  close(): void {
    this.closed = true;
  }

  /** Sends a change to all destination streams of its table. */
  send({ table, before, after, expired, cause }: ItemChange): void {
    const destinations = table.record.kinesis?.filter(({ active }) => active);
    if (!destinations?.length || (before && after && equalItems(before, after))) return;
    const { clock, ids, region } = this.scope;
    const keys = keyOf((after ?? before)!, table.primary.schema);
    const size = itemSize(keys) + (before ? itemSize(before) : 0) + (after ? itemSize(after) : 0);
    for (const { streamArn, precision } of destinations) {
      const at = clock.now();
      const record = {
        awsRegion: region,
        eventID: ids.uuid(),
        eventName: !before ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
        userIdentity: expired ? { type: 'Service', principalId: servicePrincipalName('dynamodb') } : null,
        recordFormat: 'application/json',
        tableName: table.name,
        dynamodb: {
          ApproximateCreationDateTime: precision === 'MICROSECOND' ? Math.floor(at * 1000) : Math.floor(at),
          ...(precision !== undefined && { ApproximateCreationDateTimePrecision: precision }),
          Keys: encodeItem(keys),
          ...(after && { NewImage: encodeItem(after) }),
          ...(before && { OldImage: encodeItem(before) }),
          SizeBytes: size,
        },
        eventSource: 'aws:dynamodb',
      };
      if (this.waiting.size >= MAX_WAITING) {
        this.waiting.delete(this.waiting.keys().next().value!);
        this.scope.log.warn(`a Kinesis stream is too slow: the oldest waiting change of ${table.name} is dropped`);
      }
      this.waiting.put(ids.uuid(), {
        streamArn,
        partitionKey: partitionText(keys, table.primary.schema).slice(0, 256) || '-',
        data: JSON.stringify(record),
        ...(cause !== undefined && { cause }),
      });
    }
    void this.begin();
  }

  private begin(): Promise<void> {
    return this.sending ? Promise.resolve() : this.drain();
  }

  private async drain(): Promise<void> {
    this.sending = true;
    for (const [id, { streamArn, partitionKey, data, cause }] of this.waiting.entries()) {
      const { accountId, region } = parseArn(streamArn)!;
      const input = { StreamARN: streamArn, PartitionKey: partitionKey, Data: Buffer.from(data) };
      let failure: { error: unknown } | undefined;
      try {
        await this.scope.call('kinesis', 'PutRecord', input, { accountId, region, cause });
      } catch (error) {
        failure = { error };
      }
      // If the state has closed, the next one continues the work.
      if (this.closed) return;
      if (failure) this.scope.log.warn(`a change could not be sent to ${streamArn}`, failure);
      this.waiting.delete(id);
    }
    this.sending = false;
  }
}
