import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import { checkParameters, invalidParameters, makeAutomation, runbookOf } from '../../automation/starting.ts';
import type { SsmContext } from '../../context.ts';
import { findDocument, versionOf } from '../../documents/resolve.ts';
import { ssmError } from '../../errors.ts';
import { tagging } from '../../tags.ts';

/**
 * Starts a change request: its template must be approved, and its runbooks run after its own approval.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_StartChangeRequestExecution.html
 */
export function StartChangeRequestExecution(
  input: InputOf<'StartChangeRequestExecution'>,
  ctx: SsmContext,
): OutputOf<'StartChangeRequestExecution'> {
  const { ClientToken, Tags, ScheduledEndTime, ScheduledTime, ...asked } = input;
  const { automations } = ctx.state;
  const parameters = { ...asked, ScheduledTime, ScheduledEndTime };
  const given = { ...parameters, ClientToken: ClientToken?.toLowerCase() };
  const first = automations.tokens.find('StartChangeRequestExecution', given);
  if (first) return { AutomationExecutionId: first.result.id };
  const tags = tagging.merge(undefined, Tags);
  const { content, type } = runbookOf(automations, asked.DocumentName, asked.DocumentVersion);
  if (type !== 'Automation.ChangeTemplate')
    throw invalidParameters(`The document ${asked.DocumentName} is not a change template.`);
  const { reviewStatus } = versionOf(findDocument(ctx.state, asked.DocumentName), {
    DocumentVersion: asked.DocumentVersion,
  });
  if (reviewStatus !== 'APPROVED')
    throw ssmError(
      'AutomationDefinitionNotApprovedException',
      'Indicates that the Change Manager change template used in the change request was rejected or is still in a pending state.',
    );
  if (asked.AutoApprove && content.autoApprovable !== true)
    throw invalidParameters(`The change template ${asked.DocumentName} does not allow changes without approval.`);
  if (ScheduledTime && Number(ScheduledTime) < ctx.clock.now())
    throw invalidParameters('The ScheduledTime is in the past.');
  for (const { DocumentName, DocumentVersion, Parameters = {}, TargetParameterName, TargetMaps } of asked.Runbooks) {
    const runbook = runbookOf(automations, DocumentName, DocumentVersion);
    if (TargetParameterName === undefined && !TargetMaps?.length) checkParameters(runbook.content, Parameters);
  }
  const record = makeAutomation(automations, asked, {
    principal: ctx.principal,
    cause: ctx.requestId,
    tags,
    clientToken: ClientToken,
  });
  automations.start({
    ...record,
    request: JSON.stringify(parameters),
    change: {
      ...(asked.ChangeRequestName !== undefined && { name: asked.ChangeRequestName }),
      runbooks: asked.Runbooks,
      ...(ScheduledTime && { scheduledAt: Number(ScheduledTime) }),
      autoApprove: asked.AutoApprove ?? false,
      ...(asked.ChangeDetails !== undefined && { details: asked.ChangeDetails }),
      children: [],
    },
  });
  return { AutomationExecutionId: record.id };
}
