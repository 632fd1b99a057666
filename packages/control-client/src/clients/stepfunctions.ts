import type {
  StepFunctionsActivityTask,
  StepFunctionsExecution,
  StepFunctionsExecutionTree,
  StepFunctionsSyncExecution,
} from '../routes/stepfunctions.ts';
import { AreaControl } from './area.ts';

/** Control routes of Step Functions. */
export class StepFunctionsControl extends AreaControl {
  /** Lists executions with their histories. `GET /_emulator/stepfunctions/executions` */
  executions(): Promise<{ executions: StepFunctionsExecution[] }> {
    return this.transport.json('GET /_emulator/stepfunctions/executions');
  }

  /** Lists Express executions started by StartSyncExecution. `GET /_emulator/stepfunctions/sync-executions` */
  syncExecutions(): Promise<{ executions: StepFunctionsSyncExecution[] }> {
    return this.transport.json('GET /_emulator/stepfunctions/sync-executions');
  }

  /**
   * Returns an execution with the tree of executions that it started. `GET
   * /_emulator/stepfunctions/executions/{execution_arn}/tree`
   * @throws ApiError 404 for an unknown execution
   */
  executionTree(executionArn: string): Promise<StepFunctionsExecutionTree> {
    return this.transport.json('GET /_emulator/stepfunctions/executions/{execution_arn}/tree', {
      params: { execution_arn: executionArn },
    });
  }

  /**
   * Adds a task for the workers of an activity. `POST /_emulator/stepfunctions/enqueue-activity-task`
   * @returns the token for the worker
   * @throws ApiError 404 for an unknown activity
   */
  enqueueActivityTask(task: StepFunctionsActivityTask): Promise<{ taskToken: string }> {
    return this.transport.json('POST /_emulator/stepfunctions/enqueue-activity-task', { body: task });
  }
}
