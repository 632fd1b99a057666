import type { ImpactType, InputOf, OutputOf } from '@emu/service-types/ssm';
import { isObject, textOf } from '@emu/wire';
import type { Plan } from '../../automation/records.ts';
import { checkParameters, runbookOf } from '../../automation/starting.ts';
import type { SsmContext } from '../../context.ts';
import { everyStep } from '../../documents/automation-rules.ts';
import type { JsonObject } from '../../documents/content.ts';
import { invalid, ssmError } from '../../errors.ts';
import { locationsAt, planFor } from './executions.ts';

/** Actions without effects outside the execution. */
const HARMLESS = new Set([
  'aws:approve',
  'aws:assertAwsResourceProperty',
  'aws:branch',
  'aws:loop',
  'aws:pause',
  'aws:sleep',
  'aws:updateVariable',
  'aws:waitForAwsResourceProperty',
]);
/** Actions with unpredictable effects. */
const OPAQUE = new Set([
  'aws:executeAutomation',
  'aws:executeScript',
  'aws:executeStateMachine',
  'aws:invokeLambdaFunction',
  'aws:invokeWebhook',
  'aws:runCommand',
]);

/** Returns the possible effect of a step on resources. */
function impactOf({ action, inputs }: JsonObject): ImpactType {
  if (HARMLESS.has(String(action))) return 'NonMutating';
  if (OPAQUE.has(String(action))) return 'Undetermined';
  if (action !== 'aws:executeAwsApi' || !isObject(inputs)) return 'Mutating';
  return /^(?:describe|get|list|head|batch_?get|lookup|search|scan|query)/i.test(textOf(inputs.Api!))
    ? 'NonMutating'
    : 'Mutating';
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_StartExecutionPreview.html */
export async function StartExecutionPreview(
  input: InputOf<'StartExecutionPreview'>,
  ctx: SsmContext,
): Promise<OutputOf<'StartExecutionPreview'>> {
  const { automations, accountId, region } = ctx.state;
  const { TargetLocationsURL, ...asked } = input.ExecutionInputs?.Automation ?? {};
  const { DocumentName, DocumentVersion } = input;
  let runbook: ReturnType<typeof runbookOf>;
  let plan: Plan | undefined;
  try {
    runbook = runbookOf(automations, DocumentName, DocumentVersion);
    const locations = asked.TargetLocations ?? (await locationsAt(TargetLocationsURL, ctx));
    plan = await planFor({ ...asked, DocumentName, DocumentVersion }, locations, ctx);
    const given = plan?.items.map(({ parameters }) => parameters) ?? [asked.Parameters ?? {}];
    for (const parameters of given) if (plan?.kind !== 'locations') checkParameters(runbook.content, parameters);
  } catch (error) {
    if ((error as { status?: number }).status === 501) throw error;
    throw invalid((error as Error).message);
  }
  const items = plan?.items ?? [{ accountId, region, targets: undefined }];
  const values = items.flatMap(({ targets }) => (targets ?? []).flatMap(({ Values }) => Values ?? []));
  const count = plan?.kind === 'targets' ? plan.items.length : values.length;
  const { targetType } = runbook.version;
  const steps: Record<string, number> = {};
  for (const step of everyStep(runbook.content.mainSteps)) {
    const impact = impactOf(step);
    steps[impact] = (steps[impact] ?? 0) + 1;
  }
  const id = ctx.ids.uuid();
  automations.previews.put(id, {
    id,
    endedAt: Math.floor(ctx.clock.now()),
    steps,
    regions: [...new Set(items.map((item) => item.region))],
    targets: count > 0 ? [{ type: (targetType ?? '/').replace(/^\//, '') || 'ALL', count }] : [],
    accounts: new Set(items.map((item) => item.accountId)).size,
  });
  return { ExecutionPreviewId: id };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetExecutionPreview.html */
export function GetExecutionPreview(
  input: InputOf<'GetExecutionPreview'>,
  ctx: SsmContext,
): OutputOf<'GetExecutionPreview'> {
  const preview = ctx.state.automations.previews.get(input.ExecutionPreviewId);
  if (!preview)
    throw ssmError('ResourceNotFoundException', `The execution preview ${input.ExecutionPreviewId} does not exist.`);
  return {
    ExecutionPreviewId: preview.id,
    EndedAt: new Date(preview.endedAt),
    Status: 'Success',
    ExecutionPreview: {
      Automation: {
        StepPreviews: { ...preview.steps },
        Regions: [...preview.regions],
        TargetPreviews: preview.targets.map(({ type, count }) => ({ TargetType: type, Count: count })),
        TotalAccounts: preview.accounts,
      },
    },
  };
}
