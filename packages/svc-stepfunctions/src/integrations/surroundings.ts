import type { StateScope } from '@emu/core/service';
import type { JsonObject } from '../asl/json.ts';
import type { MapRunner } from '../runtime/map-runs.ts';
import type { Scope } from '../runtime/scope.ts';
import type { WaitingTasks } from '../runtime/waiting.ts';
import type { TestCase } from './mock-file.ts';

/** What tasks need besides the execution. */
export interface Surroundings {
  readonly scope: StateScope;
  readonly waiting: WaitingTasks;
  /** Role of the state machine. */
  readonly roleArn: string;
  /** ARN of the execution. */
  readonly executionArn: string;
  activityExists(arn: string): boolean;
  /** Runs of distributed maps that the execution makes. */
  readonly maps: MapRunner;
  /** What stands for services, in an execution of a test case. */
  readonly testCase?: TestCase | undefined;
  /** Waits for a nested execution. @returns what DescribeExecution says of it */
  nested(arn: string, scope: Scope): Promise<JsonObject>;
}
