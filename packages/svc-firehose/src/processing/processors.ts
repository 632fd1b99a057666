import type { DeepReadonly } from '@emu/core/service';
import type { ProcessingConfiguration, ProcessorParameterName, ProcessorType } from '@emu/service-types/firehose';
import { decompress, messagesOf } from './cloudwatch-logs.ts';
import { delimitedParts, jsonObjects } from './deaggregation.ts';

/** What processes the records of a destination. */
export type Processing = DeepReadonly<ProcessingConfiguration> | undefined;

/** The parameters of a processor; undefined where there is none of the type. */
export function parametersOf(
  processing: Processing,
  type: ProcessorType,
): Map<ProcessorParameterName, string> | undefined {
  const processor = processing?.Enabled ? processing.Processors?.find(({ Type }) => Type === type) : undefined;
  return (
    processor && new Map(processor.Parameters?.map(({ ParameterName: name, ParameterValue: value }) => [name, value]))
  );
}

/** Whether records are changed by more than a delimiter. */
export const hasProcessors = (processing: Processing): boolean =>
  processing?.Enabled === true && (processing.Processors ?? []).some(({ Type }) => Type !== 'AppendDelimiterToRecord');

/**
 * The records that a record becomes before a function sees them: decompressed, without what CloudWatch Logs says around
 * messages, and taken apart.
 * @throws Error where that cannot be done
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

/** The query by which records are partitioned; undefined where there is none. */
export const queryOf = (processing: Processing): string | undefined =>
  parametersOf(processing, 'MetadataExtraction')?.get('MetadataExtractionQuery');
