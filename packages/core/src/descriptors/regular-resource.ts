import { Descriptor, type DescriptorParts } from './descriptor.ts';
import { Handlers } from './handlers.ts';
import type { CreateSpec, Creator, DeleteSpec, GetSpec, ListSpec, UpdateSpec } from './specs.ts';
import type {
  DescriptorOptions,
  MadeHandler,
  OperationOf,
  ResourceTypes,
  ServiceRules,
  ServiceTypes,
} from './types.ts';

/** An operation created from a descriptor. */
export interface MadeOperation {
  readonly kind: 'create' | 'get' | 'list' | 'update' | 'delete';
  readonly operation: string;
  /** Its declaration. */
  readonly spec: object;
}

/** A regular resource, from which the handlers of its operations are created. */
export class RegularResource<S extends ServiceTypes, R extends ResourceTypes> extends Descriptor<S, R> {
  /** The operations created from it. */
  readonly made: MadeOperation[] = [];
  /** Carries the types of the resource; never set. */
  declare readonly types?: R;
  private readonly handlers: Handlers<S, R>;

  constructor(service: ServiceRules<S>, options: DescriptorOptions<S, R>, parts: DescriptorParts<S, R>) {
    super(service, options, parts);
    this.handlers = new Handlers(this);
  }

  /** Creates the handler of an operation that creates a record. */
  createHandler<Name extends OperationOf<S>, Defaults = unknown, Values = unknown>(
    operation: Name,
    spec: CreateSpec<S, R, Name, Defaults, Values>,
  ): Creator<S, R, Name, Defaults, Values> {
    this.made.push({ kind: 'create', operation, spec });
    return this.handlers.create(operation, spec as never) as unknown as Creator<S, R, Name, Defaults, Values>;
  }

  /** Creates the handler of an operation that changes a record. */
  updateHandler<Name extends OperationOf<S>, Values = unknown>(
    operation: Name,
    spec: UpdateSpec<S, R, Name, Values>,
  ): MadeHandler<S, Name> {
    this.made.push({ kind: 'update', operation, spec });
    return this.handlers.update(operation, spec as never) as MadeHandler<S, Name>;
  }

  /** Creates the handler of an operation that deletes a record. */
  deleteHandler<Name extends OperationOf<S>>(operation: Name, spec: DeleteSpec<S, R, Name>): MadeHandler<S, Name> {
    this.made.push({ kind: 'delete', operation, spec });
    return this.handlers.delete(operation, spec as never) as MadeHandler<S, Name>;
  }

  /** Creates the handler of an operation that returns one resource. */
  getHandler<Name extends OperationOf<S>>(operation: Name, spec: GetSpec<S, R, Name>): MadeHandler<S, Name> {
    this.made.push({ kind: 'get', operation, spec });
    return this.handlers.get(operation, spec as never) as MadeHandler<S, Name>;
  }

  /** Creates the handler of an operation that lists resources. */
  listHandler<Name extends OperationOf<S>, const Result extends string = never>(
    operation: Name,
    spec: ListSpec<S, R, Name, Result>,
  ): MadeHandler<S, Name> {
    this.made.push({ kind: 'list', operation, spec });
    return this.handlers.list(operation, spec as never) as MadeHandler<S, Name>;
  }
}
