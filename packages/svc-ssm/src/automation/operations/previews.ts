import type {
  GetExecutionPreviewRequest,
  GetExecutionPreviewResponse,
  ImpactType,
  StartExecutionPreviewRequest,
  StartExecutionPreviewResponse,
} from '@emu/service-types/ssm';
import { awsError } from '@emu/wire';
import { everyStep } from '../../documents/automation-rules.ts';
import { isObject, type JsonObject } from '../../documents/content.ts';
import { invalidRequest } from '../../errors.ts';
import type { SsmContext } from '../../lookup.ts';
import { locationsPlan, runbookOf } from '../starting.ts';
import { targetValues } from '../targets.ts';
import { textOf } from '../values.ts';

/** Actions that change nothing but the execution. */
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
/** Actions of which nobody can tell what they do. */
const OPAQUE = new Set([
  'aws:executeAutomation',
  'aws:executeScript',
  'aws:executeStateMachine',
  'aws:invokeLambdaFunction',
  'aws:invokeWebhook',
  'aws:runCommand',
]);

/** What running a step may do to resources. */
function impactOf({ action, inputs }: JsonObject): ImpactType {
  if (HARMLESS.has(String(action))) return 'NonMutating';
  if (OPAQUE.has(String(action))) return 'Undetermined';
  if (action !== 'aws:executeAwsApi' || !isObject(inputs)) return 'Mutating';
  return /^(?:describe|get|list|head|batch_?get|lookup|search|scan|query)/i.test(textOf(inputs.Api!))
    ? 'NonMutating'
    : 'Mutating';
}

/** https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_StartExecutionPreview.html */
export async function StartExecutionPreview(
  input: StartExecutionPreviewRequest,
  ctx: SsmContext,
): Promise<StartExecutionPreviewResponse> {
  const { automations, accountId, region } = ctx.state;
  let runbook: ReturnType<typeof runbookOf>;
  try {
    runbook = runbookOf(automations, input.DocumentName, input.DocumentVersion);
  } catch (error) {
    throw invalidRequest((error as Error).message);
  }
  const asked = input.ExecutionInputs?.Automation ?? {};
  const { targetType } = runbook.version;
  const { Targets, TargetMaps, TargetLocations } = asked;
  if (Targets?.length && TargetMaps?.length)
    throw invalidRequest("Both Targets and TargetMaps can't be specified together.");
  const items = TargetLocations
    ? locationsPlan(TargetLocations, { DocumentName: input.DocumentName }, ctx).items
    : [{ accountId, region }];
  const count = Targets?.length ? (await targetValues(Targets, targetType, ctx)).length : (TargetMaps?.length ?? 0);
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

/** https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetExecutionPreview.html */
export function GetExecutionPreview(input: GetExecutionPreviewRequest, ctx: SsmContext): GetExecutionPreviewResponse {
  const preview = ctx.state.automations.previews.get(input.ExecutionPreviewId);
  if (!preview)
    throw awsError('ResourceNotFoundException', `The execution preview ${input.ExecutionPreviewId} does not exist.`);
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
