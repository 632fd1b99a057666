import {
  type BodyStore,
  type Clock,
  type Collection,
  IdempotencyTokens,
  type Ids,
  type Logger,
  metricsOf,
  Outbox,
  type Place,
  type RegionMetrics,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { accessRequestCollection } from './access/records.ts';
import { AccessRequests } from './access/requests.ts';
import { AssociationRunner } from './associations/runner.ts';
import { AssociationStore } from './associations/store.ts';
import { Automations } from './automation/automations.ts';
import { automationCollection, previewCollection } from './automation/records.ts';
import type { AutomationOwner } from './automation/types.ts';
import { Commands } from './commands/commands.ts';
import { commandCollection } from './commands/records.ts';
import { ComplianceStore } from './compliance/store.ts';
import { documentCollection } from './documents/records.ts';
import { DocumentTable } from './documents/table.ts';
import { ssmError } from './errors.ts';
import { InventoryStore } from './inventory/store.ts';
import { Nodes } from './nodes/nodes.ts';
import { activationCollection, instanceCollection } from './nodes/records.ts';
import { OpsStore } from './ops/store.ts';
import { type EventType, emit, type OutboxScope, type ParameterChange } from './parameters/events.ts';
import { PolicyClock } from './parameters/policy-clock.ts';
import { ParameterTable } from './parameters/table.ts';
import { PatchStore } from './patches/store.ts';
import { clientTokenCollection, parameterCollection, type SettingRecord, settingCollection } from './records.ts';
import type { ParameterRegistry } from './registry.ts';
import { automationType, definitionType, documentType, parameterType } from './resources.ts';
import { sessionCollection } from './sessions/records.ts';
import { Sessions } from './sessions/sessions.ts';
import { scriptLogGroup } from './settings.ts';
import { SyncStore } from './sync/store.ts';
import { nodesOfTargets } from './windows/nodes.ts';
import { windowType } from './windows/resources.ts';
import { WindowRunner } from './windows/runner.ts';
import { WindowStore } from './windows/store.ts';

/** Lifetime of client tokens, in milliseconds. */
const TOKEN_PERIOD = 24 * 60 * 60 * 1000;

/** Systems Manager's state of an account and region. */
export class SsmState implements ParameterRegistry, AutomationOwner, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Metrics for CloudWatch; undefined if no service reports them. */
  readonly reported: RegionMetrics | undefined;
  readonly parameters: ParameterTable;
  readonly policyClock: PolicyClock;
  readonly settings: Collection<SettingRecord>;
  readonly documents: DocumentTable;
  readonly automations: Automations;
  readonly nodes: Nodes;
  readonly access: AccessRequests;
  readonly commands: Commands;
  readonly sessions: Sessions;
  readonly bodies: BodyStore;
  /** Ids of resources created with client tokens. */
  readonly tokens: IdempotencyTokens<string>;
  readonly patches: PatchStore;
  readonly inventory: InventoryStore;
  readonly compliance: ComplianceStore;
  readonly ops: OpsStore;
  readonly syncs: SyncStore;
  readonly windows: WindowStore;
  readonly windowRunner: WindowRunner;
  readonly associations: AssociationStore;
  readonly associationRunner: AssociationRunner;

  private readonly scope: OutboxScope;

  constructor(stateScope: StateScope) {
    const outbox = new Outbox(stateScope);
    const scope = { ...stateScope, outbox };
    this.scope = scope;
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.reported = metricsOf(scope.service, scope.accountId, scope.region);
    this.parameters = new ParameterTable(scope.collection(parameterCollection));
    this.settings = scope.collection(settingCollection);
    this.documents = new DocumentTable(scope.collection(documentCollection));
    this.bodies = scope.bodies;
    this.tokens = new IdempotencyTokens({
      clock: scope.clock,
      records: scope.collection(clientTokenCollection),
      period: TOKEN_PERIOD,
      refuse: () =>
        ssmError(
          'IdempotentParameterMismatch',
          'The client token was used before, for a request with other parameters.',
        ),
    });
    this.patches = new PatchStore(scope);
    this.inventory = new InventoryStore(scope);
    this.compliance = new ComplianceStore(scope);
    this.ops = new OpsStore(scope);
    this.syncs = new SyncStore(scope, this.inventory, this.compliance);
    this.windowRunner = new WindowRunner(
      scope,
      () => this.windows,
      (detailType, { id, windowId }, detail) => {
        const own = { 'window-id': windowId, 'window-execution-id': id, ...detail };
        this.announce(detailType, windowType.arn({ id: windowId }, this), own, id);
      },
      (targets) => nodesOfTargets(targets, this.nodes, scope),
    );
    this.windows = new WindowStore(scope, (window) => this.windowRunner.open(window));
    this.associationRunner = new AssociationRunner(scope, () => this);
    this.associations = new AssociationStore(scope, (association) => this.associationRunner.run(association));
    this.nodes = new Nodes(scope, scope.collection(instanceCollection), scope.collection(activationCollection));
    this.commands = new Commands(scope, scope.collection(commandCollection), this.nodes);
    this.sessions = new Sessions(scope, scope.collection(sessionCollection), this.nodes);
    this.automations = new Automations(
      this,
      scope,
      scope.collection(automationCollection),
      scope.collection(previewCollection),
    );
    this.access = new AccessRequests(scope, scope.collection(accessRequestCollection), () => this);
    this.policyClock = new PolicyClock(scope, this.parameters);
    this.workers = [
      outbox,
      this.policyClock,
      this.commands,
      this.automations,
      this.access,
      this.sessions,
      this.syncs,
      this.windowRunner,
      this.windows,
      this.associationRunner,
      this.associations,
    ];
  }

  /** Returns the ARN of a parameter. */
  arnOf(name: string): string {
    return parameterType.arn({ name: name.replace(/^\//, '') }, this);
  }

  policyOf(parameter: string): string | undefined {
    return this.ops.policies.get(this.arnOf(parameter))?.policy;
  }

  get scriptLogGroup(): string | undefined {
    return scriptLogGroup(this);
  }

  documentArn(name: string): string {
    return documentType.arn({ name }, this);
  }

  automationArn(id: string): string {
    return automationType.arn({ id }, this);
  }

  definitionArn(name: string, version: string): string {
    return definitionType.arn({ name: name.slice(name.lastIndexOf('/') + 1), version }, this);
  }

  automationsAt(accountId: string, region: string): Automations {
    if (accountId === this.accountId && region === this.region) return this.automations;
    return (this.scope.service.state(accountId, region) as SsmState).automations;
  }

  documentsOf({ accountId, region }: Place): DocumentTable | undefined {
    if (accountId === this.accountId && region === this.region) return this.documents;
    return (this.scope.service.existingState(accountId, region) as SsmState | undefined)?.documents;
  }

  /**
   * Sends an event to EventBridge.
   * @param arn of the event's resource or resources
   * @param cause id of the request or run that caused it
   */
  announce(detailType: EventType, arn: string | readonly string[], detail: object, cause: string): void {
    emit(this.scope, detailType, arn, detail, cause);
  }

  /**
   * Sends a parameter change to EventBridge.
   * @param cause id of the request that caused it
   */
  announceParameter(operation: ParameterChange, name: string, more: object, cause: string): void {
    emit(this.scope, 'Parameter Store Change', this.arnOf(name), { operation, name, ...more }, cause);
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): SsmState {
  return new SsmState(scope);
}
