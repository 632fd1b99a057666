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

/** The types of a service, as its descriptors need them. */
export interface ServiceTypes {
  /** `{ input; output }` by the operation's name. */
  operations: object;
  state: unknown;
  /** The generated table of its paginated operations. */
  pagination: object;
  /** Members of inputs that belong to the request, e.g. `DryRun`. */
  shared: string;
  /** Member of records that has the tags. */
  tags: string;
}

/** The types of a resource. */
export interface ResourceTypes {
  record: object;
  /** Member of records and inputs that has the id. */
  key: string;
  /** Members of inputs that name the owners, the outermost first. */
  names: string;
  /** Record of the owner; undefined for resources without one. */
  owner: unknown;
  /** The resource as responses describe it. */
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

/** A handler that is made from a descriptor. */
export type MadeHandler<S extends ServiceTypes, Name extends OperationOf<S>> = (
  input: InputOf<S, Name>,
  ctx: ContextOf<S>,
) => OutputOf<S, Name> | Promise<OutputOf<S, Name>>;

/** Where records of a resource are stored. */
export type RecordSource<T> = Collection<T> | OwnedCollection<T>;

/** Ids of the owners of a record, by the members of inputs that name them. */
export type OwnerIds<R extends ResourceTypes> = { readonly [Name in R['names']]: string };

/** A request that creates, changes or deletes a record. */
export interface Change<S extends ServiceTypes, R extends ResourceTypes, Input = object> {
  readonly ctx: ContextOf<S>;
  readonly input: Input;
  readonly at: OwnerIds<R>;
  readonly owner: DeepReadonly<R['owner']>;
  /** The record as it was; undefined for a creation. */
  readonly before: DeepReadonly<R['record']> | undefined;
}

/** A request for an existing record. */
export interface ExistingChange<S extends ServiceTypes, R extends ResourceTypes, Input> extends Change<S, R, Input> {
  readonly before: DeepReadonly<R['record']>;
}

/** A record as it is going to be; of a creation without id and tags, which are made last. */
export type Proposed<S extends ServiceTypes, R extends ResourceTypes> = DeepReadonly<
  Omit<R['record'], R['key'] | S['tags'] | 'life'>
>;

/** Rejects duplicates: no two records of an owner may have the same values in these members. */
export interface UniqueRule<S extends ServiceTypes, R extends ResourceTypes> {
  readonly unique: readonly (keyof R['record'] & string)[];
  readonly reference?: undefined;
  error(record: Proposed<S, R>): AwsError;
}

/** What another descriptor is for those that refer to it. */
export interface ReferenceTarget<S extends ServiceTypes> {
  readonly name: string;
  /** Whether its records belong to others. */
  readonly owned: boolean;
  /** Takes note of a reference, which deletions of its records heed. */
  refer(referrer: Referrer<S>): void;
  /** Returns the record that a reference names. @throws AwsError where it does not exist */
  referred(owner: string, id: string, ctx: ContextOf<S>, rule: ReferenceErrors): object;
}

/** The errors of a reference. */
export interface ReferenceErrors {
  /** Returns the error for an unknown id, where it is not that of the resource itself. */
  readonly missing?: (id: string) => AwsError;
  /** States in which a record may be referred to; all by default. */
  readonly states?: readonly string[];
  /** Returns the error for other states, where it is not that of the resource itself. */
  readonly wrongState?: (id: string, state: string) => AwsError;
}

/** References to one descriptor, as the descriptor of the target sees them. */
export interface Referrer<S extends ServiceTypes> {
  /** @throws AwsError where a record refers to the target and keeps it from being deleted */
  refuse(owner: string, id: string, target: object, ctx: ContextOf<S>): void;
  /** Deletes or changes the records that refer to the target. */
  release(owner: string, id: string, ctx: ContextOf<S>): void;
}

/** What the deletion of a record does to those that refer to it. */
export interface OnDelete<S extends ServiceTypes, R extends ResourceTypes> {
  /** Returns the error by which a referrer keeps the record from being deleted; undefined where it does not. */
  refuse?(target: never, referrer: DeepReadonly<R['record']>, ctx: ContextOf<S>): AwsError | undefined;
  /** Whether the others are deleted too. */
  readonly delete?: true;
  /** Removes the reference from the others. */
  detach?(draft: R['record']): void;
}

/** Checks that a member names an existing record of another resource, or several. */
export interface ReferenceRule<S extends ServiceTypes, R extends ResourceTypes> extends ReferenceErrors {
  readonly reference: keyof R['record'] & string;
  readonly unique?: undefined;
  /** The resource referred to: of the same owner, or without an owner; `self` for other records of the same resource. */
  readonly to: ReferenceTarget<S> | 'self';
  /** How the member names ids, where it is not an id or a list of ids. */
  readonly form?: { read(value: string): string | undefined; write(id: string): string };
  /** What the deletion of the target does; without it, references are left behind. */
  readonly onDelete?: OnDelete<S, R>;
}

/** A rule for records as they are going to be; checked in the order of the declaration. */
export type Rule<S extends ServiceTypes, R extends ResourceTypes> =
  | UniqueRule<S, R>
  | ReferenceRule<S, R>
  | ((record: Proposed<S, R>, change: Change<S, R>) => void);

/** Cuts lists into pages, whatever the operations are; see `Paging`. */
export interface ListPaging {
  readonly pagination: Readonly<Record<string, Pagination>>;
  page<Item>(
    operation: never,
    input: never,
    items: Iterable<Item>,
    keyOf: (item: Item) => string,
  ): { readonly items: Item[]; readonly next: object };
}

/** What a service says of all its regular resources. */
export interface ServiceRules<S extends ServiceTypes> {
  readonly model: ServiceModel;
  readonly paging: ListPaging;
  /** Members of inputs that belong to the request: they are not copied into records. */
  readonly shared?: readonly S['shared'][];
  /** Runs around every operation, e.g. for dry runs and idempotency tokens. */
  around?<Output>(
    call: { readonly operation: string; readonly input: object; readonly ctx: ContextOf<S> },
    run: () => Output | Promise<Output>,
  ): Output | Promise<Output>;
  /** Tags of resources. */
  readonly tags?: {
    /** Member of records that has them. */
    readonly member: S['tags'];
    /** Returns the tags that a request creates a resource with, in the form of records. @throws AwsError for invalid tags */
    atCreation(input: object, resource: string, ctx: ContextOf<S>): unknown;
    /** Returns the tags of a record by key. */
    record(tags: unknown): TagRecord;
  };
  /** Prepares the input of a list, e.g. for limits that are texts. @throws AwsError for an invalid limit */
  listInput?<Input extends object>(input: Input): Input;
  readonly filters?: FilterRules;
  /** Returns the error for ids together with a limit, where they exclude each other. */
  idsWithLimit?(ids: string, limit: string): AwsError;
  /** Whether states last as long as on AWS. By default the next request finds the state that they lead to. */
  timed?(ctx: ContextOf<S>): boolean;
}

/** What a service declares of a regular resource. */
export interface DescriptorOptions<S extends ServiceTypes, R extends ResourceTypes> extends DescriptorDetails<S, R> {
  /** Name of the state's collection that has the records. */
  readonly records: keyof S['state'];
  readonly key: R['key'];
  readonly states?: Lifecycle<R['status']>;
}

/** What does not decide the types of a regular resource. */
export interface DescriptorDetails<S extends ServiceTypes, R extends ResourceTypes> {
  /** Name of the resource, as AWS's documentation has it. */
  readonly name: string;
  /**
   * Form of the ids, or a function that makes one when everything else has been checked. Without it requests give the
   * id, e.g. as a name.
   */
  readonly id?: IdForm | ((record: DeepReadonly<Omit<R['record'], R['key'] | 'life'>>, change: Change<S, R>) => string);
  /** Returns the error for an unknown id. @param others further unknown ids of the same list */
  missing(id: string, ctx: ContextOf<S>, others: readonly string[]): AwsError;
  /** Returns the error for an id of another form; that of an unknown one by default. */
  malformed?(id: string, ctx: ContextOf<S>): AwsError;
  /** Rejects a request for the resource before anything else of it is looked at. */
  before?(input: OwnerIds<R>, ctx: ContextOf<S>): void;
  /** Whether the resource has tags. */
  readonly tagged?: boolean;
  readonly rules?: readonly Rule<S, R>[];
  readonly filters?: Filters<R['record'], ContextOf<S>, R['status']>;
  /** Does what every creation, change and deletion brings about. @param record the deleted one after a deletion */
  changed?(record: DeepReadonly<R['record']>, change: Change<S, R>): void;
}
