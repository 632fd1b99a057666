import { waitBriefly } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import { type AwsError, isObject } from '@emu/wire';
import { approversOf, mayApprove } from '../../automation/actions/approvals.ts';
import { type AutomationSignal, payloadOf } from '../../automation/signals.ts';
import { isOver } from '../../automation/statuses.ts';
import type { Execution } from '../../automation/types.ts';
import type { SsmContext } from '../../context.ts';
import type { JsonObject } from '../../documents/content.ts';
import { ssmError } from '../../errors.ts';
import { executionOf } from './executions.ts';

const invalidSignal = (message: string): AwsError => ssmError('InvalidAutomationSignalException', message);

/**
 * Returns the step that a signal names.
 * @throws AwsError `AutomationStepNotFoundException`
 */
function namedStep(
  { steps, id }: Execution,
  key: 'id' | 'name',
  value: string | undefined,
): Execution['steps'][number] {
  const step = steps.findLast((one) => one[key] === value);
  if (!step)
    throw ssmError(
      'AutomationStepNotFoundException',
      `The step ${value ?? ''} does not exist in the execution ${id}. Verify the information and try again.`,
    );
  return step;
}

/** Rejects a signal whose sender is not an approver. */
function checkApprover(record: Execution, signal: AutomationSignal, ctx: SsmContext): void {
  const waiting = record.steps.findLast(
    ({ action, startedAt, endedAt }) => action === 'aws:approve' && startedAt !== undefined && endedAt === undefined,
  );
  if (!waiting) throw invalidSignal(`No step of the execution ${record.id} waits for an approval.`);
  const { approvers } = approversOf(waiting.inputs as JsonObject);
  if (isObject(waiting.inputs) && !mayApprove(approvers, signal.sender))
    ctx.wouldRefuse(invalidSignal(`${signal.sender} is not an approver of step ${waiting.name}.`));
}

/**
 * Revokes node access if the ended execution was its approval.
 * @returns whether it was
 */
function revokesAccess({ id }: Execution, { sender }: AutomationSignal, { state, wouldRefuse }: SsmContext): boolean {
  const request = state.access.ofAutomation(id);
  if (!request || state.access.statusOf(request) !== 'Approved') return false;
  if (!mayApprove(request.approvers, sender))
    wouldRefuse(invalidSignal(`${sender} is not an approver of access request ${request.id}.`));
  state.access.revoke(request.id, sender);
  return true;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_SendAutomationSignal.html */
export async function SendAutomationSignal(
  input: InputOf<'SendAutomationSignal'>,
  ctx: SsmContext,
): Promise<OutputOf<'SendAutomationSignal'>> {
  const signal: AutomationSignal = { type: input.SignalType, payload: input.Payload ?? {}, sender: ctx.principal.arn };
  const find = () => executionOf(input.AutomationExecutionId, ctx);
  const running = () => ctx.state.automations.running(find().id);
  // After a start or restart, the execution may not have reached its step yet.
  await waitBriefly(() => isOver(find().status) || running()?.awaitsSignal === true || signal.type === 'StopStep');
  const [record, run] = [find(), running()];
  if (signal.type === 'Revoke' && !run && revokesAccess(record, signal, ctx)) return {};
  const stepId = payloadOf(signal, 'StepExecutionId');
  const refuse = (): never => {
    throw invalidSignal(`The signal ${signal.type} is not valid for the execution ${record.id} in its current state.`);
  };
  switch (signal.type) {
    case 'StartStep': {
      const { name } =
        stepId === undefined
          ? namedStep(record, 'name', payloadOf(signal, 'StepName'))
          : namedStep(record, 'id', stepId);
      if (!run?.startStep(name)) refuse();
      return {};
    }
    case 'StopStep':
      if (!run?.stopStep(namedStep(record, 'id', stepId).id)) refuse();
      return {};
    case 'Resume':
      namedStep(record, 'id', stepId);
      break;
    default:
      checkApprover(record, signal, ctx);
  }
  if (!run?.deliver(signal)) refuse();
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_StopAutomationExecution.html */
export function StopAutomationExecution(
  input: InputOf<'StopAutomationExecution'>,
  ctx: SsmContext,
): OutputOf<'StopAutomationExecution'> {
  const { id, status } = executionOf(input.AutomationExecutionId, ctx);
  if (isOver(status))
    throw ssmError(
      'InvalidAutomationStatusUpdateException',
      `Execution ${id} is in the status ${status}, which cannot be changed.`,
    );
  ctx.state.automations.stop(id, input.Type === 'Complete');
  return {};
}
