import type { Capability } from '../base/capability.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { ServiceCaller } from '../calls/calls.ts';
import type { Principal } from '../identity/principal.ts';
import type { Clock } from '../time/clock.ts';
import type { NameFacts, ResourceTypeFacts } from './facts.ts';

/** Properties or attributes by name: plain JSON values. */
export type ResourceValues = Readonly<Record<string, unknown>>;

/** Options for waiting for a condition. */
export interface WaitOptions {
  /** Milliseconds of emulated time between two checks; a second by default. */
  interval?: number;
  /** Milliseconds after which the wait fails; an hour by default. */
  limit?: number;
}

/**
 * Context of a provider. It calls operations as the caller of the stack operation, or as the stack's role, in the
 * account and region of the stack.
 */
export interface ProviderContext extends ServiceCaller {
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly principal: Principal;
  /** Base URL of emu; no trailing slash. */
  readonly endpoint: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Aborted when the operation is cancelled or emu closes; ends waits. */
  readonly signal: AbortSignal;
  /** The same for each attempt at a step, also after a restart; the source of a client token. */
  readonly token: string;
  /** Stack and logical id of the resource; undefined for Cloud Control. */
  readonly stack: { readonly id: string; readonly name: string; readonly logicalId: string } | undefined;
  /**
   * Returns a name for a resource without one in the template: `<stack>-<logical id>-<random>`, the same for each
   * attempt.
   * @param rules rules of the name; by default the type's own
   * @param suffix required end, e.g. `.fifo`
   */
  name(rules?: Omit<NameFacts, 'property'>, suffix?: string): string;
  /**
   * Records the identifier as soon as the resource exists, even before it is usable. A failed or interrupted creation
   * is cleaned up by it.
   */
  created(identifier: string): void;
  /**
   * Waits for a condition, by the emulated clock; checks it at once and then periodically.
   * @throws AwsError `NotStabilized` after the limit
   */
  until(condition: () => Promise<boolean> | boolean, options?: WaitOptions): Promise<void>;
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
}

/** A created resource. */
export interface CreatedResource {
  /** Values of the primary identifier, joined by `|`. */
  identifier: string;
  /** Results of Fn::GetAtt that require no further read. */
  attributes?: ResourceValues;
}

/** The current state of a resource. */
export interface ResourceModel<Properties = ResourceValues> {
  /** Properties in a template's form; defaults may be omitted. */
  properties: Properties;
  attributes: ResourceValues;
}

/**
 * Creates, reads, updates, deletes and lists resources of one type, by calls of the service's own operations. It
 * receives resolved properties of the types in the facts, with the stack's tags among theirs. It throws the service's
 * errors, from which AWS's messages are made.
 */
export interface ResourceProvider<Properties = ResourceValues> {
  /** E.g. `AWS::SQS::Queue`. */
  readonly typeName: string;
  readonly facts: ResourceTypeFacts;
  /**
   * Supported properties, each with all below it: `Policy` for all of it, `Policy.Statement` for that part only; lists
   * count as their items. A template with any other property fails before anything is created.
   */
  readonly handles: readonly string[];
  /** Creates a resource and resolves when it is usable. */
  create(properties: Properties, ctx: ProviderContext): Promise<CreatedResource>;
  /**
   * @param applied properties applied last, if known: identifiers of a few types do not suffice, and such resources are
   * found by these properties
   * @returns undefined for an unknown resource
   */
  read(identifier: string, ctx: ProviderContext, applied?: Properties): Promise<ResourceModel<Properties> | undefined>;
  /**
   * Updates only what differs; a removed property returns to its default. Undefined for a type whose every change
   * replaces the resource.
   * @param previous properties applied last
   * @param desired properties to apply
   */
  update?(identifier: string, previous: Properties, desired: Properties, ctx: ProviderContext): Promise<void>;
  /**
   * Deletes the resource and resolves when it is gone; has no effect for an unknown one.
   * @param properties properties applied last
   */
  delete(identifier: string, properties: Properties, ctx: ProviderContext): Promise<void>;
  /**
   * Returns the primary identifiers of all resources, in the service's order. Undefined if AWS cannot list them either.
   */
  list?(ctx: ProviderContext, filter?: ResourceValues): Promise<string[]>;
  /** Properties required in the filter of `list`: those of the parent of the listed resources. */
  readonly listedBy?: readonly string[];
  /** Decides for properties with conditional replacement. @returns whether the change replaces the resource */
  replaces?(previous: Properties, desired: Properties): boolean;
  /** Returns the result of Ref, if the facts do not determine it. */
  ref?(identifier: string, properties: Properties, attributes: ResourceValues): string;
  /** Rejects properties that AWS rejects before it creates anything. @throws AwsError */
  validate?(properties: Properties): void;
}

/** A provider of any properties. */
export type AnyResourceProvider = ResourceProvider<never>;

/** Resource types in a service's manifest: their names and the loader of their providers. */
export interface CloudFormationTypes {
  readonly types: readonly string[];
  load(): Promise<readonly AnyResourceProvider[]>;
}
