import type { AwsError, ServiceModel } from '@emu/wire';
import type { Collection } from '../collections/collection.ts';
import type { OwnedCollection } from '../collections/owned-collection.ts';
import type { DeepReadonly } from '../collections/readonly.ts';
import type { Pagination } from '../paging/paging.ts';
import type { OperationContext } from '../plugin/context.ts';
import type { TagRecord } from '../resources/tagging.ts';
import type { FilterRules, Filters } from './filters.ts';
import type { IdForm } from './ids.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The types of a service for its descriptors. */
export interface ServiceTypes {
  /** `{ input; output }` by the operation's name. */
  operations: object;
  state: unknown;
  /** The generated table of its paginated operations. */
  pagination: object;
  /** Input members that belong to the request, e.g. `DryRun`. */
  shared: string;
  /** Member of records with the tags. */
  tags: string;
}

/** The types of a resource. */
export interface ResourceTypes {
  record: object;
  /** Member of records and inputs with the id. */
  key: string;
  /** Input members that name the owners, the outermost first. */
  names: string;
  /** Record of the owner; undefined for resources without one. */
  owner: unknown;
  /** The resource in the form of responses. */
  shape: unknown;
  status: string;
}

/** The context of a service's operations. */
export type ContextOf<S extends ServiceTypes> = OperationContext<S['state']>;
/** Name of an operation of a service. */
export type OperationOf<S extends ServiceTypes> = keyof S['operations'] & string;
export type InputOf<S extends ServiceTypes, Name extends OperationOf<S>> = S['operations'][Name] extends {
  input: infer Input;
}
  ? Input
  : never;
export type OutputOf<S extends ServiceTypes, Name extends OperationOf<S>> = S['operations'][Name] extends {
  output: infer Output;
}
  ? Output
  : never;

/** A handler created from a descriptor. */
export type MadeHandler<S extends ServiceTypes, Name extends OperationOf<S>> = (
  input: InputOf<S, Name>,
  ctx: ContextOf<S>,
) => OutputOf<S, Name> | Promise<OutputOf<S, Name>>;

/** Returns the storage of a resource's records. */
export type RecordSource<T> = Collection<T> | OwnedCollection<T>;

/** Ids of a record's owners, by the input members that name them. */
export type OwnerIds<R extends ResourceTypes> = { readonly [Name in R['names']]: string };

/** A request that creates, changes or deletes a record. */
export interface Change<S extends ServiceTypes, R extends ResourceTypes, Input = object> {
  readonly ctx: ContextOf<S>;
  readonly input: Input;
  readonly at: OwnerIds<R>;
  readonly owner: DeepReadonly<R['owner']>;
  /** The record before the request; undefined for a creation. */
  readonly before: DeepReadonly<R['record']> | undefined;
}

/** A request for an existing record. */
export interface ExistingChange<S extends ServiceTypes, R extends ResourceTypes, Input> extends Change<S, R, Input> {
  readonly before: DeepReadonly<R['record']>;
}

/** The new value of a record; for a creation without id and tags, which are added last. */
export type Proposed<S extends ServiceTypes, R extends ResourceTypes> = DeepReadonly<
  Omit<R['record'], R['key'] | S['tags'] | 'life'>
>;

/** Rejects duplicates: no two records of an owner may be equal in these members. */
export interface UniqueRule<S extends ServiceTypes, R extends ResourceTypes> {
  readonly unique: readonly (keyof R['record'] & string)[];
  readonly reference?: undefined;
  error(record: Proposed<S, R>): AwsError;
}

/** The target descriptor of references. */
export interface ReferenceTarget<S extends ServiceTypes> {
  readonly name: string;
  /** Whether its records have owners. */
  readonly owned: boolean;
  /** Registers a reference, which deletions of its records check. */
  refer(referrer: Referrer<S>): void;
  /** Returns the record of a reference. @throws AwsError for an unknown one */
  referred(owner: string, id: string, ctx: ContextOf<S>, rule: ReferenceErrors): object;
}

/** The errors of a reference. */
export interface ReferenceErrors {
  /** Returns the error for an unknown id, if it is not that of the resource itself. */
  readonly missing?: (id: string) => AwsError;
  /** States of a record that allow references; all by default. */
  readonly states?: readonly string[];
  /** Returns the error for other states, if it is not that of the resource itself. */
  readonly wrongState?: (id: string, state: string) => AwsError;
}

/** References to one descriptor, for the descriptor of the target. */
export interface Referrer<S extends ServiceTypes> {
  /** @throws AwsError if a record refers to the target and prevents its deletion */
  refuse(owner: string, id: string, target: object, ctx: ContextOf<S>): void;
  /** Deletes or changes the records that refer to the target. */
  release(owner: string, id: string, ctx: ContextOf<S>): void;
}

/** Effect of a record's deletion on those that refer to it. */
export interface OnDelete<S extends ServiceTypes, R extends ResourceTypes> {
  /** Returns the error of a referrer that prevents the deletion; undefined if it does not. */
  refuse?(target: never, referrer: DeepReadonly<R['record']>, ctx: ContextOf<S>): AwsError | undefined;
  /** Whether referrers are deleted too. */
  readonly delete?: true;
  /** Removes the reference from referrers. */
  detach?(draft: R['record']): void;
}

/** Checks that a member contains the id of an existing record of another resource, or several ids. */
export interface ReferenceRule<S extends ServiceTypes, R extends ResourceTypes> extends ReferenceErrors {
  readonly reference: keyof R['record'] & string;
  readonly unique?: undefined;
  /** The target resource: of the same owner, or without an owner; `self` for other records of the same resource. */
  readonly to: ReferenceTarget<S> | 'self';
  /** Returns the ids in the member, if it is not an id or a list of ids. */
  readonly form?: { read(value: string): string | undefined; write(id: string): string };
  /** Effect of the target's deletion; without it, references are left unchanged. */
  readonly onDelete?: OnDelete<S, R>;
}

/** A rule for new values of records; rules are checked in the order of their declaration. */
export type Rule<S extends ServiceTypes, R extends ResourceTypes> =
  | UniqueRule<S, R>
  | ReferenceRule<S, R>
  | ((record: Proposed<S, R>, change: Change<S, R>) => void);

/** Cuts lists into pages, for any operation types; see `Paging`. */
export interface ListPaging {
  readonly pagination: Readonly<Record<string, Pagination>>;
  page<Item>(
    operation: never,
    input: never,
    items: Iterable<Item>,
    keyOf: (item: Item) => string,
  ): { readonly items: Item[]; readonly next: object };
}

/** A service's rules for all its regular resources. */
export interface ServiceRules<S extends ServiceTypes> {
  readonly model: ServiceModel;
  readonly paging: ListPaging;
  /** Input members that belong to the request, which are not copied into records. */
  readonly shared?: readonly S['shared'][];
  /** Runs around every operation, e.g. for dry runs and idempotency tokens. */
  around?<Output>(
    call: { readonly operation: string; readonly input: object; readonly ctx: ContextOf<S> },
    run: () => Output | Promise<Output>,
  ): Output | Promise<Output>;
  /** Tags of resources. */
  readonly tags?: {
    /** Member of records with the tags. */
    readonly member: S['tags'];
    /** Returns the tags of a new resource from a request, in the form of records. @throws AwsError for invalid tags */
    atCreation(input: object, resource: string, ctx: ContextOf<S>): unknown;
    /** Returns the tags of a record by key. */
    record(tags: unknown): TagRecord;
  };
  /** Prepares the input of a list, e.g. for limits in text form. @throws AwsError for an invalid limit */
  listInput?<Input extends object>(input: Input): Input;
  readonly filters?: FilterRules;
  /** Returns the error for ids combined with a limit, if AWS rejects that. */
  idsWithLimit?(ids: string, limit: string): AwsError;
  /** Whether states last as long as on AWS. By default the next request finds the state after them. */
  timed?(ctx: ContextOf<S>): boolean;
}

/** Declaration of a regular resource. */
export interface DescriptorOptions<S extends ServiceTypes, R extends ResourceTypes> extends DescriptorDetails<S, R> {
  /** Name of the state's collection of the records. */
  readonly records: keyof S['state'];
  readonly key: R['key'];
  readonly states?: Lifecycle<R['status']>;
}

/** The part of the declaration that does not determine the types of a regular resource. */
export interface DescriptorDetails<S extends ServiceTypes, R extends ResourceTypes> {
  /** Name of the resource in AWS's documentation. */
  readonly name: string;
  /**
   * Format of the ids, or a function that creates one after all checks. Without it requests contain the id, e.g. as a
   * name.
   */
  readonly id?: IdForm | ((record: DeepReadonly<Omit<R['record'], R['key'] | 'life'>>, change: Change<S, R>) => string);
  /** Returns the error for an unknown id. @param others further unknown ids of the same list */
  missing(id: string, ctx: ContextOf<S>, others: readonly string[]): AwsError;
  /** Returns the error for an id in another format; by default that of an unknown id. */
  malformed?(id: string, ctx: ContextOf<S>): AwsError;
  /** Rejects a request for the resource before any other check. */
  before?(input: OwnerIds<R>, ctx: ContextOf<S>): void;
  /** Whether the resource has tags. */
  readonly tagged?: boolean;
  /**
   * Optional members whose empty value means none: handlers read it as absent, creations store nothing, and changes
   * remove the member.
   */
  readonly emptiable?: readonly (keyof R['record'] & string)[];
  readonly rules?: readonly Rule<S, R>[];
  readonly filters?: Filters<R['record'], ContextOf<S>, R['status']>;
  /**
   * Applies the common effects of creations, changes and deletions. @param record the deleted record after a deletion
   */
  changed?(record: DeepReadonly<R['record']>, change: Change<S, R>): void;
}
