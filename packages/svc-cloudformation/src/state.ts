import {
  type Collection,
  Outbox,
  type ProviderContext,
  type ResourceProvider,
  resourceProviders,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { DriftDetections } from './drift/detections.ts';
import { type LiveStates, liveStates } from './drift/live.ts';
import type { DriftTypes } from './drift/types.ts';
import { Deployments } from './engine/deployments.ts';
import { EventLog } from './engine/events.ts';
import { type Asker, type EngineHost, readingContext } from './host.ts';
import { ResourceScans } from './iac/scans.ts';
import { GeneratedTemplates } from './iac/templates.ts';
import { CLOUDFORMATION_OPTIONS } from './options.ts';
import { type RefactorRecord, refactorCollection } from './refactors/records.ts';
import { ModuleStore } from './registry/modules.ts';
import type { PublicType } from './registry/public-types.ts';
import { Publishing, publicTypesOf } from './registry/publishing.ts';
import { TypeRegistry } from './registry/registry.ts';
import { customResource } from './resource-types/custom.ts';
import { ownProviders } from './resource-types/index.ts';
import type { OwnProvider } from './resource-types/own.ts';
import { Signals } from './resource-types/signals.ts';
import { placeholder } from './resource-types/simple.ts';
import { StackSetRunner } from './stack-sets/runner.ts';
import { StackSets } from './stack-sets/store.ts';
import { driftDetectionCollection, type MacroRecord, macroCollection } from './stacks/records.ts';
import type { Stack } from './stacks/registry.ts';
import { StackStore } from './stacks/store.ts';
import { isPublicType } from './templates/resource-types.ts';

/** Names of modules. */
const MODULE = /::MODULE$/;
/** Types whose resources are created by the user's code. */
const CUSTOM = /^(Custom::.+|AWS::CloudFormation::CustomResource)$/;

/** The stacks of one account and region, and their operations. */
export class CloudformationState extends StackStore implements WorkingState, DriftTypes {
  readonly workers: readonly Worker[];
  readonly log: EventLog;
  readonly deployments: Deployments;
  readonly signals: Signals;
  readonly registry: TypeRegistry;
  readonly modules: ModuleStore;
  readonly publishing: Publishing;
  readonly drifts: DriftDetections;
  readonly stackSets: StackSets;
  readonly scans: ResourceScans;
  readonly generated: GeneratedTemplates;
  readonly refactors: Collection<RefactorRecord>;
  readonly stackSetRunner: StackSetRunner;
  private readonly macros: Collection<MacroRecord>;
  private readonly own: ReadonlyMap<string, OwnProvider>;

  constructor(private readonly scope: StateScope) {
    super(scope);
    this.macros = scope.collection(macroCollection);
    this.signals = new Signals(scope);
    this.registry = new TypeRegistry(scope);
    this.modules = new ModuleStore(scope);
    this.publishing = new Publishing(scope);
    const outbox = new Outbox(scope);
    this.log = new EventLog(this, outbox);
    const host: EngineHost = {
      store: this,
      scope,
      events: this.log,
      signals: this.signals,
      registry: this.registry,
      provider: (typeName) => this.provider(typeName),
    };
    this.deployments = new Deployments(host, scope);
    const own = ownProviders({
      scope,
      stacks: this,
      registry: this.registry,
      macros: this.macros,
      signals: this.signals,
      settled: (uuid) => this.deployments.settled(uuid),
      stop: (uuid) => this.deployments.stop(uuid),
    });
    this.own = new Map(own.map((provider) => [provider.typeName, provider]));
    this.drifts = new DriftDetections(this, scope.collection(driftDetectionCollection), this, scope);
    this.stackSets = new StackSets(scope);
    this.stackSetRunner = new StackSetRunner(this.stackSets, scope);
    this.refactors = scope.collection(refactorCollection);
    this.scans = new ResourceScans(scope);
    this.generated = new GeneratedTemplates(scope, this);
    this.workers = [outbox, this.deployments, this.drifts, this.stackSetRunner, this.scans, this.generated];
  }

  /** Returns all public versions of the region; versions of an extension oldest first. */
  publicTypes(): PublicType[] {
    return publicTypesOf(this.scope.service as ServiceHandle<CloudformationState>, this.scope.region);
  }

  /** Returns the template fragment of a private or activated module as JSON; undefined if missing. */
  moduleFragment(name: string): string | undefined {
    const own = this.modules.inUse(name);
    if (own) return own.fragment;
    const activated = this.registry.activated(name);
    return (
      activated &&
      this.publicTypes().find(
        ({ name: original, publisherId, version }) =>
          original === activated.originalName && publisherId === activated.publisherId && version === activated.version,
      )?.fragment
    );
  }

  /** Returns the function of a macro. */
  macro(name: string): { functionName: string } | undefined {
    return this.macros.get(name);
  }

  /** Names of the types that CloudFormation implements itself. */
  get ownTypes(): string[] {
    return [...this.own.keys()];
  }

  /** Returns the provider of a resource type, or a placeholder if allowed; otherwise undefined. */
  async provider(typeName: string): Promise<ResourceProvider | undefined> {
    const own = this.own.get(typeName);
    if (own) return own;
    if (CUSTOM.test(typeName)) return customResource(typeName, this.signals, this.scope);
    const found = await this.comparable(typeName);
    if (found || !this.scope.settings.of(CLOUDFORMATION_OPTIONS).EMULATOR_CLOUDFORMATION_SKIP_UNSUPPORTED) return found;
    return placeholder(typeName, (message) => this.scope.log.warn(message));
  }

  /**
   * Whether a template may contain a resource type: a supported one, another public one of AWS, a custom one or a module.
   * Placeholders stand for types of third parties, too.
   */
  async recognizes(typeName: string): Promise<boolean> {
    if (this.own.has(typeName) || CUSTOM.test(typeName) || MODULE.test(typeName)) return true;
    if ((await this.comparable(typeName)) || (await isPublicType(typeName))) return true;
    const { EMULATOR_CLOUDFORMATION_SKIP_UNSUPPORTED: skips } = this.scope.settings.of(CLOUDFORMATION_OPTIONS);
    return skips && !typeName.startsWith('AWS::');
  }

  /** Returns a service's provider of a resource type; excludes CloudFormation's own. */
  async comparable(typeName: string): Promise<ResourceProvider | undefined> {
    return (await this.scope.service.capability(resourceProviders))?.provider(typeName);
  }

  /** Returns the names of the resource types of all services. */
  async resourceTypes(): Promise<readonly string[]> {
    return (await this.scope.service.capability(resourceProviders))?.names ?? [];
  }

  /** Reads the live state of a stack's resources on behalf of a request. */
  liveStates(stack: Stack, asker: Asker): Promise<LiveStates> {
    return liveStates(this.resourcesIn(stack.uuid), this, this.scope, asker);
  }

  /** Returns the context for providers to read and list resources on behalf of a request. */
  reading(asker: Asker, signal: AbortSignal): ProviderContext {
    return readingContext(this.scope, asker, signal);
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): CloudformationState {
  return new CloudformationState(scope);
}
