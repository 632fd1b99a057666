import type { AwsError } from '@emu/wire';
import type { DeepReadonly } from '../collections/readonly.ts';
import type {
  Change,
  ContextOf,
  ExistingChange,
  InputOf,
  MadeHandler,
  OperationOf,
  OutputOf,
  ResourceTypes,
  ServiceTypes,
} from './types.ts';

/** A value or a promise of it. */
export type Soon<Value> = Value | Promise<Value>;

type RequiredOf<Type> = {
  [Name in keyof Type]-?: undefined extends Type[Name] ? never : Name;
}[keyof Type];

/**
 * Input members that creations and changes never copy: they name the resource, contain its tags or belong to the
 * request.
 */
type Uncopied<S extends ServiceTypes, R extends ResourceTypes> = R['key'] | R['names'] | S['shared'] | S['tags'];

/** Input members that could be members of the record. */
type Members<S extends ServiceTypes, R extends ResourceTypes, Input> = Exclude<keyof Input & string, Uncopied<S, R>>;

/** Input members that the record has under the same name and with the same type. */
type Copied<S extends ServiceTypes, R extends ResourceTypes, Input> = {
  [Name in Members<S, R, Input>]: Name extends keyof R['record']
    ? NonNullable<Input[Name]> extends NonNullable<R['record'][Name]>
      ? Name
      : never
    : never;
}[Members<S, R, Input>];

type IsStructure<Value> = Value extends readonly unknown[] | Date | Uint8Array
  ? false
  : Value extends object
    ? string extends keyof Value
      ? false
      : true
    : false;

/** Members of a structure that hooks read; a structure in it lists its own members, or is read as a whole. */
export type ReadMembers<Value> = {
  readonly [Name in keyof Value]-?: IsStructure<NonNullable<Value[Name]>> extends true
    ? true | ReadMembers<NonNullable<Value[Name]>>
    : true;
};

/** Use of an input member that is not simply copied; only the first three options store it in the record. */
export interface MemberRow<S extends ServiceTypes, R extends ResourceTypes, Input, Value> {
  /** Whether the record stores the value under the same name. */
  readonly copied?: true;
  /** Member of the record that stores the value under another name. */
  readonly moved?: keyof R['record'] & string;
  /** Whether the record stores the value of the member `Value`, as in EC2's `AttributeBooleanValue`. */
  readonly attribute?: true;
  /** Members of a structure, all of which hooks of the operation read. */
  readonly read?: ReadMembers<NonNullable<Value>>;
  /** Rejects an invalid value. */
  rule?(value: NonNullable<Value>, change: Change<S, R, Input>): void;
  /** Returns the error for a value that emu does not support; undefined for a value without effect. */
  refused?(value: NonNullable<Value>, ctx: ContextOf<S>): AwsError | undefined;
  /** Changes another record or a later response, after the record was stored. */
  effect?(value: NonNullable<Value>, record: DeepReadonly<R['record']>, change: Change<S, R, Input>): void;
}

/**
 * A row of a table of members: `read` for members that a hook of the operation reads. For a structure the row lists its
 * members, so that a new one needs a use.
 */
export type Row<S extends ServiceTypes, R extends ResourceTypes, Input, Value> =
  | MemberRow<S, R, Input, Value>
  | (IsStructure<NonNullable<Value>> extends true ? never : 'read');

/** Uses of all input members that are not copied. */
export type MemberTable<S extends ServiceTypes, R extends ResourceTypes, Input> = {
  readonly [Name in Exclude<Members<S, R, Input>, Copied<S, R, Input>>]: Row<S, R, Input, Input[Name]>;
} & {
  readonly [Name in Copied<S, R, Input>]?: Row<S, R, Input, Input[Name]>;
};

/** Optional if every member is copied. */
type WithMembers<S extends ServiceTypes, R extends ResourceTypes, Input> = [
  Exclude<Members<S, R, Input>, Copied<S, R, Input>>,
] extends [never]
  ? { readonly members?: MemberTable<S, R, Input> }
  : { readonly members: MemberTable<S, R, Input> };

/** Names the record by other members, if the input lacks its key or one of its owners'. */
type WithId<S extends ServiceTypes, R extends ResourceTypes, Input> = Input extends {
  readonly [Name in R['key'] | R['names']]: string;
}
  ? { id?(input: Input, ctx: ContextOf<S>): string }
  : { id(input: Input, ctx: ContextOf<S>): string };

/** Output members that can contain a resource. */
type Holding<Shape, Output> = {
  [Name in keyof Output]-?: Shape extends NonNullable<Output[Name]> ? Name : never;
}[keyof Output] &
  string;

/** The record and its form in the response. */
export interface Described<S extends ServiceTypes, R extends ResourceTypes, Input> extends Change<S, R, Input> {
  readonly record: DeepReadonly<R['record']>;
}

type AnswerOf<S extends ServiceTypes, R extends ResourceTypes, Input, Output> =
  | Holding<R['shape'], Output>
  | ((resource: R['shape'], described: Described<S, R, Input>) => Output);

/**
 * The response: the resource itself, a member that contains it, or the result of a function; absent for an output
 * without members.
 */
type WithAnswer<S extends ServiceTypes, R extends ResourceTypes, Input, Output> = [Output] extends [
  R['shape'] extends Output ? unknown : Record<string, never>,
]
  ? { readonly answer?: AnswerOf<S, R, Input, Output> }
  : { readonly answer: AnswerOf<S, R, Input, Output> };

/** Members of the record without a source of their value. */
type Missing<S extends ServiceTypes, R extends ResourceTypes, Input, Defaults, Values> = Exclude<
  RequiredOf<R['record']>,
  | R['key']
  | S['tags']
  | RequiredOf<Pick<Input, Copied<S, R, Input> & keyof Input>>
  | RequiredOf<Defaults>
  | RequiredOf<Values>
>;

/** Type of the handler of a creation; no handler if a required member of the record has no source. */
export type Creator<S extends ServiceTypes, R extends ResourceTypes, Name extends OperationOf<S>, Defaults, Values> = [
  Missing<S, R, InputOf<S, Name>, Defaults, Values>,
] extends [never]
  ? MadeHandler<S, Name>
  : { readonly membersWithoutValue: Missing<S, R, InputOf<S, Name>, Defaults, Values> };

/** An operation that creates records. */
export type CreateSpec<
  S extends ServiceTypes,
  R extends ResourceTypes,
  Name extends OperationOf<S>,
  Defaults,
  Values,
> = WithMembers<S, R, InputOf<S, Name>> &
  WithAnswer<S, R, InputOf<S, Name>, OutputOf<S, Name>> & {
    /** Returns values of members missing in the input. */
    defaults?(change: Change<S, R, InputOf<S, Name>>): Defaults;
    /**
     * Returns values that differ from the input; rejects what no rule rejects. After an asynchronous call, the owner is
     * looked up again, and the rest runs without interruption.
     */
    values?(change: Change<S, R, InputOf<S, Name>>): Soon<Values>;
    /** Applies further effects of the creation. */
    created?(record: DeepReadonly<R['record']>, change: Change<S, R, InputOf<S, Name>>): void;
  };

/** An operation that changes a record. */
export type UpdateSpec<
  S extends ServiceTypes,
  R extends ResourceTypes,
  Name extends OperationOf<S>,
  Values,
> = WithMembers<S, R, InputOf<S, Name>> &
  WithId<S, R, InputOf<S, Name>> &
  WithAnswer<S, R, InputOf<S, Name>, OutputOf<S, Name>> & {
    /** Returns values that differ from the input; members with the value undefined are removed. See `CreateSpec`. */
    values?(change: ExistingChange<S, R, InputOf<S, Name>>): Soon<Values>;
    /** The errors for a request without an attribute, and with more than one, if exactly one is allowed. */
    readonly oneAttribute?: { none(): AwsError; several(members: readonly string[]): AwsError };
    /** Applies further effects of the change. */
    updated?(record: DeepReadonly<R['record']>, change: ExistingChange<S, R, InputOf<S, Name>>): void;
  };

/** An operation that deletes a record. */
export type DeleteSpec<S extends ServiceTypes, R extends ResourceTypes, Name extends OperationOf<S>> = WithId<
  S,
  R,
  InputOf<S, Name>
> &
  (Record<never, never> extends OutputOf<S, Name>
    ? { readonly answer?: AnswerOf<S, R, InputOf<S, Name>, OutputOf<S, Name>> }
    : { readonly answer: AnswerOf<S, R, InputOf<S, Name>, OutputOf<S, Name>> }) & {
    /** Returns the error for an unknown id, if it differs from that of other operations. */
    missing?(id: string, ctx: ContextOf<S>): AwsError;
    /** Rejects the deletion. After an asynchronous call, the record is looked up again. */
    check?(record: DeepReadonly<R['record']>, change: ExistingChange<S, R, InputOf<S, Name>>): Soon<void>;
    /** Applies further effects of the deletion. */
    deleted?(record: DeepReadonly<R['record']>, change: ExistingChange<S, R, InputOf<S, Name>>): void;
  };

/** An operation that returns one resource. */
export type GetSpec<S extends ServiceTypes, R extends ResourceTypes, Name extends OperationOf<S>> = WithId<
  S,
  R,
  InputOf<S, Name>
> &
  WithAnswer<S, R, InputOf<S, Name>, OutputOf<S, Name>> & {
    /** Rejects the request before the record is looked up. */
    before?(input: InputOf<S, Name>, ctx: ContextOf<S>): void;
  };

type Item<List> = List extends readonly (infer Entry)[] ? Entry : never;

/** The items of a paginated list, or of the member `Result`. */
type ItemOf<S extends ServiceTypes, Name extends OperationOf<S>, Result> = Name extends keyof S['pagination']
  ? S['pagination'][Name] extends { readonly result: infer Member }
    ? Item<NonNullable<OutputOf<S, Name>[Member & keyof OutputOf<S, Name>]>>
    : never
  : Item<NonNullable<OutputOf<S, Name>[Result & keyof OutputOf<S, Name>]>>;

/** An operation that lists resources. */
export type ListSpec<
  S extends ServiceTypes,
  R extends ResourceTypes,
  Name extends OperationOf<S>,
  Result,
> = (Name extends keyof S['pagination'] ? { readonly result?: undefined } : { readonly result: Result }) &
  (R['shape'] extends ItemOf<S, Name, Result>
    ? { entry?(record: DeepReadonly<R['record']>, ctx: ContextOf<S>, input: InputOf<S, Name>): ItemOf<S, Name, Result> }
    : {
        entry(record: DeepReadonly<R['record']>, ctx: ContextOf<S>, input: InputOf<S, Name>): ItemOf<S, Name, Result>;
      }) & {
    /** Rejects the request before any look-up. */
    before?(input: InputOf<S, Name>, ctx: ContextOf<S>): void;
    /** Input member with the ids of the requested resources. */
    readonly ids?: keyof InputOf<S, Name> & string;
    /** Input member with the filters, if it is not the service's usual one. */
    readonly filters?: keyof InputOf<S, Name> & string;
    /** Input members that a record must match: an equal member of the record, or a function. */
    readonly matching?: {
      readonly [Member in keyof InputOf<S, Name>]?:
        | (keyof R['record'] & string)
        | ((
            record: DeepReadonly<R['record']>,
            value: NonNullable<InputOf<S, Name>[Member]>,
            ctx: ContextOf<S>,
          ) => boolean);
    };
  };
