import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { namedTable } from '../context.ts';
import { invalid } from '../errors.ts';
import type { Table } from '../tables/table.ts';

const WRONG_STATE = 'Table is not in a valid state to enable Kinesis Streaming Destination: ';

function checkStream(arn: string): void {
  const parsed = parseArn(arn);
  if (parsed?.service !== 'kinesis' || !parsed.resource.startsWith('stream/'))
    throw invalid(`Invalid StreamArn: ${arn}`);
}

function notFound(table: Table, streamArn: string): string {
  return `No streaming destination with streamArn: ${streamArn} found for table with tableName: ${table.name}`;
}

/**
 * Checks with the caller's identity that the destination stream exists in Kinesis.
 * @throws AwsError `ResourceNotFoundException` if it is missing; `NotImplemented` if Kinesis is not available
 */
async function checkExists(StreamARN: string, ctx: DynamodbContext): Promise<void> {
  const { accountId, region } = parseArn(StreamARN)!;
  await ctx.call('kinesis', 'DescribeStreamSummary', { StreamARN }, { accountId, region, authorize: {} });
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_EnableKinesisStreamingDestination.html */
export async function EnableKinesisStreamingDestination(
  input: InputOf<'EnableKinesisStreamingDestination'>,
  ctx: DynamodbContext,
): Promise<OutputOf<'EnableKinesisStreamingDestination'>> {
  const table = namedTable(ctx, input.TableName);
  checkStream(input.StreamArn);
  await checkExists(input.StreamArn, ctx);
  const known = table.record.kinesis ?? [];
  if (known.some(({ active }) => active))
    throw invalid(
      `${WRONG_STATE}Table ${table.name} already has an active Kinesis Streaming Destination, or one that is being enabled`,
    );
  const precision = input.EnableKinesisStreamingConfiguration?.ApproximateCreationDateTimePrecision;
  table.update((draft) => {
    draft.kinesis = [
      ...(draft.kinesis ?? []).filter(({ streamArn }) => streamArn !== input.StreamArn),
      { streamArn: input.StreamArn, active: true, ...(precision !== undefined && { precision }) },
    ];
  });
  return {
    TableName: table.name,
    StreamArn: input.StreamArn,
    DestinationStatus: 'ENABLING',
    EnableKinesisStreamingConfiguration: input.EnableKinesisStreamingConfiguration ?? {},
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DisableKinesisStreamingDestination.html */
export function DisableKinesisStreamingDestination(
  input: InputOf<'DisableKinesisStreamingDestination'>,
  ctx: DynamodbContext,
): OutputOf<'DisableKinesisStreamingDestination'> {
  const table = namedTable(ctx, input.TableName);
  checkStream(input.StreamArn);
  const known = table.record.kinesis?.find(({ streamArn }) => streamArn === input.StreamArn);
  if (!known?.active)
    throw invalid(
      `Table is not in a valid state to disable Kinesis Streaming Destination: ${notFound(table, input.StreamArn)}`,
    );
  table.update((draft) => {
    for (const destination of draft.kinesis!) if (destination.streamArn === input.StreamArn) destination.active = false;
  });
  return { TableName: table.name, StreamArn: input.StreamArn, DestinationStatus: 'DISABLING' };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateKinesisStreamingDestination.html */
export function UpdateKinesisStreamingDestination(
  input: InputOf<'UpdateKinesisStreamingDestination'>,
  ctx: DynamodbContext,
): OutputOf<'UpdateKinesisStreamingDestination'> {
  const precision = input.UpdateKinesisStreamingConfiguration?.ApproximateCreationDateTimePrecision;
  if (precision === undefined)
    throw invalid(
      'Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be null or contain only null values',
    );
  const table = namedTable(ctx, input.TableName);
  checkStream(input.StreamArn);
  const known = table.record.kinesis?.find(({ streamArn }) => streamArn === input.StreamArn);
  if (!known?.active) throw invalid(`${WRONG_STATE}${notFound(table, input.StreamArn)}`);
  if (known.precision === precision)
    throw invalid(
      `Invalid Request: Precision is already set to the desired value of ${precision} for tableId: ${table.record.id}, kdsArn: ${input.StreamArn}`,
    );
  table.update((draft) => {
    for (const destination of draft.kinesis!)
      if (destination.streamArn === input.StreamArn) destination.precision = precision;
  });
  return {
    TableName: table.name,
    StreamArn: input.StreamArn,
    DestinationStatus: 'UPDATING',
    UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: precision },
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeKinesisStreamingDestination.html */
export function DescribeKinesisStreamingDestination(
  input: InputOf<'DescribeKinesisStreamingDestination'>,
  ctx: DynamodbContext,
): OutputOf<'DescribeKinesisStreamingDestination'> {
  const table = namedTable(ctx, input.TableName);
  return {
    TableName: table.name,
    KinesisDataStreamDestinations: (table.record.kinesis ?? []).map(({ streamArn, active, precision }) => ({
      StreamArn: streamArn,
      DestinationStatus: active ? 'ACTIVE' : 'DISABLED',
      ApproximateCreationDateTimePrecision: precision,
    })),
  };
}
