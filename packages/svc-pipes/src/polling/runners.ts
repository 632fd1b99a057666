import { sourceKind } from '../definition/sources.ts';
import { callerFor } from '../execution/addresses.ts';
import type { PipeWork } from '../execution/work.ts';
import { QueueReader } from './queue-reader.ts';
import type { CallSource, SourceReader } from './source.ts';
import { StreamReader } from './stream-reader.ts';

/** How a pipe calls the service of its source. */
export const sourceCaller = (work: PipeWork): CallSource => {
  const options = callerFor(work, work.pipe.source, undefined);
  return (service, operation, input, signal) =>
    work.state.call(service, operation, input, { ...options, ...(signal && { signal }) });
};

/** Begins to read the source of a pipe. */
export function readerOf(work: PipeWork): SourceReader {
  const { source, sourceParameters } = work.pipe;
  const call = sourceCaller(work);
  return sourceKind(source, sourceParameters.parameters) === 'sqs'
    ? new QueueReader(work, call)
    : new StreamReader(work, call);
}
