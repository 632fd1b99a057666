import type { DeepReadonly } from '@emu/core/service';
import type { WarmThroughputObject } from '@emu/service-types/kinesis';
import type { StreamRecord } from '../records.ts';
import { openShards } from './shards.ts';

/**
 * Returns the initial warm throughput of an on-demand stream, as in descriptions: by default one MiB per second and
 * shard.
 */
export function describeWarmThroughput(stream: DeepReadonly<StreamRecord>): WarmThroughputObject {
  const rate = stream.warmThroughputMiBps ?? openShards(stream).length;
  return { TargetMiBps: rate, CurrentMiBps: rate };
}
