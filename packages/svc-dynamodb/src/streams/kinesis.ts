import { parseArn, type StateScope } from '@emu/core';
import { encodeItem } from '../items/codec.ts';
import { keyOf, partitionText } from '../items/keys.ts';
import { equalItems, itemSize } from '../items/values.ts';
import type { ItemChange } from '../tables/table.ts';

/** Records that wait for their stream at most; the oldest go when it takes none. */
const MAX_WAITING = 10_000;

interface Waiting {
  streamArn: string;
  partitionKey: string;
  data: Uint8Array;
}

/**
 * Sends changes of items to Kinesis data streams, one after the other, so that a stream gets them in order: "Using
 * Kinesis Data Streams to capture changes to DynamoDB" of the developer guide.
 */
export class KinesisSender {
  private readonly waiting: Waiting[] = [];
  private sending = false;

  constructor(private readonly scope: StateScope) {}

  /** Sends a change to every stream its table has as a destination. */
  send({ table, before, after, expired }: ItemChange): void {
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
        userIdentity: expired ? { type: 'Service', principalId: 'dynamodb.amazonaws.com' } : null,
        recordFormat: 'application/json',
        tableName: table.name,
        dynamodb: {
          ApproximateCreationDateTime: precision === 'MICROSECOND' ? Math.floor(at * 1000) : Math.floor(at),
          ...(precision === undefined ? {} : { ApproximateCreationDateTimePrecision: precision }),
          Keys: encodeItem(keys),
          ...(after ? { NewImage: encodeItem(after) } : {}),
          ...(before ? { OldImage: encodeItem(before) } : {}),
          SizeBytes: size,
        },
        eventSource: 'aws:dynamodb',
      };
      if (this.waiting.length >= MAX_WAITING) {
        this.waiting.shift();
        this.scope.log.warn(`a Kinesis stream is too slow: the oldest waiting change of ${table.name} is dropped`);
      }
      this.waiting.push({
        streamArn,
        partitionKey: partitionText(keys, table.primary.schema).slice(0, 256) || '-',
        data: Buffer.from(JSON.stringify(record)),
      });
    }
    if (!this.sending) void this.drain();
  }

  private async drain(): Promise<void> {
    this.sending = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      const { streamArn, partitionKey, data } = next;
      const { accountId, region } = parseArn(streamArn)!;
      try {
        await this.scope.call(
          'kinesis',
          'PutRecord',
          { StreamARN: streamArn, PartitionKey: partitionKey, Data: data },
          { accountId, region },
        );
      } catch (error) {
        this.scope.log.warn(`a change could not be sent to ${streamArn}`, { error });
      }
    }
    this.sending = false;
  }
}
