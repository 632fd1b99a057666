import type { StateScope } from '@emu/core/service';
import type { JsonObject } from '../asl/json.ts';
import type { MapRunner } from '../runtime/map-runs.ts';
import type { Scope } from '../runtime/scope.ts';
import type { WaitingTasks } from '../runtime/waiting.ts';
import type { TestCase } from './mock-file.ts';

/** Context of tasks besides the execution. */
export interface TaskContext {
  readonly scope: StateScope;
  readonly waiting: WaitingTasks;
  /** Role of the state machine. */
  readonly roleArn: string;
  /** ARN of the execution. */
  readonly executionArn: string;
  activityExists(arn: string): boolean;
  /** Map runs of the execution. */
  readonly maps: MapRunner;
  /** Test case that mocks services, if any. */
  readonly testCase?: TestCase | undefined;
  /**
   * Waits for a nested execution.
   * @returns its description as in DescribeExecution
   */
  nested(arn: string, scope: Scope): Promise<JsonObject>;
}
