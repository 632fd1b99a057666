import type { Clock, Collection, DeepReadonly, Ids, StateScope } from '@emu/core/service';
import { stackType } from '../resources.ts';
import { type LocalEndpoints, localEndpoints } from '../templates/local-endpoints.ts';
import {
  type ChangeSetRecord,
  changeSetCollection,
  type EventRecord,
  eventCollection,
  type OperationRecord,
  operationCollection,
  type ResourceRecord,
  resourceCollection,
  type StackRecord,
  stackCollection,
  type TemplateRecord,
  templateCollection,
} from './records.ts';
import type { ChangeSet, NumberedEvent, Operation, Resource, Stack, StackRegistry } from './registry.ts';

/** Maximum number of stored events of a stack. */
const MAX_EVENTS = 5000;
/** Milliseconds for which a deleted stack can be described. */
const DELETED_KEPT = 90 * 24 * 60 * 60 * 1000;
/** Maximum number of stored deleted stacks. */
const MAX_DELETED = 1000;

const resourceKey = (stack: string, logicalId: string): string => `${stack}/${logicalId}`;
const eventKey = (stack: string, number: number): string => `${stack}/${String(number).padStart(9, '0')}`;

/** The stacks of one account and region with everything that belongs to them. */
export class StackStore implements StackRegistry {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** See `localEndpoints`. */
  readonly localEndpoints: (endpoint: string) => LocalEndpoints | undefined;
  private readonly stacks: Collection<StackRecord>;
  private readonly templates: Collection<TemplateRecord>;
  private readonly resources: Collection<ResourceRecord>;
  private readonly operations: Collection<OperationRecord>;
  private readonly eventRecords: Collection<EventRecord>;
  private readonly changeSets: Collection<ChangeSetRecord>;
  /** Uuids of stacks that are not deleted, by name. */
  private readonly byName = new Map<string, string>();
  private readonly deleted = new Set<string>();
  /** Keys of resources, in template order, and of change sets, by stack. */
  private readonly resourcesOf = new Map<string, Set<string>>();
  private readonly changeSetsOf = new Map<string, Set<string>>();
  /** Numbers of the stored events, by stack. */
  private readonly eventsOf = new Map<string, { first: number; next: number }>();
  /** Uuids of the exporting stack and the importing stacks, by export name. */
  private readonly exporters = new Map<string, string>();
  private readonly importers = new Map<string, Set<string>>();

  constructor(scope: StateScope) {
    this.localEndpoints = (endpoint) => localEndpoints(scope, endpoint);
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.stacks = scope.collection(stackCollection);
    this.templates = scope.collection(templateCollection);
    this.resources = scope.collection(resourceCollection);
    this.operations = scope.collection(operationCollection);
    this.eventRecords = scope.collection(eventCollection);
    this.changeSets = scope.collection(changeSetCollection);
    for (const stack of this.stacks.values()) this.index(stack);
    for (const [key, { stack }] of this.resources.entries()) addTo(this.resourcesOf, stack, key);
    for (const [key, { stack }] of this.changeSets.entries()) addTo(this.changeSetsOf, stack, key);
    for (const key of this.eventRecords.keys()) this.countEvent(key);
  }

  /** Returns the ARN of a stack. */
  arn({ name, uuid }: Pick<Stack, 'name' | 'uuid'>): string {
    return stackType.arn({ name, uuid }, this);
  }

  stack(uuid: string): Stack | undefined {
    return this.stacks.get(uuid);
  }

  /** Returns a stack by ARN, or by name if it is not deleted. */
  find(nameOrArn: string): Stack | undefined {
    const parsed = stackType.parse(nameOrArn);
    if (parsed) {
      const { accountId, region } = parsed.place;
      return accountId === this.accountId && region === this.region ? this.stacks.get(parsed.key.uuid) : undefined;
    }
    const uuid = this.byName.get(nameOrArn);
    return uuid === undefined ? undefined : this.stacks.get(uuid);
  }

  /** Number of stacks that are not deleted. */
  get stackNumber(): number {
    return this.byName.size;
  }

  /** Returns all stacks, newest first. */
  allStacks(): Stack[] {
    return [...this.stacks.values()].reverse();
  }

  /** Returns stacks that are not deleted, newest first. */
  activeStacks(): Stack[] {
    return [...this.byName.values()].map((uuid) => this.stacks.get(uuid)!).reverse();
  }

  putStack(record: StackRecord): Stack {
    this.evictDeleted();
    const stack = this.stacks.put(record.uuid, record);
    this.index(stack);
    return stack;
  }

  /** Updates a stack. */
  updateStack(uuid: string, change: (draft: StackRecord) => void): Stack {
    const before = this.stacks.get(uuid)!;
    const after = this.stacks.update(uuid, change);
    this.unindex(before);
    this.index(after);
    return after;
  }

  private index(stack: Stack): void {
    const { uuid, name, status, outputs, imports } = stack;
    if (status === 'DELETE_COMPLETE') {
      this.deleted.add(uuid);
      return;
    }
    this.byName.set(name, uuid);
    for (const { exportName } of outputs) if (exportName !== undefined) this.exporters.set(exportName, uuid);
    for (const imported of imports) addTo(this.importers, imported, uuid);
  }

  private unindex({ uuid, name, outputs, imports }: Stack): void {
    if (this.byName.get(name) === uuid) this.byName.delete(name);
    for (const { exportName } of outputs)
      if (exportName !== undefined && this.exporters.get(exportName) === uuid) this.exporters.delete(exportName);
    for (const imported of imports) removeFrom(this.importers, imported, uuid);
  }

  /** Evicts expired and surplus deleted stacks. */
  private evictDeleted(): void {
    const since = this.clock.now() - DELETED_KEPT;
    for (const uuid of this.deleted) {
      const stack = this.stacks.get(uuid);
      if (stack && (stack.deletedAt ?? 0) > since && this.deleted.size <= MAX_DELETED) break;
      this.discard(uuid);
    }
  }

  /** Deletes all records of a stack. */
  discard(uuid: string): void {
    const stack = this.stacks.get(uuid);
    if (stack) this.unindex(stack);
    for (const key of this.resourcesOf.get(uuid) ?? []) this.resources.delete(key);
    for (const key of this.changeSetsOf.get(uuid) ?? []) this.deleteChangeSet(key);
    const { first, next } = this.eventsOf.get(uuid) ?? { first: 0, next: 0 };
    for (let number = first; number < next; number++) this.eventRecords.delete(eventKey(uuid, number));
    if (stack) this.templates.delete(stack.templateId);
    this.stacks.delete(uuid);
    this.deleted.delete(uuid);
    for (const index of [this.resourcesOf, this.changeSetsOf, this.eventsOf]) index.delete(uuid);
  }

  /** Returns the exporting stack and value of an export. */
  exportOf(name: string): { stack: Stack; value: string } | undefined {
    const uuid = this.exporters.get(name);
    const stack = uuid === undefined ? undefined : this.stacks.get(uuid);
    const output = stack?.outputs.find(({ exportName }) => exportName === name);
    return stack && output && { stack, value: output.value };
  }

  /** Returns all export names in order. */
  exportNames(): string[] {
    return [...this.exporters.keys()].sort();
  }

  /** Returns the names of the stacks that import an export. */
  importersOf(name: string): string[] {
    return [...(this.importers.get(name) ?? [])].map((uuid) => this.stacks.get(uuid)!.name).sort();
  }

  template(id: string): DeepReadonly<TemplateRecord> | undefined {
    return this.templates.get(id);
  }

  /**
   * Stores a template.
   * @returns its id
   */
  putTemplate(record: TemplateRecord): string {
    const id = this.ids.uuid();
    this.templates.put(id, record);
    return id;
  }

  deleteTemplate(id: string): void {
    this.templates.delete(id);
  }

  /** Deletes a template without references from its stack or the stack's change sets. */
  dropTemplate(stack: string, id: string): void {
    const used =
      this.stacks.get(stack)?.templateId === id ||
      this.changeSetsIn(stack).some(({ target }) => target.templateId === id);
    if (!used) this.templates.delete(id);
  }

  resource(stack: string, logicalId: string): Resource | undefined {
    return this.resources.get(resourceKey(stack, logicalId));
  }

  /** Returns the resources of a stack, in order of insertion. */
  resourcesIn(stack: string): Resource[] {
    return [...(this.resourcesOf.get(stack) ?? [])].map((key) => this.resources.get(key)!);
  }

  putResource(record: ResourceRecord): Resource {
    const key = resourceKey(record.stack, record.logicalId);
    addTo(this.resourcesOf, record.stack, key);
    return this.resources.put(key, record);
  }

  updateResource(stack: string, logicalId: string, change: (draft: ResourceRecord) => void): Resource {
    return this.resources.update(resourceKey(stack, logicalId), change);
  }

  deleteResource(stack: string, logicalId: string): void {
    const key = resourceKey(stack, logicalId);
    this.resourcesOf.get(stack)?.delete(key);
    this.resources.delete(key);
  }

  operation(stack: string): Operation | undefined {
    return this.operations.get(stack);
  }

  operationsInProgress(): Operation[] {
    return [...this.operations.values()];
  }

  putOperation(record: OperationRecord): Operation {
    return this.operations.put(record.stack, record);
  }

  updateOperation(stack: string, change: (draft: OperationRecord) => void): Operation {
    return this.operations.update(stack, change);
  }

  deleteOperation(stack: string): void {
    this.operations.delete(stack);
  }

  changeSet(uuid: string): ChangeSet | undefined {
    return this.changeSets.get(uuid);
  }

  changeSetsIn(stack: string): ChangeSet[] {
    return [...(this.changeSetsOf.get(stack) ?? [])].map((uuid) => this.changeSets.get(uuid)!);
  }

  /**
   * Returns the nested stack that a change set has announced for a resource of its parent.
   * @param parentId ARN of the parent
   */
  reviewedIn(parentId: string, logicalId: string): Stack | undefined {
    return this.activeStacks().find(
      (stack) => stack.parentId === parentId && stack.status === 'REVIEW_IN_PROGRESS' && stack.nestedAs === logicalId,
    );
  }

  /** Returns the nested change sets created with a change set. */
  nestedChangeSets(parent: string): ChangeSet[] {
    return [...this.changeSets.values()].filter((changeSet) => changeSet.parent?.uuid === parent);
  }

  putChangeSet(record: ChangeSetRecord): ChangeSet {
    addTo(this.changeSetsOf, record.stack, record.uuid);
    return this.changeSets.put(record.uuid, record);
  }

  updateChangeSet(uuid: string, change: (draft: ChangeSetRecord) => void): ChangeSet {
    return this.changeSets.update(uuid, change);
  }

  /** Marks the available change sets of a stack as obsolete, with those nested in them: the stack is changed otherwise. */
  outdateChangeSets(stack: string): void {
    const outdate = ({ uuid, execution }: ChangeSet): void => {
      if (execution !== 'AVAILABLE') return;
      this.updateChangeSet(uuid, (draft) => {
        draft.execution = 'OBSOLETE';
      });
      for (const nested of this.nestedChangeSets(uuid)) outdate(nested);
    };
    for (const changeSet of this.changeSetsIn(stack)) outdate(changeSet);
  }

  deleteChangeSet(uuid: string): void {
    const changeSet = this.changeSets.get(uuid);
    if (!changeSet) return;
    for (const nested of this.nestedChangeSets(uuid)) this.deleteChangeSet(nested.uuid);
    removeFrom(this.changeSetsOf, changeSet.stack, uuid);
    this.changeSets.delete(uuid);
    this.dropTemplate(changeSet.stack, changeSet.target.templateId);
  }

  /** Returns the time of the next event of a stack: after the previous one, because clients sort events by their times. */
  nextEventTime(stack: string): number {
    const { next } = this.eventsOf.get(stack) ?? { next: 0 };
    return Math.max(this.clock.now(), (this.eventRecords.get(eventKey(stack, next - 1))?.at ?? 0) + 1);
  }

  /** Adds an event and evicts the oldest surplus ones. */
  addEvent(event: EventRecord): void {
    const numbers = this.eventsOf.get(event.stack) ?? { first: 0, next: 0 };
    this.eventRecords.put(eventKey(event.stack, numbers.next), event);
    const first = numbers.next - numbers.first >= MAX_EVENTS ? numbers.first + 1 : numbers.first;
    if (first > numbers.first) this.eventRecords.delete(eventKey(event.stack, numbers.first));
    this.eventsOf.set(event.stack, { first, next: numbers.next + 1 });
  }

  /** Returns the events of a stack with their numbers, newest first. */
  events(stack: string): NumberedEvent[] {
    const { first, next } = this.eventsOf.get(stack) ?? { first: 0, next: 0 };
    const events = [];
    for (let number = next - 1; number >= first; number--)
      events.push({ number, event: this.eventRecords.get(eventKey(stack, number))! });
    return events;
  }

  private countEvent(key: string): void {
    const slash = key.lastIndexOf('/');
    const number = Number(key.slice(slash + 1));
    const known = this.eventsOf.get(key.slice(0, slash));
    this.eventsOf.set(key.slice(0, slash), {
      first: Math.min(known?.first ?? number, number),
      next: Math.max(known?.next ?? 0, number + 1),
    });
  }
}

function addTo(index: Map<string, Set<string>>, key: string, value: string): void {
  const values = index.get(key);
  if (values) values.add(value);
  else index.set(key, new Set([value]));
}

function removeFrom(index: Map<string, Set<string>>, key: string, value: string): void {
  const values = index.get(key);
  values?.delete(value);
  if (values?.size === 0) index.delete(key);
}
