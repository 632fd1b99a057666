import type { DeepReadonly } from '@emu/core/service';
import type { WarmThroughputObject } from '@emu/service-types/kinesis';
import { limitExceeded } from '../errors.ts';
import type { StreamRecord } from '../records.ts';
import { openShards } from './shards.ts';

/** Maximum warm throughput of a stream: 10 GiBps. */
const MAX_WARM_MIBPS = 10 * 1024;

/**
 * Checks a warm throughput of a request.
 * @throws AwsError `LimitExceededException`
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_UpdateStreamWarmThroughput.html
 */
export function checkWarmThroughput(rate: number | undefined): void {
  if (rate !== undefined && rate > MAX_WARM_MIBPS)
    throw limitExceeded(`WarmThroughputMiBps ${rate} exceeds the limit of ${MAX_WARM_MIBPS} MiBps for a stream.`);
}

/**
 * Returns the initial warm throughput of an on-demand stream, as in descriptions: by default one MiB per second and
 * shard.
 */
export function describeWarmThroughput(stream: DeepReadonly<StreamRecord>): WarmThroughputObject {
  const rate = stream.warmThroughputMiBps ?? openShards(stream).length;
  return { TargetMiBps: rate, CurrentMiBps: rate };
}
