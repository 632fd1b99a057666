import { isObject, textOf } from '@emu/wire';
import type { Json, JsonObject } from '../../documents/content.ts';
import { ExecutionFailure, StepFailure } from '../failures.ts';
import { payloadOf } from '../signals.ts';
import type { StepContext } from '../types.ts';
import { callApi } from './api.ts';
import type { Action } from './types.ts';

/** Default timeout of an approval in seconds: seven days. */
const APPROVAL_TIMEOUT = 604_800;

/** Decision of an approver. */
type Decision = { approver: string; decision: 'Approve' | 'Reject'; comment: string };

const listOf = (value: Json | undefined): Json[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/** Returns the approvers and the number of required approvals. */
export function approversOf(inputs: JsonObject): { approvers: string[]; required: number } {
  const enhanced = isObject(inputs.EnhancedApprovals)
    ? listOf(inputs.EnhancedApprovals.Approvers).filter((item) => isObject(item))
    : [];
  const approvers = [...listOf(inputs.Approvers).map(textOf), ...enhanced.map(({ approver = '' }) => textOf(approver))];
  const levels = enhanced.map(({ minRequiredApprovals = 1 }) => Number(minRequiredApprovals));
  const required = Number(inputs.MinRequiredApprovals ?? Math.max(1, ...levels));
  return { approvers, required };
}

/** Whether a principal is an approver, by ARN or by name of the user or role. */
export function mayApprove(approvers: readonly string[], principal: string): boolean {
  const [, role] = /:assumed-role\/([^/]+)\//.exec(principal) ?? [];
  const name = role ?? principal.slice(principal.lastIndexOf('/') + 1);
  return approvers.some(
    (approver) =>
      approver === principal || approver === name || (role !== undefined && approver.endsWith(`:role/${role}`)),
  );
}

async function notify(step: StepContext, approvers: readonly string[]): Promise<void> {
  const { NotificationArn, Message } = step.inputs;
  if (NotificationArn === undefined || step.progress.notified === true) return;
  const { record } = step.run;
  await callApi(step, 'sns', 'Publish', {
    TopicArn: textOf(NotificationArn),
    Subject: `Approval is needed for the automation ${record.documentName}`.slice(0, 100),
    Message: [
      Message === undefined ? '' : textOf(Message),
      `Step ${step.name} of the automation execution ${record.id} waits for an approval.`,
      `Approvers: ${approvers.join(', ')}`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  });
  step.save({ ...step.progress, notified: true });
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-approve.html */
export const approve: Action = {
  timeout: APPROVAL_TIMEOUT,
  async run(step) {
    const { approvers, required } = approversOf(step.inputs);
    const { change } = step.run.record;
    const outputs = (status: string): JsonObject => ({
      ApprovalStatus: status,
      ApproverDecisions: decisions().map((decision) => JSON.stringify(decision)),
    });
    const decisions = (): Decision[] => (step.progress.decisions ?? []) as unknown as Decision[];
    if (change?.autoApprove) return { outputs: outputs('Approved') };
    step.status(change ? 'PendingApproval' : 'Waiting');
    await notify(step, approvers);
    const decided = (): 'Approved' | 'Rejected' | undefined => {
      if (decisions().some(({ decision }) => decision === 'Reject')) return 'Rejected';
      return decisions().length >= required ? 'Approved' : undefined;
    };
    const status =
      decided() ??
      (await step.run.forSignal<'Approved' | 'Rejected'>(step, (signal, done) => {
        const { type, sender } = signal;
        if (type !== 'Approve' && type !== 'Reject' && type !== 'Revoke') return false;
        const others = decisions().filter(({ approver }) => approver !== sender);
        if (type === 'Revoke' && others.length === decisions().length) return false;
        const own: Decision[] =
          type === 'Revoke' ? [] : [{ approver: sender, decision: type, comment: payloadOf(signal, 'Comment') ?? '' }];
        step.save({ ...step.progress, decisions: [...others, ...own] as unknown as Json });
        const outcome = decided();
        if (outcome) done(outcome);
        return true;
      }));
    step.run.update((draft) => {
      draft.steps.find(({ id }) => id === step.id)!.outputs = outputs(status);
    });
    if (status === 'Rejected') {
      const rejection = new StepFailure('The step was rejected by an approver', 'Verification', 'Rejected');
      if (change) throw new ExecutionFailure(rejection.message, 'Rejected');
      throw rejection;
    }
    step.run.automations.setStatus(step.run.id, change ? 'Approved' : 'InProgress');
    return { outputs: outputs(status) };
  },
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-pause.html */
export const pause: Action = {
  async run(step) {
    step.status('Waiting');
    await step.run.forSignal<void>(step, (signal, done) => {
      if (signal.type !== 'Resume' || payloadOf(signal, 'StepExecutionId') !== step.id) return false;
      done();
      return true;
    });
    step.run.automations.setStatus(step.run.id, 'InProgress');
    return { outputs: {} };
  },
};
