import type { DeepReadonly } from '@emu/core/service';
import type { ProcessingConfiguration, ProcessorParameterName, ProcessorType } from '@emu/service-types/firehose';
import { decompress, messagesOf } from './cloudwatch-logs.ts';
import { delimitedParts, jsonObjects } from './deaggregation.ts';

/** Processors of a destination. */
export type Processing = DeepReadonly<ProcessingConfiguration> | undefined;

/** Returns the parameters of a processor; undefined without one of the type. */
export function parametersOf(
  processing: Processing,
  type: ProcessorType,
): Map<ProcessorParameterName, string> | undefined {
  const processor = processing?.Enabled ? processing.Processors?.find(({ Type }) => Type === type) : undefined;
  return (
    processor && new Map(processor.Parameters?.map(({ ParameterName: name, ParameterValue: value }) => [name, value]))
  );
}

/** Whether processing changes records beyond delimiters. */
export const hasProcessors = (processing: Processing): boolean =>
  processing?.Enabled === true && (processing.Processors ?? []).some(({ Type }) => Type !== 'AppendDelimiterToRecord');

/**
 * Prepares a record for the function: decompresses it, extracts CloudWatch Logs messages, and deaggregates it.
 * @throws Error if that fails
 */
export function prepared(processing: Processing, data: Buffer): Buffer[] {
  let records = [parametersOf(processing, 'Decompression') ? decompress(data) : data];
  if (parametersOf(processing, 'CloudWatchLogProcessing')?.get('DataMessageExtraction') === 'true')
    records = records.flatMap((record) => messagesOf(record) ?? []);
  const aggregation = parametersOf(processing, 'RecordDeAggregation');
  if (!aggregation) return records;
  if (aggregation.get('SubRecordType') !== 'DELIMITED') return records.flatMap(jsonObjects);
  const delimiter = Buffer.from(aggregation.get('Delimiter') ?? '', 'base64');
  return records.flatMap((record) => delimitedParts(record, delimiter));
}

/** Returns the partitioning query; undefined without one. */
export const queryOf = (processing: Processing): string | undefined =>
  parametersOf(processing, 'MetadataExtraction')?.get('MetadataExtractionQuery');
