import type { DeepReadonly } from '@emu/core/service';
import { isParametersExtension } from '../parameters-extension/settings.ts';
import type { LayerReference } from '../records.ts';
import { layerVersionType } from '../resources.ts';
import type { LambdaState } from '../state.ts';

/** Layers of CloudWatch Lambda Insights, in accounts of AWS. */
const INSIGHTS = /:layer:LambdaInsightsExtension(-Arm64)?:\d+$/;

/** Whether an ARN is of a layer version of another account. */
export const isForeignLayer = (arn: string, accountId: string): boolean =>
  layerVersionType.parse(arn)?.place.accountId !== accountId;

/**
 * Whether a function can have a missing layer, without its content: one that emu implements itself or, if permissions
 * are not enforced, any of another account, as it may be public.
 */
export function withoutContent(arn: string, { accountId, service: { settings } }: LambdaState): boolean {
  const account = layerVersionType.parse(arn)?.place.accountId;
  if (account === undefined || account === accountId) return false;
  return isParametersExtension(arn, accountId) || INSIGHTS.test(arn) || !settings.values.EMULATOR_ENFORCE_IAM;
}

/** Returns log messages about layers of a function that have no effect. */
export function layerDifferences(functionName: string, layers: DeepReadonly<LayerReference[]>): string[] {
  const missing: string[] = [];
  const messages: string[] = [];
  for (const { arn, body } of layers) {
    if (body !== undefined || isParametersExtension(arn, '')) continue;
    if (INSIGHTS.test(arn))
      messages.push(`function ${functionName}: the layer ${arn} has no effect, as emu has no Lambda Insights`);
    else missing.push(arn);
  }
  if (missing.length)
    messages.push(
      `function ${functionName} runs without the content of ${missing.join(', ')}: import it with emu layer add <arn>`,
    );
  return messages;
}
