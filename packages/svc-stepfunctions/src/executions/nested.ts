import type { JsonObject } from '../asl/json.ts';
import type { Execution } from './execution.ts';

/**
 * Returns the output of a task that started an execution and waited for it.
 * @param record the finished execution, decrypted
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/connect-stepfunctions.html
 */
export function nestedOutput(record: Execution, executionArn: string, machineArn: string): JsonObject {
  const included = { Included: true };
  return {
    ...(record.cause !== undefined && { Cause: record.cause }),
    ...(record.error !== undefined && { Error: record.error }),
    ExecutionArn: executionArn,
    Input: record.input,
    InputDetails: included,
    Name: record.name,
    ...(record.output !== undefined && { Output: record.output, OutputDetails: included }),
    RedriveCount: record.redrives ?? 0,
    ...(record.status === 'SUCCEEDED'
      ? { RedriveStatus: 'NOT_REDRIVABLE', RedriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven' }
      : { RedriveStatus: 'REDRIVABLE' }),
    StartDate: record.startedAt,
    StateMachineArn: machineArn,
    Status: record.status,
    StopDate: record.stoppedAt ?? null,
  };
}
