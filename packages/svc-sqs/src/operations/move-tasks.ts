import type { InputOf, ListMessageMoveTasksResultEntry, OutputOf } from '@emu/service-types/sqs';
import type { SqsContext } from '../context.ts';
import { invalidValueFor } from '../errors.ts';
import { queueOfArn } from '../lookup.ts';
import { formatTaskHandle, type MoveTask, parseTaskHandle } from '../messages/move-tasks.ts';

const MAX_RESULTS = 10;

/** Starts to move the messages of a dead-letter queue, to their source queues or a given queue. */
export function StartMessageMoveTask(
  input: InputOf<'StartMessageMoveTask'>,
  ctx: SqsContext,
): OutputOf<'StartMessageMoveTask'> {
  const source = queueOfArn(input.SourceArn, 'SourceArn', ctx);
  const destination =
    input.DestinationArn === undefined ? undefined : queueOfArn(input.DestinationArn, 'DestinationArn', ctx);
  const task = ctx.state.moveTasks.start(source, destination, input.MaxNumberOfMessagesPerSecond);
  return { TaskHandle: formatTaskHandle(task.id, ctx.state.arnOf(source.name)) };
}

/** Cancels a running task; moved messages stay where they are. */
export function CancelMessageMoveTask(
  input: InputOf<'CancelMessageMoveTask'>,
  ctx: SqsContext,
): OutputOf<'CancelMessageMoveTask'> {
  const { taskId, sourceArn } = parseTaskHandle(input.TaskHandle);
  const task = ctx.state.moveTasks.cancel(queueOfArn(sourceArn, 'SourceArn', ctx), taskId);
  return { ApproximateNumberOfMessagesMoved: task.moved };
}

/** Lists the latest tasks of a dead-letter queue. */
export function ListMessageMoveTasks(
  input: InputOf<'ListMessageMoveTasks'>,
  ctx: SqsContext,
): OutputOf<'ListMessageMoveTasks'> {
  const count = input.MaxResults ?? 1;
  if (!(count >= 1 && count <= MAX_RESULTS))
    throw invalidValueFor('MaxResults', count, `Must be between 1 and ${MAX_RESULTS}, if provided.`);
  const source = queueOfArn(input.SourceArn, 'SourceArn', ctx);
  const tasks = ctx.state.moveTasks.of(source).slice(0, count);
  return tasks.length ? { Results: tasks.map((task) => describeTask(task, ctx)) } : {};
}

function describeTask(task: MoveTask, ctx: SqsContext): ListMessageMoveTasksResultEntry {
  const { state } = ctx;
  const sourceArn = state.arnOf(task.source);
  return {
    TaskHandle: task.status === 'RUNNING' ? formatTaskHandle(task.id, sourceArn) : undefined,
    Status: task.status,
    SourceArn: sourceArn,
    DestinationArn: task.destination === undefined ? undefined : state.arnOf(task.destination),
    MaxNumberOfMessagesPerSecond: task.messagesPerSecond,
    ApproximateNumberOfMessagesMoved: task.moved,
    ApproximateNumberOfMessagesToMove: task.toMove,
    FailureReason: task.failureReason,
    StartedTimestamp: task.startedAt,
  };
}
