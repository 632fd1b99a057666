import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { ImportBatch, InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { conflict, invalidOperation, invalidParameter, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import type { ImportTaskRecord } from '../records.ts';
import { groupType } from '../resources.ts';

const SOURCE = /^eventdatastore\/[\w-]+$/;

/** @throws AwsError `ResourceNotFoundException` */
function taskOf(id: string, ctx: LogsContext): DeepReadonly<ImportTaskRecord> {
  const task = ctx.state.importTasks.get(id);
  if (!task) throw notFound('The specified import task does not exist.');
  return task;
}

/**
 * Creates an import from an event data store of CloudTrail Lake. It never completes: emu has no such stores.
 * @throws AwsError `InvalidParameterException`, `ConflictException` if the store already has an import
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateImportTask.html
 */
export function CreateImportTask(input: InputOf<'CreateImportTask'>, ctx: LogsContext): OutputOf<'CreateImportTask'> {
  const { importSourceArn: sourceArn, importRoleArn: roleArn, importFilter: filter } = input;
  const source = parseArn(sourceArn);
  if (source?.service !== 'cloudtrail' || !SOURCE.test(source.resource))
    throw invalidParameter('The import source must be an event data store of CloudTrail Lake.');
  if (parseArn(roleArn)?.service !== 'iam') throw invalidParameter('The import role is not valid.');
  const { startEventTime: start, endEventTime: end } = filter ?? {};
  if (start !== undefined && end !== undefined && start > end)
    throw invalidParameter('The start of the import must not be after its end.');
  const running = [...ctx.state.importTasks.values()].some(
    (task) => task.sourceArn === sourceArn && task.status === 'IN_PROGRESS',
  );
  if (running) throw conflict('The event data store is being imported already.');
  const id = ctx.ids.uuid();
  const now = ctx.clock.now();
  const destinationArn = groupType.arn({ name: `aws/cloudtrail/${source.resource.split('/')[1]}` }, ctx);
  ctx.state.importTasks.put(id, {
    id,
    sourceArn,
    roleArn,
    destinationArn,
    ...(filter && { filter }),
    status: 'IN_PROGRESS',
    createdAt: now,
    updatedAt: now,
  });
  return { importId: id, importDestinationArn: destinationArn, creationTime: now };
}

/**
 * Cancels an import.
 * @throws AwsError `ResourceNotFoundException`, `InvalidOperationException` if it has ended
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CancelImportTask.html
 */
export function CancelImportTask(
  { importId }: InputOf<'CancelImportTask'>,
  ctx: LogsContext,
): OutputOf<'CancelImportTask'> {
  if (taskOf(importId, ctx).status !== 'IN_PROGRESS')
    throw invalidOperation('The specified import task has already finished.');
  const task = ctx.state.importTasks.update(importId, (draft) => {
    draft.status = 'CANCELLED';
    draft.updatedAt = ctx.clock.now();
  });
  return {
    importId,
    importStatistics: { bytesImported: 0 },
    importStatus: task.status,
    creationTime: task.createdAt,
    lastUpdatedTime: task.updatedAt,
  };
}

/**
 * Lists imports.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeImportTasks.html
 */
export function DescribeImportTasks(
  input: InputOf<'DescribeImportTasks'>,
  ctx: LogsContext,
): OutputOf<'DescribeImportTasks'> {
  const { importId, importStatus, importSourceArn } = input;
  if (importId !== undefined) taskOf(importId, ctx);
  const found = [...ctx.state.importTasks.values()].filter(
    ({ id, status, sourceArn }) =>
      (importId === undefined || id === importId) &&
      (importStatus === undefined || status === importStatus) &&
      (importSourceArn === undefined || sourceArn === importSourceArn),
  );
  return paging
    .page('DescribeImportTasks', input, found, ({ id }) => id)
    .list((task) => ({
      importId: task.id,
      importSourceArn: task.sourceArn,
      importStatus: task.status,
      importDestinationArn: task.destinationArn,
      importStatistics: { bytesImported: 0 },
      ...(task.filter && { importFilter: { ...task.filter } }),
      creationTime: task.createdAt,
      lastUpdatedTime: task.updatedAt,
    }));
}

/**
 * Lists the batches of an import; none has started.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeImportTaskBatches.html
 */
export function DescribeImportTaskBatches(
  input: InputOf<'DescribeImportTaskBatches'>,
  ctx: LogsContext,
): OutputOf<'DescribeImportTaskBatches'> {
  const { id, sourceArn } = taskOf(input.importId, ctx);
  const batches: readonly ImportBatch[] = [];
  const page = paging.page('DescribeImportTaskBatches', input, batches, ({ batchId }) => batchId);
  return { importSourceArn: sourceArn, importId: id, ...page.list((batch) => batch) };
}
