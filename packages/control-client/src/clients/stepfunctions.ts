import type {
  StepFunctionsActivityTask,
  StepFunctionsExecution,
  StepFunctionsExecutionTree,
  StepFunctionsSyncExecution,
} from '../routes/stepfunctions.ts';
import { AreaControl } from './area.ts';

/** Control routes of Step Functions. */
export class StepFunctionsControl extends AreaControl {
  /** Executions with their histories. `GET /_emulator/stepfunctions/executions` */
  executions(): Promise<{ executions: StepFunctionsExecution[] }> {
    return this.transport.json('GET /_emulator/stepfunctions/executions');
  }

  /** Express executions made by StartSyncExecution. `GET /_emulator/stepfunctions/sync-executions` */
  syncExecutions(): Promise<{ executions: StepFunctionsSyncExecution[] }> {
    return this.transport.json('GET /_emulator/stepfunctions/sync-executions');
  }

  /**
   * An execution with the executions it started, and so on down.
   * `GET /_emulator/stepfunctions/executions/{execution_arn}/tree`
   * @throws ApiError 404 for an unknown execution
   */
  executionTree(executionArn: string): Promise<StepFunctionsExecutionTree> {
    return this.transport.json('GET /_emulator/stepfunctions/executions/{execution_arn}/tree', {
      params: { execution_arn: executionArn },
    });
  }

  /**
   * Gives an activity's workers a task. `POST /_emulator/stepfunctions/enqueue-activity-task`
   * @returns the token the worker will get
   * @throws ApiError 404 for an unknown activity
   */
  enqueueActivityTask(task: StepFunctionsActivityTask): Promise<{ taskToken: string }> {
    return this.transport.json('POST /_emulator/stepfunctions/enqueue-activity-task', { body: task });
  }
}
