import type { DeepReadonly } from '@emu/core/service';
import type { ExportTask, InputOf, OutputOf } from '@emu/service-types/logs';
import { AwsError } from '@emu/wire';
import type { LogsContext } from '../context.ts';
import { invalidOperation, invalidParameter, limitExceeded, notFound } from '../errors.ts';
import { exporter, exportObject, isActive } from '../export-tasks.ts';
import { checkReadable } from '../groups/group-classes.ts';
import { groupNamed } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { ExportTaskRecord } from '../records.ts';

/** Object that shows whether CloudWatch Logs can write to a bucket. */
const TEST_KEY = 'aws-logs-write-test';
const TEST_BODY = Buffer.from('Permission Check Successful');

/**
 * Starts an export of a time range's events to S3.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`, `LimitExceededException` while another
 * task runs
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateExportTask.html
 */
export async function CreateExportTask(
  input: InputOf<'CreateExportTask'>,
  ctx: LogsContext,
): Promise<OutputOf<'CreateExportTask'>> {
  const {
    taskName,
    from,
    to,
    destination: bucket,
    destinationPrefix: prefix,
    logStreamNamePrefix: streamPrefix,
  } = input;
  if (from >= to) throw invalidParameter('The specified time range is not valid: from must be before to.');
  const { state, group } = groupNamed(input.logGroupName, ctx);
  checkReadable(group, 'CreateExportTask');
  if ([...state.exportTasks.values()].some(isActive)) throw limitExceeded();
  await writeTest(bucket, prefix, group.name, ctx);
  if ([...state.exportTasks.values()].some(isActive)) throw limitExceeded();
  const id = ctx.ids.uuid();
  state.exportTasks.put(id, {
    id,
    ...(taskName !== undefined && { name: taskName }),
    group: group.name,
    ...(streamPrefix !== undefined && { streamPrefix }),
    from,
    to,
    bucket,
    ...(prefix !== undefined && { prefix }),
    status: 'PENDING',
    createdAt: ctx.clock.now(),
  });
  state.exports.schedule(id);
  return { taskId: id };
}

/**
 * Writes a test object to the bucket: below the prefix if there is one, otherwise at the root.
 * @throws AwsError `InvalidParameterException` if the bucket is missing or does not permit CloudWatch Logs to read its
 * ACL and to write
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/S3ExportTasks.html
 */
async function writeTest(Bucket: string, prefix: string | undefined, group: string, ctx: LogsContext): Promise<void> {
  const orRefuse = async (check: Promise<unknown>, message: string): Promise<void> => {
    try {
      await check;
    } catch (error) {
      if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
      throw invalidParameter(message);
    }
  };
  await orRefuse(
    ctx.call('s3', 'HeadBucket', { Bucket }),
    'The given bucket does not exist. Please make sure the bucket is valid.',
  );
  const refused = (call: string) =>
    `${call} call on the given bucket failed. Please check if CloudWatch Logs has been granted permission to perform this operation.`;
  await orRefuse(ctx.call('s3', 'GetBucketAcl', { Bucket }, exporter(ctx.state, group)), refused('GetBucketAcl'));
  const Key = prefix === undefined ? TEST_KEY : `${prefix}/${TEST_KEY}`;
  await orRefuse(exportObject(ctx.state, group, { Bucket, Key, Body: TEST_BODY }), refused('PutObject'));
}

/**
 * Cancels a pending or running export task.
 * @throws AwsError `ResourceNotFoundException`, `InvalidOperationException` if it has ended
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CancelExportTask.html
 */
export function CancelExportTask(input: InputOf<'CancelExportTask'>, ctx: LogsContext): OutputOf<'CancelExportTask'> {
  const task = ctx.state.exportTasks.get(input.taskId);
  if (!task) throw notFound('The specified export task does not exist.');
  if (!isActive(task)) throw invalidOperation('The specified export task has already finished');
  ctx.state.exports.cancel(task.id);
  return {};
}

/**
 * Lists export tasks.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeExportTasks.html
 */
export function DescribeExportTasks(
  input: InputOf<'DescribeExportTasks'>,
  ctx: LogsContext,
): OutputOf<'DescribeExportTasks'> {
  const { taskId, statusCode } = input;
  const found = [...ctx.state.exportTasks.values()].filter(
    ({ id, status }) => (taskId === undefined || id === taskId) && (statusCode === undefined || status === statusCode),
  );
  return paging.page('DescribeExportTasks', input, found, ({ id }) => id).list(describe);
}

const describe = (task: DeepReadonly<ExportTaskRecord>): ExportTask => ({
  taskId: task.id,
  ...(task.name !== undefined && { taskName: task.name }),
  logGroupName: task.group,
  from: task.from,
  to: task.to,
  destination: task.bucket,
  destinationPrefix: task.prefix ?? 'exportedlogs',
  status: { code: task.status, ...(task.message !== undefined && { message: task.message }) },
  executionInfo: {
    creationTime: task.createdAt,
    ...(task.completedAt !== undefined && { completionTime: task.completedAt }),
  },
});
