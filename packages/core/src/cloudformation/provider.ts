import type { Capability } from '../base/capability.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { ServiceCaller } from '../calls/calls.ts';
import type { Principal } from '../identity/principal.ts';
import type { Clock } from '../time/clock.ts';
import type { NameFacts, ResourceTypeFacts } from './facts.ts';

/** Properties or attributes by name: plain JSON values. */
export type ResourceValues = Readonly<Record<string, unknown>>;

/** How a condition is waited for. */
export interface WaitOptions {
  /** Milliseconds between two looks, of emulated time; a second by default. */
  interval?: number;
  /** Milliseconds after which the wait fails; an hour by default. */
  limit?: number;
}

/**
 * What a provider works with. It calls operations as the caller of the stack operation, or as the stack's role, in the
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
  /** Aborted where the operation is cancelled or emu is about to close; a wait ends by it. */
  readonly signal: AbortSignal;
  /** The same for each attempt at the same step, also after a restart: what a client token is made of. */
  readonly token: string;
  /** The stack and logical id that the resource is for; undefined for Cloud Control. */
  readonly stack: { readonly id: string; readonly name: string; readonly logicalId: string } | undefined;
  /**
   * A name for a resource whose template gives none: `<stack>-<logical id>-<random>`, the same for each attempt.
   * @param rules what the name must be like; the type's own by default. @param suffix text it has to end with, e.g. `.fifo`
   */
  name(rules?: Omit<NameFacts, 'property'>, suffix?: string): string;
  /**
   * Notes the identifier as soon as the resource exists, before it is of use: what a failed or interrupted creation
   * leaves is cleaned up by it.
   */
  created(identifier: string): void;
  /**
   * Waits until a condition holds, by the emulated clock; looks at once and then now and then.
   * @throws AwsError `NotStabilized` where it does not within the limit
   */
  until(condition: () => Promise<boolean> | boolean, options?: WaitOptions): Promise<void>;
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
}

/** A resource that was made. */
export interface CreatedResource {
  /** Values of the primary identifier, joined by `|`. */
  identifier: string;
  /** What Fn::GetAtt returns, where that takes no further read. */
  attributes?: ResourceValues;
}

/** A resource as it is. */
export interface ResourceModel<Properties = ResourceValues> {
  /** As a template would give them; what is the default may be left out. */
  properties: Properties;
  attributes: ResourceValues;
}

/**
 * How resources of one type are made, read, changed, deleted and listed, by calls of the service's own operations. Properties
 * come resolved, with the types that the facts say, and with the tags of the stack among theirs. Throw what the service
 * throws: AWS's words for it are made of that.
 */
export interface ResourceProvider<Properties = ResourceValues> {
  /** E.g. `AWS::SQS::Queue`. */
  readonly typeName: string;
  readonly facts: ResourceTypeFacts;
  /**
   * Properties that it acts on, all of them below by default: `Policy` for all of it, `Policy.Statement` for that part only;
   * lists count as their items. A template with another one fails before anything is made.
   */
  readonly handles: readonly string[];
  /** Makes a resource and resolves when it can be used. */
  create(properties: Properties, ctx: ProviderContext): Promise<CreatedResource>;
  /**
   * @param applied the properties that were applied last, where they are known: a few types' identifiers do not say what
   *   they stand for, and such resources are found by what they were made of
   * @returns undefined where there is no such resource
   */
  read(identifier: string, ctx: ProviderContext, applied?: Properties): Promise<ResourceModel<Properties> | undefined>;
  /**
   * Changes what differs, and nothing else; what is no longer among the properties returns to its default. Undefined for a
   * type of which every change replaces the resource.
   * @param previous properties that were applied last @param desired properties to apply
   */
  update?(identifier: string, previous: Properties, desired: Properties, ctx: ProviderContext): Promise<void>;
  /**
   * Deletes the resource and resolves when it is gone; does nothing where there is none.
   * @param properties that were applied last
   */
  delete(identifier: string, properties: Properties, ctx: ProviderContext): Promise<void>;
  /** Primary identifiers of every resource there is, in the service's order. Undefined where AWS cannot list them either. */
  list?(ctx: ProviderContext, filter?: ResourceValues): Promise<string[]>;
  /** Properties that the filter of `list` has to give: those of what the listed resources belong to. */
  readonly listedBy?: readonly string[];
  /** Decides for properties whose replacement is conditional. @returns whether the change makes a new resource */
  replaces?(previous: Properties, desired: Properties): boolean;
  /** What Ref returns, where the facts cannot say it. */
  ref?(identifier: string, properties: Properties, attributes: ResourceValues): string;
  /** Refuses properties that AWS refuses before it makes anything. @throws AwsError */
  validate?(properties: Properties): void;
}

/** A provider whose properties are its own business. */
export type AnyResourceProvider = ResourceProvider<never>;

/** What a service's manifest says of its resource types: their names, and how their providers are loaded. */
export interface CloudFormationTypes {
  readonly types: readonly string[];
  load(): Promise<readonly AnyResourceProvider[]>;
}
