import type {
  StepFunctionsActivityTask,
  StepFunctionsExecution,
  StepFunctionsExecutionTree,
  StepFunctionsSyncExecution,
} from '../records/stepfunctions.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Step Functions. */
export const stepfunctions = {
  /** Lists executions with their histories. `GET /_emulator/stepfunctions/executions` */
  executions: json<{ executions: StepFunctionsExecution[] }>()('GET /_emulator/stepfunctions/executions'),

  /** Lists Express executions started by StartSyncExecution. `GET /_emulator/stepfunctions/sync-executions` */
  syncExecutions: json<{ executions: StepFunctionsSyncExecution[] }>()('GET /_emulator/stepfunctions/sync-executions'),

  /**
   * Returns an execution with the tree of executions that it started. `GET
   * /_emulator/stepfunctions/executions/{execution_arn}/tree`
   * @throws ApiError 404 for an unknown execution
   */
  executionTree: json<StepFunctionsExecutionTree>()(
    'GET /_emulator/stepfunctions/executions/{execution_arn}/tree',
    (executionArn: string) => ({
      params: { execution_arn: executionArn },
    }),
  ),

  /**
   * Adds a task for the workers of an activity. `POST /_emulator/stepfunctions/enqueue-activity-task`
   * @returns the token for the worker
   * @throws ApiError 404 for an unknown activity
   */
  enqueueActivityTask: json<{ taskToken: string }>()(
    'POST /_emulator/stepfunctions/enqueue-activity-task',
    (task: StepFunctionsActivityTask) => ({ body: task }),
  ),
};

/** Methods for the control routes of Step Functions. */
export interface StepFunctionsControl extends MethodsOf<typeof stepfunctions> {}

/** Control routes of Step Functions by name. */
export type StepFunctionsRoutes = RoutesOf<typeof stepfunctions>;
