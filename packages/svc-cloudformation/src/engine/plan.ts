import type { ResourceProvider } from '@emu/core/service';
import type { Change, PolicyAction, ResourceToImport } from '@emu/service-types/cloudformation';
import type { LiveStates } from '../drift/live.ts';
import type { DeploymentRecord, OutputRecord } from '../stacks/records.ts';
import type { Resource, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import { KNOWN_AFTER_APPLY } from '../templates/evaluate.ts';
import { orderOf, referencesOf } from '../templates/references.ts';
import type { Template } from '../templates/template.ts';
import { type JsonObject, sameJson } from '../templates/values.ts';
import { outputsOf } from './applying.ts';
import { attributeOf, evaluatorFor, templateOf } from './evaluation.ts';
import { aboutExisting, type Planned, type Planner, planResource, resourceChange } from './resource-plan.ts';

const NESTED = 'AWS::CloudFormation::Stack';

/** Changes that a deployment would make. */
export interface Plan {
  /** Changes as DescribeChangeSet lists them, without and with property values. */
  readonly changes: Change[];
  readonly detailed: Change[];
  /** Nested stacks after the deployment, with their properties as far as known. */
  readonly nested: NestedPlan[];
  /** Whether anything would change, including outputs and stack tags. */
  readonly differs: boolean;
  /** Reason why property values are incomplete. */
  readonly warning?: string;
}

/** A nested stack of a plan. */
export interface NestedPlan {
  readonly logicalId: string;
  readonly properties: JsonObject;
  /** ARN of the stack; undefined before it is created. */
  readonly stackId: string | undefined;
}

/**
 * Computes the changes that a deployment would make, without making them.
 * @param providers of the types
 * @param endpoint base URL of emu in the request
 * @param live live state of the resources if the deployment reverts drift
 */
export async function planOf(
  store: StackStore,
  stack: Stack,
  template: Template,
  target: Omit<DeploymentRecord, 'templateId'>,
  providers: (type: string) => Promise<ResourceProvider | undefined>,
  endpoint: string,
  imports: readonly ResourceToImport[] = [],
  live?: LiveStates,
): Promise<Plan> {
  const effects: Planner['effects'] = new Map();
  const known = (logicalId: string): Resource | undefined => {
    const effect = effects.get(logicalId);
    return effect === 'new' || effect === 'replaced' ? undefined : store.resource(stack.uuid, logicalId);
  };
  const place = { stackId: store.arn(stack), stackName: stack.name, endpoint };
  let planned = '';
  const missing = new Set<string>();
  const incomplete = (problem: string): void => {
    if (planned) missing.add(`ChangeSet creation failed for resource [${planned}] because: ${problem}`);
  };
  const evaluator = evaluatorFor(store, template, target, place, {
    importValue(name) {
      const value = store.exportOf(name)?.value;
      if (value === undefined) incomplete(`No export named ${name}`);
      return value ?? KNOWN_AFTER_APPLY;
    },
    incomplete,
    ref: (logicalId) => known(logicalId)?.current?.physicalId ?? KNOWN_AFTER_APPLY,
    attribute(logicalId, name) {
      const resource = known(logicalId);
      return resource?.current ? attributeOf(resource, name) : KNOWN_AFTER_APPLY;
    },
  });
  const planner: Planner = {
    store,
    stack,
    template,
    evaluator,
    target,
    effects,
    parameters: changedParameters(stack, target),
    live,
  };
  const found: Planned[] = [];
  for (const name of orderOf(template)) {
    if (!evaluator.includes(template.Resources[name]!)) continue;
    planned = name;
    const provider = await providers(template.Resources[name]!.Type);
    const imported = imports.some(({ LogicalResourceId }) => LogicalResourceId === name);
    const change = planResource(planner, name, provider, imported);
    if (change) found.push(change);
  }
  planned = '';
  found.push(...removals(planner));
  found.sort((a, b) => (idOf(a.change) < idOf(b.change) ? -1 : 1));
  return {
    changes: found.map(({ change }) => change),
    detailed: found.flatMap(({ detailed }) => detailed ?? []),
    nested: nestedIn(planner),
    ...(missing.size && {
      warning: `[WARN] --include-property-values option can return incomplete ChangeSet data because: ${[...missing].join(', ')}`,
    }),
    differs: found.length > 0 || !sameJson(stack.tags, target.tags) || outputsDiffer(planner),
  };
}

function nestedIn({ store, stack, template, evaluator, effects }: Planner): NestedPlan[] {
  return Object.entries(template.Resources)
    .filter(([, resource]) => resource.Type === NESTED && evaluator.includes(resource))
    .map(([logicalId, { Properties = {} }]) => ({
      logicalId,
      properties: (evaluator.evaluate(Properties) ?? {}) as JsonObject,
      stackId:
        effects.get(logicalId) === 'new' ? undefined : store.resource(stack.uuid, logicalId)?.current?.identifier,
    }));
}

const idOf = ({ ResourceChange }: Change): string => ResourceChange?.LogicalResourceId ?? '';

function changedParameters(stack: Stack, { parameters }: Omit<DeploymentRecord, 'templateId'>): Set<string> {
  const before = new Map(stack.parameters.map(({ key, value, resolved }) => [key, resolved ?? value]));
  return new Set(
    parameters.filter(({ key, value, resolved }) => before.get(key) !== (resolved ?? value)).map(({ key }) => key),
  );
}

function outputsDiffer({ stack, template, evaluator }: Planner): boolean {
  const plain = (outputs: readonly OutputRecord[]) =>
    outputs.map(({ key, value, description, exportName }) => [key, value, description ?? '', exportName ?? '']);
  return !sameJson(plain(stack.outputs as OutputRecord[]), plain(outputsOf(template, evaluator)));
}

/** Lists resources that the template no longer contains. References of a removed resource to others are not listed. */
function removals(planner: Planner): Planned[] {
  const { store, stack, template, evaluator } = planner;
  const before = stack.status === 'REVIEW_IN_PROGRESS' ? undefined : templateOf(store, stack);
  return store
    .resourcesIn(stack.uuid)
    .filter(
      ({ logicalId, current }) =>
        current && !(template.Resources[logicalId] && evaluator.includes(template.Resources[logicalId])),
    )
    .map((resource) => {
      const { logicalId, type, current, deletionPolicy } = resource;
      const PolicyAction: PolicyAction = /^Retain/.test(deletionPolicy) ? 'Retain' : 'Delete';
      const base = {
        PolicyAction,
        Action: 'Remove' as const,
        LogicalResourceId: logicalId,
        PhysicalResourceId: current!.physicalId,
        ResourceType: type,
        Scope: [],
        Details: [],
        ...aboutExisting(planner, resource, undefined),
      };
      const written = before?.Resources[logicalId]?.Properties ?? {};
      const known = Object.entries(current!.properties).map(([name, value]) => [
        name,
        referencesOf(written[name]).attributes.size > 0 ? KNOWN_AFTER_APPLY : value,
      ]);
      const BeforeContext = JSON.stringify({ Properties: Object.fromEntries(known) });
      return { change: resourceChange(base), detailed: resourceChange({ ...base, BeforeContext }) };
    });
}
