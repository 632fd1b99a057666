import type { ResourceToImport } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { askerOf } from '../context.ts';
import type { Stack } from '../stacks/registry.ts';
import { isKnownLater, KNOWN_AFTER_APPLY } from '../templates/evaluate.ts';
import type { JsonObject } from '../templates/values.ts';
import { policyOf } from './applying.ts';
import { evaluatorFor } from './evaluation.ts';
import type { Requested } from './request.ts';

/**
 * Finds existing resources with the names in a template that it would add to a stack. Only retained resources are
 * imported.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
 */
export async function existingResources(
  stack: Stack,
  { template, deployment }: Requested,
  ctx: CloudformationContext,
): Promise<ResourceToImport[]> {
  const { state } = ctx;
  const place = { stackId: state.arn(stack), stackName: stack.name, endpoint: ctx.endpoint };
  const unknown = { ref: () => KNOWN_AFTER_APPLY, attribute: () => KNOWN_AFTER_APPLY };
  const evaluator = evaluatorFor(state, template, deployment, place, unknown);
  const found: ResourceToImport[] = [];
  for (const [logicalId, resource] of Object.entries(template.Resources)) {
    if (!evaluator.includes(resource) || state.resource(stack.uuid, logicalId)?.current) continue;
    if (!/^Retain/.test(policyOf(evaluator, resource.DeletionPolicy))) continue;
    const provider = await state.provider(resource.Type);
    const properties = (evaluator.evaluate(resource.Properties ?? {}) ?? {}) as JsonObject;
    const values = provider?.facts.primaryIdentifier.map((name) => [name, properties[name]] as const) ?? [];
    if (
      !provider ||
      values.length === 0 ||
      values.some(([, value]) => typeof value !== 'string' || isKnownLater(value))
    )
      continue;
    const step = state.reading(askerOf(ctx), ctx.signal);
    const identifier = values.map(([, value]) => value).join('|');
    if (await provider.read(identifier, step, properties))
      found.push({
        ResourceType: resource.Type,
        LogicalResourceId: logicalId,
        ResourceIdentifier: Object.fromEntries(values) as Record<string, string>,
      });
  }
  return found;
}
