import { copyOf, type ResourceProvider } from '@emu/core/service';
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
import { textOf } from '@emu/wire';
import { ignoredAttributes, type LiveStates, livePropertiesOf } from '../drift/live.ts';
import type { DeploymentRecord } from '../stacks/records.ts';
import type { Resource, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import { type Evaluator, isKnownLater } from '../templates/evaluate.ts';
import { referencesOf } from '../templates/references.ts';
import type { Template } from '../templates/template.ts';
import { type JsonObject, sameJson } from '../templates/values.ts';
import { moduleInfo } from '../transforms/modules.ts';
import { policyOf } from './applying.ts';
import { withoutHidden } from './hidden.ts';
import { changedProperties, checkedProperties, replacementOf } from './properties.ts';
import { withTags } from './steps.ts';

/** Inputs for planning the resources of a deployment. */
export interface Planner {
  readonly store: StackStore;
  readonly stack: Stack;
  readonly template: Template;
  readonly evaluator: Evaluator;
  readonly target: Omit<DeploymentRecord, 'templateId'>;
  /** Planned effects of the resources so far. */
  readonly effects: Map<string, 'new' | 'replaced' | 'changed' | 'kept'>;
  readonly parameters: ReadonlySet<string>;
  /** Live state of the resources; undefined if it was not read. */
  readonly live: LiveStates | undefined;
}

/**
 * A listed change, without and with property values. A change that only depends on a value of a resource updated in
 * place is listed by AWS only without property values.
 */
export interface Planned {
  readonly change: Change;
  readonly detailed?: Change;
}

/** Formats a change of a resource. */
export const resourceChange = (ResourceChange: Change['ResourceChange']): Change => ({
  Type: 'Resource',
  ResourceChange,
});

/**
 * Returns the members of every change of an existing resource.
 * @param provider undefined if the resource is removed
 */
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
 * Plans the change of one resource of the template.
 * @param imported whether the resource is imported into the stack
 * @returns undefined if it does not change
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
  // A resource that was deleted outside the stack is created again.
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

/** Computes the change of an existing resource, detail by detail. */
class ResourcePlan {
  replacement: Replacement = 'False';
  /** Whether a replacement is possible, before values are known. */
  private unvaluedReplacement: Replacement = 'False';
  /** Current properties: those of the last deployment, or the live ones. */
  readonly before: JsonObject;
  /** Names of properties that differ from the live state or the last deployment. */
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

  /** Whether the resource is unchanged and only CloudFormation's own attributes of it change. */
  get syncs(): boolean {
    return this.names.length > 0 && this.changed.size === 0 && !this.scope.has('Tags') && !this.scope.has('Metadata');
  }

  /**
   * Adds the detail of a property that differs.
   * @param written property with unevaluated functions
   */
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

  /**
   * Adds the detail of a property that refers to a changed resource, although its value is the same as far as known.
   */
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

  /** Returns the sources of a property's values, in a drift-aware change set. */
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

  /**
   * Adds the detail of changed stack tags or changed metadata.
   * @param written value with unevaluated functions
   */
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
    // The deployment reports invalid properties.
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
 * Causes of a property change in the template. A resource's Ref changes only with its replacement; other attributes of
 * a resource updated in place are unknown until the update.
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
