import type { DeepReadonly } from '@emu/core/service';
import type { ProcessorParameterName } from '@emu/service-types/firehose';
import { parametersOf } from '../processing/processors.ts';
import type { DestinationRecord, Lane } from '../records.ts';

type Destination = DeepReadonly<DestinationRecord>;

/** Buffering limits: the first one reached flushes a buffer. */
export interface Hints {
  bytes: number;
  /** Milliseconds. */
  interval: number;
}

const MEBIBYTE = 1024 * 1024;
const DEFAULTS = { SizeInMBs: 5, IntervalInSeconds: 300 };
/** Limits of functions: "Transform source data" of the developer guide. */
const FUNCTION_DEFAULTS = { SizeInMBs: 1, IntervalInSeconds: 60 };

/** A transformation function. */
export interface Transformer {
  arn: string;
  /** Absent if the destination's role invokes it. */
  roleArn: string | undefined;
  retries: number;
  hints: Hints;
}

const DEFAULT_RETRIES = 3;

const hintsOf = (
  given: { SizeInMBs?: number | undefined; IntervalInSeconds?: number | undefined } | undefined,
  { SizeInMBs, IntervalInSeconds } = DEFAULTS,
): Hints => ({
  bytes: (given?.SizeInMBs ?? SizeInMBs) * MEBIBYTE,
  interval: (given?.IntervalInSeconds ?? IntervalInSeconds) * 1000,
});

/** Returns the function of a destination; undefined without one. */
export function transformerOf({ settings }: Destination): Transformer | undefined {
  const parameters = parametersOf(settings.ProcessingConfiguration, 'Lambda');
  const arn = parameters?.get('LambdaArn');
  if (!parameters || arn === undefined) return undefined;
  const number = (name: ProcessorParameterName): number | undefined =>
    parameters.has(name) ? Number(parameters.get(name)) : undefined;
  return {
    arn,
    roleArn: parameters.get('RoleArn'),
    retries: number('NumberOfRetries') ?? DEFAULT_RETRIES,
    hints: hintsOf(
      { SizeInMBs: number('BufferSizeInMBs'), IntervalInSeconds: number('BufferIntervalInSeconds') },
      FUNCTION_DEFAULTS,
    ),
  };
}

/** Returns the delimiter that a destination appends to each record; `\n` is written with a backslash. */
export function delimiterOf({ settings }: Destination): string {
  const parameters = parametersOf(settings.ProcessingConfiguration, 'AppendDelimiterToRecord');
  return parameters ? (parameters.get('Delimiter') ?? '\\n').replaceAll('\\n', '\n') : '';
}

/** Appends the delimiter to base64 data. */
export const delimited = (data: Uint8Array, delimiter: Uint8Array): string =>
  (delimiter.length === 0 ? Buffer.from(data) : Buffer.concat([data, delimiter])).toString('base64');

/** Returns the buffering limits of a lane. */
export function hintsFor(destination: Destination, lane: Lane): Hints {
  if (lane === 'transform') return transformerOf(destination)?.hints ?? { bytes: 0, interval: 0 };
  if (destination.kind !== 's3') {
    const { S3DestinationDescription: bucket, BufferingHints: own } = destination.settings;
    return hintsOf(lane === 'deliver' ? (own ?? bucket?.BufferingHints) : bucket?.BufferingHints);
  }
  const { settings } = destination;
  return hintsOf(lane === 'backup' ? settings.S3BackupDescription?.BufferingHints : settings.BufferingHints);
}
