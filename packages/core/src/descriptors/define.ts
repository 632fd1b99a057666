import type { Collection } from '../collections/collection.ts';
import type { OwnedCollection } from '../collections/owned-collection.ts';
import type { DeepReadonly } from '../collections/readonly.ts';
import type { Pagination, Paging } from '../paging/paging.ts';
import type { Lifecycle } from './lifecycle.ts';
import { RegularResource } from './regular-resource.ts';
import type { ContextOf, DescriptorDetails, RecordSource, ResourceTypes, ServiceRules, ServiceTypes } from './types.ts';

/** The owner type of records without an owner. */
export interface NoOwner extends ResourceTypes {
  record: never;
  key: never;
  names: never;
  owner: undefined;
}

/** The types of a resource, derived from its declaration. */
export interface ResourceOf<
  Record extends object,
  Key extends string,
  Shape,
  Status extends string,
  OwnerTypes extends ResourceTypes,
> extends ResourceTypes {
  record: Record;
  key: Key;
  names: OwnerTypes['names'] | OwnerTypes['key'];
  owner: OwnerTypes['record'];
  shape: Shape;
  status: Status;
}

/** Names of a state's collections. */
type CollectionsOf<State> = {
  [Name in keyof State]: State[Name] extends RecordSource<infer _> ? Name : never;
}[keyof State] &
  string;

/** Records of a collection of a state. */
type RecordIn<State, Name extends keyof State> =
  State[Name] extends Collection<infer Record>
    ? Record & object
    : State[Name] extends OwnedCollection<infer Record>
      ? Record & object
      : never;

/** The part of the declaration that determines the types of a regular resource. */
export interface DescriptorRoots<
  S extends ServiceTypes,
  Record extends object,
  Source,
  Key,
  Shape,
  Status extends string,
  OwnerTypes extends ResourceTypes,
> {
  /** Name of the state's collection of the records. */
  readonly records: Source;
  /** Member of records and inputs with the id. */
  readonly key: Key;
  readonly states?: Lifecycle<Status>;
  /** The resource that owns the records; their keys begin with its own, and they are deleted with it. */
  readonly owner?: RegularResource<S, OwnerTypes>;
  /**
   * Converts a record to the form of responses; by default the stored form.
   * @param at ids of its owners
   */
  show?(
    record: DeepReadonly<Record>,
    ctx: ContextOf<S>,
    state: NoInfer<Status>,
    at: { readonly [Name in NoInfer<OwnerTypes>['names' | 'key']]: string },
  ): Shape;
}

/** Declares a regular resource of a service. */
export type DescriptorFactory<S extends ServiceTypes> = <
  const Source extends CollectionsOf<S['state']>,
  const Key extends keyof RecordIn<S['state'], Source> & string,
  Shape = RecordIn<S['state'], Source>,
  const Status extends string = never,
  OwnerTypes extends ResourceTypes = NoOwner,
>(
  options: DescriptorRoots<S, RecordIn<S['state'], Source>, Source, Key, Shape, Status, OwnerTypes> &
    DescriptorDetails<
      S,
      ResourceOf<RecordIn<S['state'], Source>, NoInfer<Key>, unknown, NoInfer<Status>, NoInfer<OwnerTypes>>
    >,
) => RegularResource<S, ResourceOf<RecordIn<S['state'], Source>, Key, Shape, Status, OwnerTypes>>;

/**
 * Returns a function that declares regular resources of a service.
 *
 * `descriptorsOf<State>()({ model, paging, … })`: the types of the operations are those of the paging.
 */
export const descriptorsOf =
  <State>() =>
  <
    Operations extends { [Name in keyof Operations]: { input: unknown; output: unknown } },
    Table extends { readonly [Name in keyof Table]: Pagination },
    const Shared extends string = never,
    const Tags extends string = never,
  >(
    rules: Omit<ServiceRules<ServiceOf<Operations, State, Table, Shared, Tags>>, 'paging'> & {
      readonly paging: Paging<Operations, Table>;
    },
  ): DescriptorFactory<ServiceOf<Operations, State, Table, Shared, Tags>> =>
  (options) => {
    const { owner, show } = options;
    return new RegularResource(
      rules as never,
      options as never,
      {
        owner,
        show: show ?? ((record: unknown) => record),
      } as never,
    ) as never;
  };

/** The types of a service's descriptors. */
export interface ServiceOf<Operations, State, Table, Shared extends string, Tags extends string> extends ServiceTypes {
  operations: Operations & object;
  state: State;
  pagination: Table & object;
  shared: Shared;
  tags: Tags;
}
