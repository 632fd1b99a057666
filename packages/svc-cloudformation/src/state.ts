import {
  type Collection,
  type ResourceProvider,
  resourceProviders,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core';
import { Deployments } from './engine/deployments.ts';
import { EventLog } from './engine/events.ts';
import type { EngineHost } from './engine/host.ts';
import { CLOUDFORMATION_OPTIONS } from './options.ts';
import { customResource } from './resource-types/custom.ts';
import { nestedStack } from './resource-types/nested-stack.ts';
import type { OwnProvider } from './resource-types/own.ts';
import { Signals } from './resource-types/signals.ts';
import { cdkMetadata, macro, placeholder } from './resource-types/simple.ts';
import { waitCondition, waitConditionHandle } from './resource-types/wait-condition.ts';
import { type MacroRecord, macroCollection } from './stacks/records.ts';
import { StackStore } from './stacks/store.ts';

/** Types whose resources somebody else's code makes. */
const CUSTOM = /^(Custom::.+|AWS::CloudFormation::CustomResource)$/;

/** The stacks of one account and region, and the work on them. */
export class CloudformationState extends StackStore implements WorkingState {
  readonly workers: readonly Worker[];
  readonly log: EventLog;
  readonly deployments: Deployments;
  readonly signals: Signals;
  private readonly macros: Collection<MacroRecord>;
  private readonly own: ReadonlyMap<string, OwnProvider>;

  constructor(private readonly scope: StateScope) {
    super(scope);
    this.macros = scope.collection(macroCollection);
    this.signals = new Signals(scope);
    this.log = new EventLog(this, scope);
    const host: EngineHost = {
      store: this,
      scope,
      events: this.log,
      signals: this.signals,
      provider: (typeName) => this.provider(typeName),
    };
    this.deployments = new Deployments(host, scope);
    const own = [
      cdkMetadata,
      macro(this.macros),
      nestedStack(this, (uuid) => this.deployments.settled(uuid)),
      waitCondition(this.signals),
      waitConditionHandle(this.signals, scope),
    ];
    this.own = new Map(own.map((provider) => [provider.typeName, provider]));
    this.workers = [this.deployments];
  }

  /** The function of a macro. */
  macro(name: string): { functionName: string } | undefined {
    return this.macros.get(name);
  }

  /** Names of the types that CloudFormation itself has. */
  get ownTypes(): string[] {
    return [...this.own.keys()];
  }

  /** The provider of a resource type; undefined where there is none and none is made up. */
  async provider(typeName: string): Promise<ResourceProvider | undefined> {
    const own = this.own.get(typeName);
    if (own) return own;
    if (CUSTOM.test(typeName)) return customResource(typeName, this.signals, this.scope);
    const found = await (await this.scope.service.capability(resourceProviders))?.provider(typeName);
    if (found || !this.scope.settings.of(CLOUDFORMATION_OPTIONS).EMULATOR_CLOUDFORMATION_SKIP_UNSUPPORTED) return found;
    return placeholder(typeName, (message) => this.scope.log.warn(message));
  }
}

/** Makes the state of an account and region. */
export function createState(scope: StateScope): CloudformationState {
  return new CloudformationState(scope);
}
