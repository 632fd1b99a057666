import type { DeepReadonly } from '@emu/core/service';
import type { WarmThroughputObject } from '@emu/service-types/kinesis';
import type { StreamRecord } from '../records.ts';
import { openShards } from './shards.ts';

/** What an on-demand stream takes from the start, as descriptions show it: a MiB per second and shard by default. */
export function describeWarmThroughput(stream: DeepReadonly<StreamRecord>): WarmThroughputObject {
  const rate = stream.warmThroughputMiBps ?? openShards(stream).length;
  return { TargetMiBps: rate, CurrentMiBps: rate };
}
