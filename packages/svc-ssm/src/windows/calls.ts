import type { CallOptions, StateScope } from '@emu/core/service';
import { roleSessionPrincipal } from '@emu/core/service';
import type { MaintenanceWindowExecutionStatus, Target } from '@emu/service-types/ssm';
import { asSsm } from '../parameters/events.ts';
import type { InvocationRecord, WindowTaskRecord } from './records.ts';
import { type PseudoValues, substitute, substituteAll } from './substitution.ts';

/** Outcome of a call. */
export interface Outcome {
  readonly status: MaintenanceWindowExecutionStatus;
  readonly details?: string | undefined;
  /** Id of the execution that the call started. */
  readonly executionId?: string | undefined;
}

/** Operation and parameters of a call. */
export interface Call {
  /** JSON text that describes the invocation in responses. */
  readonly parameters: string;
  begin(): Promise<Outcome>;
}

const RUNNING = 'IN_PROGRESS';

/** Returns the identity of a task's calls: its role, or the service. */
function optionsFor(task: WindowTaskRecord, invocation: Pick<InvocationRecord, 'id'>, scope: StateScope): CallOptions {
  const own = asSsm(scope.accountId, scope.region, invocation.id);
  if (task.serviceRoleArn === undefined) return own;
  return { ...own, principal: roleSessionPrincipal(task.serviceRoleArn, invocation.id), authorize: {} };
}

/** Returns the call for an invocation of a task. */
export function callOf(
  task: WindowTaskRecord,
  invocation: InvocationRecord,
  values: PseudoValues,
  scope: StateScope,
): Call {
  const options = optionsFor(task, invocation, scope);
  const given = (own: Record<string, string[]> | undefined) => substituteAll(own ?? task.parameters, values);
  switch (task.type) {
    case 'LAMBDA':
      return invoke(task, values, scope, options);
    case 'STEP_FUNCTIONS':
      return startExecution(task, invocation, values, scope, options);
    case 'AUTOMATION': {
      const { DocumentVersion, Parameters } = task.invocation.Automation ?? {};
      const parameters = given(Parameters);
      return {
        parameters: JSON.stringify({ documentName: task.arn, documentVersion: DocumentVersion, parameters }),
        async begin() {
          const input = { DocumentName: task.arn, DocumentVersion, Parameters: parameters };
          const { AutomationExecutionId } = await scope.call('ssm', 'StartAutomationExecution', input, options);
          return { status: RUNNING, executionId: AutomationExecutionId };
        },
      };
    }
    default:
      return sendCommand(task, invocation, given(task.invocation.RunCommand?.Parameters), scope, options);
  }
}

function invoke(task: WindowTaskRecord, values: PseudoValues, scope: StateScope, options: CallOptions): Call {
  const { ClientContext, Qualifier, Payload } = task.invocation.Lambda ?? {};
  const text = Payload === undefined ? undefined : substitute(Buffer.from(Payload, 'base64').toString(), values);
  return {
    parameters: text ?? '',
    async begin() {
      const answer = await scope.call(
        'lambda',
        'Invoke',
        {
          FunctionName: task.arn,
          ...(Qualifier !== undefined && { Qualifier }),
          ...(ClientContext !== undefined && { ClientContext }),
          ...(text !== undefined && { Payload: Buffer.from(text) }),
        },
        options,
      );
      return answer.FunctionError === undefined
        ? { status: 'SUCCESS' }
        : { status: 'FAILED', details: `The function failed: ${answer.FunctionError}.` };
    },
  };
}

function startExecution(
  task: WindowTaskRecord,
  { id }: InvocationRecord,
  values: PseudoValues,
  scope: StateScope,
  options: CallOptions,
): Call {
  const { Input, Name } = task.invocation.StepFunctions ?? {};
  const input = Input === undefined ? undefined : substitute(Input, values);
  const name = Name === undefined ? id : substitute(Name, values);
  return {
    parameters: input ?? '',
    async begin() {
      const request = { stateMachineArn: task.arn, name, ...(input !== undefined && { input }) };
      const { executionArn } = await scope.call('stepfunctions', 'StartExecution', request, options);
      return { status: RUNNING, executionId: executionArn };
    },
  };
}

function sendCommand(
  task: WindowTaskRecord,
  invocation: InvocationRecord,
  Parameters: Record<string, string[]>,
  scope: StateScope,
  options: CallOptions,
): Call {
  const { Parameters: _own, ...given } = task.invocation.RunCommand ?? {};
  return {
    parameters: JSON.stringify({ documentName: task.arn, parameters: Parameters, targets: invocation.targets }),
    async begin() {
      const input = {
        OutputS3BucketName: task.loggingInfo?.S3BucketName,
        OutputS3KeyPrefix: task.loggingInfo?.S3KeyPrefix,
        ...given,
        DocumentName: task.arn,
        Targets: invocation.targets as Target[],
        Parameters,
        MaxConcurrency: task.maxConcurrency,
        MaxErrors: task.maxErrors,
      };
      const { Command } = await scope.call('ssm', 'SendCommand', input, options);
      return { status: RUNNING, executionId: Command?.CommandId };
    },
  };
}

const COMMAND: Readonly<Record<string, MaintenanceWindowExecutionStatus>> = {
  Success: 'SUCCESS',
  Failed: 'FAILED',
  TimedOut: 'TIMED_OUT',
  Cancelled: 'CANCELLED',
};
const AUTOMATION: Readonly<Record<string, MaintenanceWindowExecutionStatus>> = {
  ...COMMAND,
  CompletedWithSuccess: 'SUCCESS',
  CompletedWithFailure: 'FAILED',
  Rejected: 'FAILED',
  Exited: 'SUCCESS',
};
const STATE_MACHINE: Readonly<Record<string, MaintenanceWindowExecutionStatus>> = {
  SUCCEEDED: 'SUCCESS',
  FAILED: 'FAILED',
  TIMED_OUT: 'TIMED_OUT',
  ABORTED: 'CANCELLED',
};

/** Returns the outcome of an invocation's execution. */
export async function outcomeOf(
  task: WindowTaskRecord,
  invocation: InvocationRecord,
  scope: StateScope,
): Promise<Outcome> {
  const options = asSsm(scope.accountId, scope.region, invocation.id);
  const executionId = invocation.executionId!;
  if (task.type === 'STEP_FUNCTIONS') {
    const found = await scope.call('stepfunctions', 'DescribeExecution', { executionArn: executionId }, options);
    return { status: STATE_MACHINE[found.status] ?? RUNNING, details: found.cause };
  }
  if (task.type === 'AUTOMATION') {
    const input = { AutomationExecutionId: executionId };
    const { AutomationExecution } = await scope.call('ssm', 'GetAutomationExecution', input, options);
    const { AutomationExecutionStatus = '', FailureMessage } = AutomationExecution ?? {};
    return { status: AUTOMATION[AutomationExecutionStatus] ?? RUNNING, details: FailureMessage };
  }
  const { Commands } = await scope.call('ssm', 'ListCommands', { CommandId: executionId }, options);
  const { Status = '', StatusDetails } = Commands?.[0] ?? {};
  const status = COMMAND[Status] ?? RUNNING;
  return { status, details: status === 'SUCCESS' ? undefined : StatusDetails };
}

/** Cancels the command of an invocation. */
export async function cancelCommand({ id, executionId }: InvocationRecord, scope: StateScope): Promise<void> {
  const options = asSsm(scope.accountId, scope.region, id);
  await scope.call('ssm', 'CancelCommand', { CommandId: executionId! }, options);
}
