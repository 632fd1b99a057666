import { invalidParameterValue } from '../errors.ts';

const STANDARD = /^[A-Za-z0-9_-]{1,80}$/;
const FIFO = /^(?=.{6,80}$)[A-Za-z0-9_-]+\.fifo$/;

/** Whether a name is a FIFO queue's. */
export function isFifoName(name: string): boolean {
  return name.endsWith('.fifo');
}

/**
 * Validates the name of a new queue.
 * @throws AwsError `InvalidParameterValue` with AWS's message for the queue type
 */
export function checkQueueName(name: string | undefined, fifo: boolean): asserts name is string {
  if (name === undefined)
    throw invalidParameterValue('Value for parameter QueueName is invalid. Reason: Must specify a queue name.');
  if (!name) throw invalidParameterValue('Queue name cannot be empty');
  if (fifo && !FIFO.test(name))
    throw invalidParameterValue(
      'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length.',
    );
  if (!fifo && !STANDARD.test(name))
    throw invalidParameterValue('Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length');
}
