import { copyOf, type ResourceProvider } from '@emu/core';
import type {
  Change,
  PolicyAction,
  Replacement,
  RequiresRecreation,
  ResourceChange,
  ResourceChangeDetail,
  ResourceTargetDefinition,
  Tag,
} from '@emu/service-types/cloudformation';
import { ignoredAttributes, type LiveStates, livePropertiesOf } from '../drift/live.ts';
import type { DeploymentRecord } from '../stacks/records.ts';
import type { Resource, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import { type Evaluator, isKnownLater } from '../templates/evaluate.ts';
import { referencesOf } from '../templates/references.ts';
import type { Template } from '../templates/template.ts';
import { type JsonObject, sameJson, textOf } from '../templates/values.ts';
import { moduleInfo } from '../transforms/modules.ts';
import { policyOf } from './applying.ts';
import { withoutHidden } from './hidden.ts';
import { changedProperties, checkedProperties, replacementOf } from './properties.ts';
import { withTags } from './steps.ts';

/** What planning the resources of a deployment works with. */
export interface Planner {
  readonly store: StackStore;
  readonly stack: Stack;
  readonly template: Template;
  readonly evaluator: Evaluator;
  readonly target: Omit<DeploymentRecord, 'templateId'>;
  /** What happens to the resources so far. */
  readonly effects: Map<string, 'new' | 'replaced' | 'changed' | 'kept'>;
  readonly parameters: ReadonlySet<string>;
  /** What the resources were found to be; undefined where nobody looked. */
  readonly live: LiveStates | undefined;
}

/**
 * A change as it is listed, without the values of properties, and with them. Where only a value of a resource that is
 * changed in place is taken, AWS tells of a change as long as it does not look at values.
 */
export interface Planned {
  readonly change: Change;
  readonly detailed?: Change;
}

/** A change of a resource as it is listed. */
export const resourceChange = (ResourceChange: Change['ResourceChange']): Change => ({
  Type: 'Resource',
  ResourceChange,
});

/** What is told of a resource that exists, whatever becomes of it. @param provider undefined where it is removed */
export function aboutExisting(
  { live }: Planner,
  { logicalId, metadata, current }: Resource,
  provider: ResourceProvider | undefined,
): Partial<ResourceChange> {
  const found = live?.[logicalId];
  const ignored = found && provider ? ignoredAttributes(provider.facts, current!.properties as JsonObject) : [];
  return {
    ...moduleInfo(metadata),
    ...(found && { ResourceDriftStatus: found.status }),
    ...(ignored.length && { ResourceDriftIgnoredAttributes: ignored }),
  };
}

/**
 * Says what a deployment would do to a resource of its template.
 * @param imported whether it is taken into the stack
 * @returns undefined where it stays as it is
 */
export function planResource(
  planner: Planner,
  name: string,
  provider: ResourceProvider | undefined,
  imported: boolean,
): Planned | undefined {
  const { store, stack, template, evaluator, effects, live } = planner;
  const { Properties = {}, Metadata } = template.Resources[name]!;
  const existing = store.resource(stack.uuid, name);
  const evaluated = (evaluator.evaluate(Properties) ?? {}) as JsonObject;
  if (!existing?.current) return added(planner, name, evaluated, imported ? 'Import' : 'Add');
  // What somebody deleted is made anew.
  if (live?.[name]?.status === 'DELETED')
    return added(planner, name, evaluated, 'Add', aboutExisting(planner, existing, provider));
  const { current } = existing;
  const coerced = provider ? coercedOf(provider, evaluated) : evaluated;
  const change = new ResourcePlan(planner, existing, provider, coerced);
  for (const property of change.names) change.property(property, Properties[property]);
  for (const [property, written] of Object.entries(Properties))
    if (!change.names.includes(property)) change.unvalued(property, written);
  const metadata = Metadata === undefined ? undefined : JSON.stringify(evaluator.evaluate(Metadata) ?? {});
  if (provider && tagsDiffer(provider, change.before, current.tags as Tag[], coerced, planner.target.tags))
    change.attribute('Tags', undefined);
  if (existing.metadata !== metadata) change.attribute('Metadata', Metadata);
  if (change.empty) {
    effects.set(name, 'kept');
    return undefined;
  }
  effects.set(name, change.replacement === 'True' ? 'replaced' : change.syncs ? 'kept' : 'changed');
  return change.planned();
}

function added(
  { template, effects, target }: Planner,
  name: string,
  properties: JsonObject,
  Action: 'Add' | 'Import',
  about: Partial<ResourceChange> = {},
): Planned {
  const { Type, Metadata, Properties = {} } = template.Resources[name]!;
  effects.set(name, 'new');
  const base = {
    Action,
    LogicalResourceId: name,
    ResourceType: Type,
    Scope: [],
    Details: [],
    ...moduleInfo(Metadata),
    ...about,
  };
  return {
    change: resourceChange(base),
    detailed: resourceChange({
      ...base,
      AfterContext: JSON.stringify({ Properties: withoutHidden(properties, Properties, target) }),
    }),
  };
}

/** The change of a resource that exists, detail by detail. */
class ResourcePlan {
  replacement: Replacement = 'False';
  /** Whether it may be replaced, for all that is known without values. */
  private unvaluedReplacement: Replacement = 'False';
  /** The properties that it has: those of the last deployment, or those it was found to have. */
  readonly before: JsonObject;
  /** Names of the properties that differ, from what is there or from what was deployed. */
  readonly names: readonly string[];
  private readonly previous: JsonObject;
  private readonly changed: ReadonlySet<string>;
  private readonly scope = new Set<'Properties' | 'Tags' | 'Metadata'>();
  private readonly details: ResourceChangeDetail[] = [];
  private readonly values: ResourceChangeDetail[] = [];

  constructor(
    private readonly planner: Planner,
    private readonly existing: Resource,
    private readonly provider: ResourceProvider | undefined,
    private readonly after: JsonObject,
  ) {
    const { current, logicalId } = existing;
    this.previous = copyOf(current!.properties) as JsonObject;
    const live = planner.live?.[logicalId];
    this.before = live && provider ? livePropertiesOf(provider.facts, copyOf(current!), after, live) : this.previous;
    this.changed = new Set(changedProperties(this.before, after));
    const drifted = changedProperties(this.previous, this.before).filter((name) => !this.changed.has(name));
    this.names = [...this.changed, ...drifted];
  }

  get empty(): boolean {
    return this.details.length === 0;
  }

  /** Whether the resource is left alone, and only what CloudFormation knows of it changes. */
  get syncs(): boolean {
    return this.names.length > 0 && this.changed.size === 0 && !this.scope.has('Tags') && !this.scope.has('Metadata');
  }

  /** A property that differs. @param written as the template writes it */
  property(name: string, written: unknown): void {
    const { after, before, planner } = this;
    const shown = (values: JsonObject) => withoutHidden(values, { [name]: written }, planner.target)[name];
    const changes = this.changed.has(name);
    const recreation = changes ? recreationOf(this.provider, name, before, after) : 'Never';
    const causes = causesOf(this.planner, written);
    if (recreation === 'Always' && causes.some(({ Evaluation }) => Evaluation === 'Static')) this.replacement = 'True';
    else if (recreation !== 'Never' && this.replacement === 'False') this.replacement = 'Conditional';
    const target: ResourceTargetDefinition = {
      Attribute: 'Properties',
      Name: name,
      RequiresRecreation: recreation,
      ...(!changes && { AttributeChangeType: 'SyncWithActual' }),
    };
    const withValues: ResourceTargetDefinition = {
      ...target,
      Path: `/Properties/${name}`,
      AttributeChangeType: changes ? attributeChange(before[name], after[name]) : 'SyncWithActual',
      ...(before[name] !== undefined && { BeforeValue: textOf(shown(before)) }),
      ...(after[name] !== undefined && { AfterValue: textOf(shown(after)) }),
      ...this.sources(name),
    };
    this.scope.add('Properties');
    for (const cause of causes) this.details.push({ Target: target, ...cause });
    const valued = causes.some(isDynamicDirect) || causes.every(isDirect) ? causes : [...causes, DYNAMIC];
    for (const cause of valued) this.values.push({ Target: withValues, ...cause });
  }

  /** A property that takes a value of a resource that changes, though the value stays as far as it is known. */
  unvalued(name: string, written: unknown): void {
    const causes = causesOf(this.planner, written).filter(({ ChangeSource }) => ChangeSource === 'ResourceAttribute');
    if (causes.length === 0) return;
    const { before, after } = this;
    const RequiresRecreation = recreationOf(this.provider, name, before, after);
    if (RequiresRecreation !== 'Never' && this.replacement === 'False') this.unvaluedReplacement = 'Conditional';
    this.scope.add('Properties');
    for (const cause of causes)
      this.details.push({ Target: { Attribute: 'Properties', Name: name, RequiresRecreation }, ...cause });
  }

  /** Where the values of a property come from, in a change set that looks at what is there. */
  private sources(name: string): Partial<ResourceTargetDefinition> {
    const live = this.planner.live?.[this.existing.logicalId];
    if (!live) return {};
    const { before, previous } = this;
    const drifted = !sameJson(before[name], previous[name]);
    const text = (value: unknown) => (value === undefined ? 'null' : textOf(value));
    return {
      BeforeValueFrom: live.model === undefined ? 'PREVIOUS_DEPLOYMENT_STATE' : 'ACTUAL_STATE',
      AfterValueFrom: 'TEMPLATE',
      ...(drifted && {
        Drift: {
          PreviousValue: text(previous[name]),
          ActualValue: text(before[name]),
          DriftDetectionTimestamp: new Date(live.at),
        },
      }),
    };
  }

  /** The tags of the stack or the metadata of the resource, which differ. @param written as the template writes it */
  attribute(Attribute: 'Tags' | 'Metadata', written: unknown): void {
    const Target: ResourceTargetDefinition = { Attribute, RequiresRecreation: 'Never' };
    const details = causesOf(this.planner, written).map((cause) => ({ Target, ...cause }));
    this.scope.add(Attribute);
    this.details.push(...details);
    this.values.push(...details);
  }

  planned(): Planned {
    const { existing, replacement, planner, before, after, previous } = this;
    const { evaluator, template, live } = planner;
    const { logicalId, current } = existing;
    const resource = template.Resources[logicalId]!;
    const context = (values: JsonObject) =>
      JSON.stringify({ Properties: withoutHidden(values, resource.Properties ?? {}, planner.target) });
    const retained = policyOf(evaluator, resource.UpdateReplacePolicy) === 'Retain';
    const about = (replaces: Replacement): Partial<ResourceChange> => {
      const action: PolicyAction = retained ? 'ReplaceAndRetain' : 'ReplaceAndDelete';
      return { ...(replaces !== 'False' && { PolicyAction: action }), ...(!this.syncs && { Replacement: replaces }) };
    };
    const base: ResourceChange = {
      Action: this.syncs ? 'SyncWithActual' : 'Modify',
      LogicalResourceId: logicalId,
      PhysicalResourceId: current!.physicalId,
      ResourceType: resource.Type,
      Scope: [...this.scope],
      ...moduleInfo(resource.Metadata),
      ...aboutExisting(planner, existing, this.provider),
    };
    const unvalued = replacement === 'False' ? this.unvaluedReplacement : replacement;
    const change = resourceChange({ ...base, ...about(unvalued), Details: this.details });
    if (this.values.length === 0) return { change };
    return {
      change,
      detailed: resourceChange({
        ...base,
        ...about(replacement),
        Details: this.values,
        BeforeContext: context(before),
        AfterContext: context(after),
        ...(live?.[logicalId] && { PreviousDeploymentContext: context(previous) }),
      }),
    };
  }
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

const DYNAMIC: Cause = { Evaluation: 'Dynamic', ChangeSource: 'DirectModification' };
const isDirect = ({ ChangeSource }: Cause): boolean => ChangeSource === 'DirectModification';
const isDynamicDirect = (cause: Cause): boolean => isDirect(cause) && cause.Evaluation === 'Dynamic';

/**
 * What in a template makes a property change. The ids of resources change with their replacement only; what becomes of
 * other attributes of a resource that is changed in place is known when it is.
 */
function causesOf({ parameters, effects }: Planner, value: unknown): Cause[] {
  const { refs, attributes } = referencesOf(value);
  const causes: Cause[] = [];
  const replaced = (name: string) => effects.get(name) === 'new' || effects.get(name) === 'replaced';
  for (const ref of refs)
    if (parameters.has(ref))
      causes.push({ Evaluation: 'Static', ChangeSource: 'ParameterReference', CausingEntity: ref });
    else if (replaced(ref))
      causes.push({ Evaluation: 'Static', ChangeSource: 'ResourceReference', CausingEntity: ref });
  const ofParameter = causes.some(({ ChangeSource }) => ChangeSource === 'ParameterReference');
  for (const [owner, names] of attributes)
    if (replaced(owner) || effects.get(owner) === 'changed')
      for (const attribute of names)
        causes.push({
          Evaluation: replaced(owner) ? 'Static' : 'Dynamic',
          ChangeSource: 'ResourceAttribute',
          CausingEntity: `${owner}.${attribute}`,
        });
  if (causes.length === 0) return [{ Evaluation: 'Static', ChangeSource: 'DirectModification' }];
  return ofParameter ? [...causes, DYNAMIC] : causes;
}
