import { copyOf, type ResourceProvider, tagMap, unsupportedProperties } from '@emu/core/service';
import type { ResourceStatus, Tag } from '@emu/service-types/cloudformation';
import { AwsError } from '@emu/wire';
import { livePropertiesOf } from '../drift/live.ts';
import { invokeResourceHooks } from '../hooks/runner.ts';
import { type Run, type StepContext, stepContext } from '../host.ts';
import { ANY_PROPERTY, type OwnProvider, type OwnResource } from '../resource-types/own.ts';
import type { PhysicalRecord, ResourceRecord } from '../stacks/records.ts';
import type { Operation, Resource } from '../stacks/registry.ts';
import { resolveReferences } from '../templates/dynamic-references.ts';
import type { TemplateResource } from '../templates/template.ts';
import { type JsonObject, sameJson } from '../templates/values.ts';
import { awaitCreation } from './creation-policy.ts';
import { refOf } from './evaluation.ts';
import { failureReason } from './handler-errors.ts';
import { checkedProperties, effectOf, PropertyProblem } from './properties.ts';

const RANDOM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const RANDOM_LENGTH = 12;

/** Returns a failure with CloudFormation's own message, which events show unchanged. */
export const ownFailure = (message: string): Error => new Error(message);

/** A resource of a deployment. */
export interface DesiredResource {
  readonly logicalId: string;
  readonly resource: TemplateResource;
  readonly provider: ResourceProvider;
  /** Evaluated properties, with dynamic references unresolved. */
  readonly properties: JsonObject;
  /** Properties as events show them, if some values are masked. */
  readonly shown?: JsonObject;
  readonly tags: readonly Tag[];
  readonly dependsOn: readonly string[];
  readonly deletionPolicy: string;
  readonly updateReplacePolicy: string;
  readonly metadata: string | undefined;
}

/** Merges the stack's tags into the tags of the resource, which take precedence. */
export function withTags(
  { facts, handles }: ResourceProvider,
  properties: JsonObject,
  tags: readonly Tag[],
): JsonObject {
  if (!facts.tags || tags.length === 0) return properties;
  const { property, form } = facts.tags;
  if (!handles.includes(property)) return properties;
  if (form === 'map') {
    const own = (properties[property] ?? {}) as JsonObject;
    return { ...properties, [property]: { ...tagMap(tags), ...own } };
  }
  const own = (properties[property] ?? []) as Tag[];
  const given = new Set(own.map(({ Key }) => Key));
  return { ...properties, [property]: [...own, ...tags.filter(({ Key }) => !given.has(Key))] };
}

/**
 * Returns the properties of a resource including the stack's tags, as deployed or, if drift is reverted, as read.
 * @param desired properties of the deployment
 */
export function liveProperties(
  provider: ResourceProvider,
  current: NonNullable<Resource['current']>,
  desired: JsonObject,
  live: NonNullable<Operation['live']>[string] | undefined,
): JsonObject {
  const properties = livePropertiesOf(provider.facts, copyOf(current) as PhysicalRecord, desired, live);
  return withTags(provider, properties, copyOf(current.tags) as Tag[]);
}

/**
 * Validates properties against the type's facts and its provider.
 * @throws AwsError with AWS's message, or with the names of properties that emu does not support
 */
export function checkProperties(provider: ResourceProvider, logicalId: string, given: JsonObject): JsonObject {
  let checked: JsonObject;
  try {
    checked = checkedProperties(provider.facts, given);
  } catch (error) {
    if (!(error instanceof PropertyProblem)) throw error;
    throw ownFailure(`Properties validation failed for resource ${logicalId} with message:\n${error.message}`);
  }
  const unsupported = provider.handles.includes(ANY_PROPERTY) ? [] : unsupportedProperties(provider, checked);
  if (unsupported.length)
    throw ownFailure(
      `The properties [${unsupported.join(', ')}] of ${provider.typeName} are not supported by emu (resource ${logicalId})`,
    );
  return checked;
}

/** Resolves the dynamic references of properties and converts these to the types in the facts. */
async function resolvedFor(provider: ResourceProvider, properties: JsonObject, ctx: StepContext): Promise<JsonObject> {
  const resolved = (await resolveReferences(properties, ctx, ctx.secrets)) as JsonObject;
  return resolved === properties ? properties : checkedProperties(provider.facts, resolved);
}

/** Steps of single resources: create, update, replace and delete, with their records and events. */
export class ResourceSteps {
  constructor(private readonly run: Run) {}

  /**
   * Applies a deployment to a resource.
   * @returns whether it succeeded; rejects if the state is closed
   */
  async apply(desired: DesiredResource): Promise<boolean> {
    const { logicalId, provider } = desired;
    const { store } = this.run.host;
    const existing = store.resource(this.run.stack, logicalId);
    const operation = this.run.operation();
    if (existing?.done === operation.id) return true;
    if (!existing?.current) return this.create(desired, existing);
    const live = operation.live?.[logicalId];
    if (live?.status === 'DELETED') return this.create(desired, existing);
    const previous = existing.current;
    if (previous.type !== provider.typeName)
      return this.fail(
        existing,
        'UPDATE_FAILED',
        ownFailure(
          `Update of resource type is not permitted. The new template modifies resource type of the following resources: [${logicalId}]`,
        ),
      );
    const before = liveProperties(provider, previous, desired.properties, live);
    const after = withTags(provider, desired.properties, desired.tags);
    const effect = effectOf(provider, before, after);
    if (effect === 'none' && !this.changesWithin(logicalId)) return this.keep(desired, existing);
    if (effect === 'replace') return this.replace(desired, existing);
    return this.update(desired, existing, before, after);
  }

  /** Whether a nested stack's change set has changes. */
  private changesWithin(logicalId: string): boolean {
    const { changeSet } = this.run.operation();
    if (changeSet === undefined) return false;
    return this.run.host.store
      .nestedChangeSets(changeSet)
      .some(({ parent, execution }) => parent!.logicalId === logicalId && execution === 'AVAILABLE');
  }

  private async create(desired: DesiredResource, existing: Resource | undefined): Promise<boolean> {
    const { logicalId } = desired;
    const record = this.begin(desired, existing, 'CREATE_IN_PROGRESS');
    try {
      await invokeResourceHooks(this.run, {
        resource: record,
        physicalId: '',
        action: 'CREATE',
        properties: withTags(desired.provider, desired.properties, desired.tags),
      });
      const physical = await this.make(desired, record);
      this.finish(desired, physical, 'CREATE_COMPLETE', record.current === undefined ? null : undefined);
      return true;
    } catch (error) {
      this.throwIfClosed();
      return this.fail(this.run.host.store.resource(this.run.stack, logicalId)!, 'CREATE_FAILED', error, desired);
    }
  }

  /**
   * Creates a resource.
   * @throws the provider's error
   */
  private async make(desired: DesiredResource, record: Resource): Promise<PhysicalRecord> {
    const { run } = this;
    const { store, events } = run.host;
    const { logicalId, provider, properties, tags } = desired;
    const random = record.making?.random ?? store.ids.chars(RANDOM_LENGTH, RANDOM);
    if (!record.making)
      store.updateResource(run.stack, logicalId, (draft) => {
        draft.making = { random };
      });
    let announced = false;
    const announce = (identifier: string): void => {
      if (announced || run.closed()) return;
      announced = true;
      store.updateResource(run.stack, logicalId, (draft) => {
        draft.making = { random, identifier };
      });
      const physicalId = refOf(provider, { identifier, properties, attributes: {} });
      events.resource(store.stack(run.stack)!, run.operation(), record, physicalId, record.status, {
        reason: 'Resource creation Initiated',
        properties: desired.shown ?? properties,
      });
    };
    const ctx = stepContext(run, { logicalId, random, provider, created: announce });
    const resolved = await resolvedFor(provider, withTags(provider, properties, tags), ctx);
    provider.validate?.(resolved);
    const { identifier, attributes = {}, noEcho }: OwnResource = await provider.create(resolved, ctx);
    this.throwIfClosed();
    announce(identifier);
    await awaitCreation(desired.resource, run.stack, logicalId, run.host.signals, ctx);
    this.throwIfClosed();
    return this.physicalOf(desired, random, { identifier, attributes, noEcho: noEcho ?? false }, ctx);
  }

  /** Returns the record of an existing resource; reads the attributes that the provider did not return. */
  private async physicalOf(
    desired: Pick<DesiredResource, 'provider' | 'properties' | 'shown' | 'tags'>,
    random: string,
    { identifier, attributes: returned = {}, noEcho }: OwnResource,
    ctx: StepContext,
  ): Promise<PhysicalRecord> {
    const { provider, properties, shown, tags } = desired;
    const missing = Object.keys(provider.facts.attributes).some((name) => !Object.hasOwn(returned, name));
    const attributes = {
      ...(missing ? (await provider.read(identifier, ctx, withTags(provider, properties, tags)))?.attributes : {}),
      ...returned,
    };
    this.throwIfClosed();
    return {
      type: provider.typeName,
      identifier,
      physicalId: refOf(provider, { identifier, properties, attributes }),
      attributes,
      properties,
      ...(shown && { shown }),
      tags: [...tags],
      random,
      ...(noEcho && { noEcho: true as const }),
    };
  }

  private async update(
    desired: DesiredResource,
    existing: Resource,
    before: JsonObject,
    after: JsonObject,
  ): Promise<boolean> {
    const { run } = this;
    const { store } = run.host;
    const { logicalId, provider } = desired;
    const previous = existing.current!;
    const record = this.begin(desired, existing, 'UPDATE_IN_PROGRESS');
    try {
      await this.invokeHooksBeforeUpdate(desired, record);
      const { random, identifier } = previous;
      const ctx = stepContext(run, { logicalId, random, provider });
      const [old, next] = (await Promise.all([
        resolvedFor(provider, before, ctx).catch(() => before),
        resolvedFor(provider, after, ctx),
      ])) as [JsonObject, JsonObject];
      provider.validate?.(next);
      const { exchange } = provider as OwnProvider;
      if (exchange)
        store.updateResource(run.stack, logicalId, (draft) => {
          draft.asked = desired.properties;
        });
      const exchanged = await exchange?.(identifier, old, next, ctx);
      if (!exchanged) await provider.update!(identifier, old, next, ctx);
      this.throwIfClosed();
      if (exchanged && exchanged.identifier !== identifier) this.leave(existing, previous as PhysicalRecord);
      const physical = await this.physicalOf(desired, random, exchanged ?? { identifier }, ctx);
      const attributes = exchanged ? physical.attributes : { ...copyOf(previous.attributes), ...physical.attributes };
      this.finish(
        desired,
        { ...physical, attributes, physicalId: refOf(provider, { ...physical, attributes }) },
        'UPDATE_COMPLETE',
        previous as PhysicalRecord,
      );
      return true;
    } catch (error) {
      this.throwIfClosed();
      return this.fail(record, 'UPDATE_FAILED', error, desired);
    }
  }

  private async replace(desired: DesiredResource, existing: Resource): Promise<boolean> {
    const { run } = this;
    const { logicalId, provider, properties } = desired;
    const { store } = run.host;
    const previous = existing.current!;
    const name = provider.facts.name?.property;
    if (name !== undefined && properties[name] !== undefined && sameJson(properties[name], previous.properties[name]))
      return this.fail(
        existing,
        'UPDATE_FAILED',
        ownFailure(
          `CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename ${String(properties[name])} and update the stack again.`,
        ),
        desired,
      );
    const record = this.begin(
      desired,
      existing,
      'UPDATE_IN_PROGRESS',
      'Requested update requires the creation of a new physical resource; hence creating one.',
    );
    try {
      await this.invokeHooksBeforeUpdate(desired, record);
      const physical = await this.make(desired, record);
      if (physical.identifier !== previous.identifier) this.leave(existing, previous as PhysicalRecord);
      store.updateResource(run.stack, logicalId, (draft) => {
        draft.updateReplacePolicy = desired.updateReplacePolicy;
      });
      this.finish(desired, physical, 'UPDATE_COMPLETE', previous as PhysicalRecord);
      return true;
    } catch (error) {
      this.throwIfClosed();
      return this.fail(store.resource(run.stack, logicalId)!, 'UPDATE_FAILED', error, desired);
    }
  }

  /** @throws Error if a hook stops the update */
  private invokeHooksBeforeUpdate({ provider, properties, tags }: DesiredResource, record: Resource): Promise<void> {
    const { current } = record;
    return invokeResourceHooks(this.run, {
      resource: record,
      physicalId: current!.physicalId,
      action: 'UPDATE',
      properties: withTags(provider, properties, tags),
      previous: withTags(provider, copyOf(current!.properties) as JsonObject, copyOf(current!.tags) as Tag[]),
    });
  }

  /** Marks a resource for deletion after the operation succeeds. */
  private leave({ logicalId, updateReplacePolicy }: Resource, physical: PhysicalRecord): void {
    this.run.host.store.updateOperation(this.run.stack, (draft) => {
      draft.leftovers.push({ logicalId, physical, retain: updateReplacePolicy === 'Retain' });
    });
  }

  /** Handles a resource without changes; only CloudFormation's own attributes of it change. */
  private keep(desired: DesiredResource, existing: Resource): boolean {
    const { store, events } = this.run.host;
    const operation = this.run.operation();
    const { metadata } = desired;
    const changed = existing.metadata !== metadata;
    const stack = store.stack(this.run.stack)!;
    const { physicalId } = existing.current!;
    if (changed) events.resource(stack, operation, existing, physicalId, 'UPDATE_IN_PROGRESS');
    store.updateResource(this.run.stack, desired.logicalId, (draft) => {
      describe(draft, desired);
      draft.done = operation.id;
      if (draft.before === undefined) draft.before = draft.current ?? null;
      // The template now matches what was changed outside the stack.
      if (operation.live && draft.current)
        draft.current = {
          ...draft.current,
          properties: desired.properties,
          ...(desired.shown && { shown: desired.shown }),
          tags: [...desired.tags],
        };
      if (changed) {
        draft.status = 'UPDATE_COMPLETE';
        draft.updatedAt = store.clock.now();
      }
      delete draft.reason;
    });
    if (changed) events.resource(stack, operation, existing, physicalId, 'UPDATE_COMPLETE');
    return true;
  }

  /**
   * Imports an existing resource into the stack.
   * @returns whether it exists
   */
  async adopt(desired: DesiredResource, identifier: string): Promise<boolean> {
    const { run } = this;
    const { store, events } = run.host;
    const { logicalId, provider, properties } = desired;
    const record = this.begin(
      desired,
      store.resource(run.stack, logicalId),
      'IMPORT_IN_PROGRESS',
      'Resource import started.',
    );
    const random = store.ids.chars(RANDOM_LENGTH, RANDOM);
    const ctx = stepContext(run, { logicalId, random, provider });
    try {
      const model = await provider.read(identifier, ctx, properties);
      this.throwIfClosed();
      if (!model)
        throw ownFailure(`Resource of type '${provider.typeName}' with identifier '${identifier}' was not found.`);
      const attributes = { ...model.attributes };
      const physicalId = refOf(provider, { identifier, properties: model.properties as JsonObject, attributes });
      this.finish(
        desired,
        { type: provider.typeName, identifier, physicalId, attributes, properties, tags: [...desired.tags], random },
        'IMPORT_COMPLETE',
        null,
      );
      events.resource(store.stack(run.stack)!, run.operation(), record, physicalId, 'UPDATE_COMPLETE', {
        reason: 'Apply stack-level tags to imported resource if applicable.',
      });
      return true;
    } catch (error) {
      this.throwIfClosed();
      return this.fail(record, 'IMPORT_FAILED', error, desired);
    }
  }

  /**
   * Reverts a resource to its state before the operation.
   * @returns whether it succeeded
   */
  async revert(resource: Resource, provider: ResourceProvider): Promise<boolean> {
    const { run } = this;
    const { store, events } = run.host;
    const { logicalId, before, current } = resource;
    const operation = run.operation();
    const stack = store.stack(run.stack)!;
    if (!before) return true;
    const live = operation.live?.[logicalId];
    const remade = live?.status === 'DELETED' && current !== undefined && resource.done === operation.id;
    const own = provider as OwnProvider;
    // A self-updating resource reverts itself; a replaced resource is still in its previous state.
    const exchanged = own.exchange && current && !own.replaces?.(current.properties, before.properties);
    if (remade || (current && current.identifier !== before.identifier && !exchanged)) {
      events.resource(stack, operation, resource, before.physicalId, 'UPDATE_IN_PROGRESS');
      store.updateOperation(run.stack, (draft) => {
        draft.leftovers = draft.leftovers.filter(({ physical }) => physical.identifier !== before.identifier);
        draft.leftovers.push({ logicalId, physical: copyOf(current) as PhysicalRecord, retain: false });
      });
      this.restore(resource);
      events.resource(stack, operation, resource, before.physicalId, 'UPDATE_COMPLETE');
      return true;
    }
    const failed = resource.status === 'UPDATE_FAILED';
    const tagged = (physical: NonNullable<Resource['current']>): JsonObject =>
      withTags(provider, copyOf(physical.properties) as JsonObject, copyOf(physical.tags) as Tag[]);
    const asked = failed && resource.asked !== undefined ? copyOf(resource.asked) : undefined;
    const after = asked ? (asked as JsonObject) : tagged(current ?? before);
    const was = liveProperties(provider, before, copyOf((current ?? before).properties) as JsonObject, live);
    const same = current !== undefined && sameJson(after, was) && (live || sameJson(current.tags, before.tags));
    if (same && !failed) {
      if (live) this.restore(resource);
      return true;
    }
    events.resource(stack, operation, resource, before.physicalId, 'UPDATE_IN_PROGRESS');
    try {
      const ctx = stepContext(run, { logicalId, random: before.random, provider });
      const [from, to] = (await Promise.all([resolvedFor(provider, after, ctx), resolvedFor(provider, was, ctx)])) as [
        JsonObject,
        JsonObject,
      ];
      const answered = await own.exchange?.(before.identifier, from, to, ctx);
      if (!answered) await provider.update?.(before.identifier, from, to, ctx);
      this.throwIfClosed();
      const physicalId = answered ? this.exchangedBack(resource, provider, answered) : before.physicalId;
      this.restore(resource);
      events.resource(stack, operation, resource, physicalId, 'UPDATE_COMPLETE');
      return true;
    } catch (error) {
      this.throwIfClosed();
      return this.fail(store.resource(run.stack, logicalId)!, 'UPDATE_FAILED', error);
    }
  }

  /**
   * Records the rollback result of a self-updating resource: its current identifier, and previous ones to delete.
   * @returns its physical id
   */
  private exchangedBack({ logicalId, before, current }: Resource, provider: ResourceProvider, answered: OwnResource) {
    const { store } = this.run.host;
    const was = copyOf(before!) as PhysicalRecord;
    const { identifier, noEcho } = answered;
    const attributes = { ...was.attributes, ...answered.attributes };
    const physicalId = refOf(provider, { ...was, identifier, attributes });
    const superfluous = [was, current && (copyOf(current) as PhysicalRecord)].filter(
      (one) => one !== undefined && one.identifier !== identifier,
    ) as PhysicalRecord[];
    store.updateOperation(this.run.stack, (draft) => {
      draft.leftovers = draft.leftovers.filter((leftover) => leftover.logicalId !== logicalId);
      for (const physical of new Map(superfluous.map((one) => [one.identifier, one])).values())
        draft.leftovers.push({ logicalId, physical, retain: false });
    });
    store.updateResource(this.run.stack, logicalId, (draft) => {
      draft.before = { ...was, identifier, attributes, physicalId, ...(noEcho && { noEcho: true as const }) };
    });
    return physicalId;
  }

  private restore({ logicalId }: Resource): void {
    const { store } = this.run.host;
    store.updateResource(this.run.stack, logicalId, (draft) => {
      if (draft.before) draft.current = draft.before;
      delete draft.before;
      delete draft.asked;
      draft.status = 'UPDATE_COMPLETE';
      draft.updatedAt = store.clock.now();
      delete draft.reason;
    });
  }

  /**
   * Deletes a physical resource.
   * @param physical the current or a previous physical resource
   * @param keeps whether it is retained
   * @returns whether it is deleted or retained
   */
  async delete(resource: Resource, physical: PhysicalRecord, keeps: boolean, leftover = false): Promise<boolean> {
    const { run } = this;
    const { store, events } = run.host;
    const { logicalId } = resource;
    const stack = store.stack(run.stack)!;
    const operation = run.operation();
    const note = (status: ResourceStatus, reason?: string): void => {
      if (leftover) return;
      store.updateResource(run.stack, logicalId, (draft) => {
        draft.status = status;
        draft.updatedAt = store.clock.now();
        if (reason === undefined) delete draft.reason;
        else draft.reason = reason;
        if (status === 'DELETE_COMPLETE' || status === 'DELETE_SKIPPED') delete draft.current;
      });
    };
    // Cleanup events have no properties.
    const properties = /cleanup$/.test(operation.phase) ? undefined : (physical.shown ?? physical.properties);
    const report = (status: ResourceStatus, reason?: string): void => {
      note(status, reason);
      events.resource(stack, operation, resource, physical.physicalId, status, { reason, properties });
    };
    if (keeps) {
      report('DELETE_SKIPPED');
      return true;
    }
    report('DELETE_IN_PROGRESS');
    try {
      const provider = await run.host.provider(physical.type);
      if (!provider) throw ownFailure(`Resource type ${physical.type} is not supported by emu`);
      const ctx = stepContext(run, { logicalId, random: physical.random, provider });
      const given = withTags(provider, physical.properties, physical.tags);
      if (!leftover)
        await invokeResourceHooks(run, {
          resource,
          physicalId: physical.physicalId,
          action: 'DELETE',
          properties: given,
        });
      const resolved = await resolvedFor(provider, given, ctx).catch(() => given);
      await provider.delete(physical.identifier, resolved, ctx);
      this.throwIfClosed();
      report('DELETE_COMPLETE');
      return true;
    } catch (error) {
      this.throwIfClosed();
      if (error instanceof AwsError && /NotFound|NoSuch|DoesNotExist|NonExistent/i.test(error.code)) {
        report('DELETE_COMPLETE');
        return true;
      }
      report('DELETE_FAILED', failureReason(error, physical.type, store.ids));
      return false;
    }
  }

  private begin(
    desired: DesiredResource,
    existing: Resource | undefined,
    status: ResourceStatus,
    reason?: string,
  ): Resource {
    const { run } = this;
    const { store, events } = run.host;
    const { logicalId, provider, properties, shown = properties } = desired;
    const now = store.clock.now();
    const record: ResourceRecord = {
      ...(existing
        ? (copyOf(existing) as ResourceRecord)
        : { stack: run.stack, logicalId, dependsOn: [], deletionPolicy: '', updateReplacePolicy: '' }),
      type: provider.typeName,
      status,
      updatedAt: now,
    };
    delete record.reason;
    if (record.before === undefined) record.before = record.current ?? null;
    // What a deletion needs is stored first, so that it survives a restart.
    if (!existing?.current) describe(record, desired);
    const resource = store.putResource(record);
    events.resource(store.stack(run.stack)!, run.operation(), resource, resource.current?.physicalId ?? '', status, {
      reason,
      properties: shown,
    });
    return resource;
  }

  private finish(
    desired: DesiredResource,
    physical: PhysicalRecord,
    status: ResourceStatus,
    before: PhysicalRecord | null | undefined,
  ): void {
    const { run } = this;
    const { store, events } = run.host;
    const operation = run.operation();
    const resource = store.updateResource(run.stack, desired.logicalId, (draft) => {
      describe(draft, desired);
      draft.current = physical;
      draft.status = status;
      draft.updatedAt = store.clock.now();
      draft.done = operation.id;
      if (draft.before === undefined && before !== undefined) draft.before = before;
      delete draft.making;
      delete draft.asked;
      delete draft.reason;
    });
    events.resource(store.stack(run.stack)!, operation, resource, physical.physicalId, status, {
      properties: desired.shown ?? physical.properties,
    });
  }

  /** Records a failure. A resource created nonetheless is stored by its identifier, and the rollback deletes it. */
  fail(resource: Resource, status: ResourceStatus, error: unknown, desired?: DesiredResource): false {
    const { run } = this;
    const { store, events } = run.host;
    const { logicalId, making } = resource;
    const cancelled = run.signal.aborted && error === run.signal.reason;
    const reason = cancelled
      ? `Resource ${status === 'CREATE_FAILED' ? 'creation' : 'update'} cancelled`
      : failureReason(error, resource.type, store.ids);
    const made: PhysicalRecord | undefined =
      making?.identifier !== undefined && desired
        ? {
            type: resource.type,
            identifier: making.identifier,
            physicalId: refOf(desired.provider, {
              identifier: making.identifier,
              properties: desired.properties,
              attributes: {},
            }),
            attributes: {},
            properties: desired.properties,
            ...(desired.shown && { shown: desired.shown }),
            tags: [...desired.tags],
            random: making.random,
          }
        : undefined;
    if (made && resource.current)
      store.updateOperation(run.stack, (draft) => {
        draft.leftovers.push({ logicalId, physical: made, retain: false });
      });
    const failed = store.updateResource(run.stack, logicalId, (draft) => {
      if (made && !draft.current) draft.current = made;
      draft.status = status;
      draft.reason = reason;
      draft.updatedAt = store.clock.now();
      delete draft.making;
    });
    events.resource(store.stack(run.stack)!, run.operation(), failed, failed.current?.physicalId ?? '', status, {
      reason,
      ...(desired && { properties: desired.shown ?? desired.properties }),
    });
    return false;
  }

  /** Ends a step of a closed state; the next state resumes it. */
  private throwIfClosed(): void {
    if (this.run.closed()) throw new Ended();
  }
}

/** The state of an operation is closed. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

function describe(draft: ResourceRecord, desired: DesiredResource): void {
  draft.type = desired.provider.typeName;
  draft.dependsOn = [...desired.dependsOn];
  draft.deletionPolicy = desired.deletionPolicy;
  draft.updateReplacePolicy = desired.updateReplacePolicy;
  if (desired.metadata === undefined) delete draft.metadata;
  else draft.metadata = desired.metadata;
  if (typeof desired.resource.Description === 'string') draft.description = desired.resource.Description;
}
