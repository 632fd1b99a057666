import { copyOf, type ResourceProvider } from '@emu/core';
import type {
  Change,
  PolicyAction,
  Replacement,
  RequiresRecreation,
  ResourceChangeDetail,
  ResourceToImport,
  Tag,
} from '@emu/service-types/cloudformation';
import type { DeploymentRecord, OutputRecord } from '../stacks/records.ts';
import type { Resource, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import { type Evaluator, isKnownLater, KNOWN_AFTER_APPLY } from '../templates/evaluate.ts';
import { orderOf, referencesOf } from '../templates/references.ts';
import type { Template } from '../templates/template.ts';
import { type JsonObject, sameJson, textOf } from '../templates/values.ts';
import { outputsOf, policyOf } from './applying.ts';
import { attributeOf, evaluatorFor } from './evaluation.ts';
import { changedProperties, checkedProperties, replacementOf } from './properties.ts';
import { withTags } from './steps.ts';

/** What a deployment would change. */
export interface Plan {
  /** As DescribeChangeSet lists it, without the values of properties, and with them. */
  readonly changes: Change[];
  readonly detailed: Change[];
  /** Whether anything would change, outputs and the stack's tags among it. */
  readonly differs: boolean;
}

interface Planner {
  readonly store: StackStore;
  readonly stack: Stack;
  readonly template: Template;
  readonly evaluator: Evaluator;
  readonly target: Omit<DeploymentRecord, 'templateId'>;
  /** What happens to the resources so far. */
  readonly effects: Map<string, 'new' | 'replaced' | 'changed' | 'kept'>;
  readonly parameters: ReadonlySet<string>;
}

/**
 * Says what a deployment would change in a stack, without doing it.
 * @param providers of the types
 */
export async function planOf(
  store: StackStore,
  stack: Stack,
  template: Template,
  target: Omit<DeploymentRecord, 'templateId'>,
  providers: (type: string) => Promise<ResourceProvider | undefined>,
  imports: readonly ResourceToImport[] = [],
): Promise<Plan> {
  const effects: Planner['effects'] = new Map();
  const known = (logicalId: string): Resource | undefined => {
    const effect = effects.get(logicalId);
    return effect === 'new' || effect === 'replaced' ? undefined : store.resource(stack.uuid, logicalId);
  };
  const place = { stackId: store.arn(stack), stackName: stack.name };
  const evaluator = evaluatorFor(store, template, target, place, {
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
  };
  const found: { change: Change; detailed: Change }[] = [];
  for (const name of orderOf(template)) {
    if (!evaluator.includes(template.Resources[name]!)) continue;
    const provider = await providers(template.Resources[name]!.Type);
    const imported = imports.some(({ LogicalResourceId }) => LogicalResourceId === name);
    const change = planResource(planner, name, provider, imported);
    if (change) found.push(change);
  }
  found.push(...removals(planner));
  found.sort((a, b) => (idOf(a.change) < idOf(b.change) ? -1 : 1));
  return {
    changes: found.map(({ change }) => change),
    detailed: found.map(({ detailed }) => detailed),
    differs: found.length > 0 || !sameJson(stack.tags, target.tags) || outputsDiffer(planner),
  };
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

const resourceChange = (ResourceChange: Change['ResourceChange']): Change => ({ Type: 'Resource', ResourceChange });

function planResource(
  planner: Planner,
  name: string,
  provider: ResourceProvider | undefined,
  imported: boolean,
): { change: Change; detailed: Change } | undefined {
  const { store, stack, template, evaluator, target, effects } = planner;
  const { Type, Properties = {}, Metadata } = template.Resources[name]!;
  const existing = store.resource(stack.uuid, name);
  const evaluated = (evaluator.evaluate(Properties) ?? {}) as JsonObject;
  if (!existing?.current) {
    effects.set(name, 'new');
    const base = {
      Action: imported ? ('Import' as const) : ('Add' as const),
      LogicalResourceId: name,
      ResourceType: Type,
      Scope: [],
      Details: [],
    };
    return {
      change: resourceChange(base),
      detailed: resourceChange({ ...base, AfterContext: JSON.stringify({ Properties: evaluated }) }),
    };
  }
  const { current } = existing;
  const coerced = provider ? coercedOf(provider, evaluated) : evaluated;
  const before = copyOf(current.properties) as JsonObject;
  const names = changedProperties(before, coerced);
  const metadata = Metadata === undefined ? undefined : JSON.stringify(evaluator.evaluate(Metadata) ?? {});
  const metadataChanged = existing.metadata !== metadata;
  const tagsChanged =
    provider !== undefined && tagsDiffer(provider, before, current.tags as Tag[], coerced, target.tags);
  if (names.length === 0 && !metadataChanged && !tagsChanged) {
    effects.set(name, 'kept');
    return undefined;
  }
  const details: ResourceChangeDetail[] = [];
  const values: ResourceChangeDetail[] = [];
  let replacement: Replacement = 'False';
  for (const property of names) {
    const recreation = recreationOf(provider, property, before, coerced);
    const later = isKnownLater(coerced[property]);
    if (recreation === 'Always' && !later) replacement = 'True';
    else if (recreation !== 'Never' && replacement === 'False') replacement = 'Conditional';
    const target = { Attribute: 'Properties' as const, Name: property, RequiresRecreation: recreation };
    const withValues = {
      ...target,
      Path: `/Properties/${property}`,
      AttributeChangeType: attributeChange(before[property], coerced[property]),
      ...(before[property] !== undefined && { BeforeValue: textOf(before[property]) }),
      ...(coerced[property] !== undefined && { AfterValue: textOf(coerced[property]) }),
    };
    for (const cause of causesOf(planner, Properties[property], later)) {
      details.push({ Target: target, ...cause });
      values.push({ Target: withValues, ...cause });
    }
  }
  if (tagsChanged) {
    const cause = {
      Target: { Attribute: 'Tags' as const, RequiresRecreation: 'Never' as const },
      Evaluation: 'Static' as const,
      ChangeSource: 'DirectModification' as const,
    };
    details.push(cause);
    values.push(cause);
  }
  if (metadataChanged) {
    const cause = {
      Target: { Attribute: 'Metadata' as const, RequiresRecreation: 'Never' as const },
      Evaluation: 'Static' as const,
      ChangeSource: 'DirectModification' as const,
    };
    details.push(cause);
    values.push(cause);
  }
  effects.set(name, replacement === 'True' ? 'replaced' : 'changed');
  const scope = [
    ...(names.length ? (['Properties'] as const) : []),
    ...(tagsChanged ? (['Tags'] as const) : []),
    ...(metadataChanged ? (['Metadata'] as const) : []),
  ];
  const retained = policyOf(evaluator, template.Resources[name]!.UpdateReplacePolicy) === 'Retain';
  const action: PolicyAction | undefined =
    replacement === 'False' ? undefined : retained ? 'ReplaceAndRetain' : 'ReplaceAndDelete';
  const base = {
    ...(action && { PolicyAction: action }),
    Action: 'Modify' as const,
    LogicalResourceId: name,
    PhysicalResourceId: current.physicalId,
    ResourceType: Type,
    Replacement: replacement,
    Scope: [...scope],
  };
  return {
    change: resourceChange({ ...base, Details: details }),
    detailed: resourceChange({
      ...base,
      Details: values,
      BeforeContext: JSON.stringify({ Properties: before }),
      AfterContext: JSON.stringify({ Properties: coerced }),
    }),
  };
}

function coercedOf({ facts }: ResourceProvider, properties: JsonObject): JsonObject {
  try {
    return checkedProperties(facts, properties);
  } catch {
    // What is wrong with them, the deployment says.
    return properties;
  }
}

function tagsDiffer(
  provider: ResourceProvider,
  before: JsonObject,
  oldTags: Tag[],
  after: JsonObject,
  tags: readonly Tag[],
): boolean {
  const property = provider.facts.tags?.property;
  if (property === undefined || sameJson(oldTags, tags)) return false;
  return !sameJson(withTags(provider, before, oldTags)[property], withTags(provider, after, tags)[property]);
}

function recreationOf(
  provider: ResourceProvider | undefined,
  property: string,
  before: JsonObject,
  after: JsonObject,
): RequiresRecreation {
  if (!provider) return 'Never';
  if (!provider.update) return 'Always';
  const replacement = replacementOf(provider.facts, property, before, after);
  if (replacement === 'yes') return 'Always';
  if (replacement !== 'maybe') return 'Never';
  return isKnownLater(after[property])
    ? 'Conditionally'
    : provider.replaces?.(before, after)
      ? 'Always'
      : 'Conditionally';
}

const attributeChange = (before: unknown, after: unknown) =>
  before === undefined ? ('Add' as const) : after === undefined ? ('Remove' as const) : ('Modify' as const);

type Cause = Pick<ResourceChangeDetail, 'Evaluation' | 'ChangeSource' | 'CausingEntity'>;

/** What in a template makes a property change. */
function causesOf({ parameters, effects }: Planner, value: unknown, later: boolean): Cause[] {
  const direct: Cause = { Evaluation: 'Static', ChangeSource: 'DirectModification' };
  if (value === undefined) return [direct];
  const { refs, attributes } = referencesOf(value);
  const changes = (name: string) => ['new', 'replaced', 'changed'].includes(effects.get(name) ?? 'kept');
  const causes: Cause[] = [];
  for (const ref of refs)
    if (parameters.has(ref))
      causes.push({ Evaluation: 'Static', ChangeSource: 'ParameterReference', CausingEntity: ref });
    else if (changes(ref)) causes.push({ Evaluation: 'Static', ChangeSource: 'ResourceReference', CausingEntity: ref });
  for (const [owner, names] of attributes)
    if (changes(owner))
      for (const attribute of names)
        causes.push({
          Evaluation: later ? 'Dynamic' : 'Static',
          ChangeSource: 'ResourceAttribute',
          CausingEntity: `${owner}.${attribute}`,
        });
  if (causes.length === 0) return [direct];
  return [...causes, { Evaluation: 'Dynamic', ChangeSource: 'DirectModification' }];
}

/** Resources that the template no longer has. */
function removals({ store, stack, template, evaluator }: Planner): { change: Change; detailed: Change }[] {
  return store
    .resourcesIn(stack.uuid)
    .filter(
      ({ logicalId, current }) =>
        current && !(template.Resources[logicalId] && evaluator.includes(template.Resources[logicalId])),
    )
    .map(({ logicalId, type, current, deletionPolicy }) => {
      const PolicyAction: PolicyAction = /^Retain/.test(deletionPolicy) ? 'Retain' : 'Delete';
      const base = {
        PolicyAction,
        Action: 'Remove' as const,
        LogicalResourceId: logicalId,
        PhysicalResourceId: current!.physicalId,
        ResourceType: type,
        Scope: [],
        Details: [],
      };
      const BeforeContext = JSON.stringify({ Properties: current!.properties });
      return { change: resourceChange(base), detailed: resourceChange({ ...base, BeforeContext }) };
    });
}
