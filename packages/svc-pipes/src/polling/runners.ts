import {
  type CallSource,
  QueueReader,
  recordFilter,
  type SourceReader,
  StreamReader,
  streamSource,
} from '@emu/polling';
import { batchSizeOf } from '../definition/batch-size.ts';
import { batchParameters, sourceKind } from '../definition/sources.ts';
import { callerFor } from '../execution/addresses.ts';
import { execute } from '../execution/execute.ts';
import type { PipeWork } from '../execution/work.ts';
import { dataEvent, startingPosition, withoutLater } from './records.ts';
import { ShardReader } from './shard-reader.ts';

/** Batches of messages that a pipe processes concurrently: the initial number of pollers in AWS. */
const CONCURRENCY = 5;

/** Calls the service of a pipe's source. */
export const sourceCaller = (work: PipeWork): CallSource => {
  const options = callerFor(work, work.pipe.source, undefined);
  return (service, operation, input, signal) =>
    work.state.call(service, operation, input, { ...options, ...(signal && { signal }) });
};

/** Starts reading the source of a pipe. */
export function readerOf(work: PipeWork): SourceReader {
  const { source, sourceParameters } = work.pipe;
  return sourceKind(source, sourceParameters.parameters) === 'sqs' ? queueReader(work) : streamReader(work);
}

function queueReader(work: PipeWork): SourceReader {
  const { pipe, state } = work;
  const { parameters } = pipe.sourceParameters;
  return new QueueReader({
    clock: state.clock,
    arn: pipe.source,
    call: sourceCaller(work),
    batchSize: batchSizeOf(pipe),
    window: batchParameters('sqs', parameters).MaximumBatchingWindowInSeconds ?? 0,
    concurrency: CONCURRENCY,
    matches: recordFilter(parameters.FilterCriteria?.Filters),
    work: async (batch) => withoutLater(batch, (await execute(work, batch)).failed),
    warn: (error, read) =>
      state.log.warn(
        read
          ? `the queue of the pipe ${pipe.name} cannot be read`
          : `messages could not go through the pipe ${pipe.name}`,
        { error },
      ),
  });
}

function streamReader(work: PipeWork): SourceReader {
  const { pipe, state } = work;
  const source = streamSource({ arn: pipe.source, role: pipe.roleArn, call: sourceCaller(work), dataEvent });
  return new StreamReader({
    clock: state.clock,
    source,
    startingPosition: startingPosition(pipe),
    hasPositions: () => state.hasPositions(pipe.id),
    isDone: (shard) => state.position(pipe.id, shard)?.done === true,
    shardWork: (shard, from, wait) => new ShardReader({ work, source, shard, from, wait }),
    warn: (error) => state.log.warn(`the stream of the pipe ${pipe.name} cannot be read`, { error }),
  });
}
