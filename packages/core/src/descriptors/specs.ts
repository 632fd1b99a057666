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

/** Members of inputs that no creation or change copies: they name the resource, its tags or belong to the request. */
type Uncopied<S extends ServiceTypes, R extends ResourceTypes> = R['key'] | R['names'] | S['shared'] | S['tags'];

/** Members of an input that could be members of the record. */
type Members<S extends ServiceTypes, R extends ResourceTypes, Input> = Exclude<keyof Input & string, Uncopied<S, R>>;

/** Members of an input that the record has under the same name and with the same type. */
type Copied<S extends ServiceTypes, R extends ResourceTypes, Input> = {
  [Name in Members<S, R, Input>]: Name extends keyof R['record']
    ? NonNullable<Input[Name]> extends NonNullable<R['record'][Name]>
      ? Name
      : never
    : never;
}[Members<S, R, Input>];

/** What becomes of a member of an input that is not simply copied; the record has it only by the first three. */
export interface MemberRow<S extends ServiceTypes, R extends ResourceTypes, Input, Value> {
  /** Whether the record has the value under the same name. */
  readonly copied?: true;
  /** Member of the record that has the value under another name. */
  readonly moved?: keyof R['record'] & string;
  /** Whether the record has the value of the member `Value`, as in EC2's `AttributeBooleanValue`. */
  readonly attribute?: true;
  /** Rejects an invalid value. */
  rule?(value: NonNullable<Value>, change: Change<S, R, Input>): void;
  /** Returns the error for a value on which emu does not act; undefined where the value asks for nothing. */
  refused?(value: NonNullable<Value>, ctx: ContextOf<S>): AwsError | undefined;
  /** Changes another record or a later response, after the record has been stored. */
  effect?(value: NonNullable<Value>, record: DeepReadonly<R['record']>, change: Change<S, R, Input>): void;
}

/** A row of a table of members: `read` for those that a hook of the operation reads. */
export type Row<S extends ServiceTypes, R extends ResourceTypes, Input, Value> = 'read' | MemberRow<S, R, Input, Value>;

/** Says of every member of an input what becomes of it, where it is not copied. */
export type MemberTable<S extends ServiceTypes, R extends ResourceTypes, Input> = {
  readonly [Name in Exclude<Members<S, R, Input>, Copied<S, R, Input>>]: Row<S, R, Input, Input[Name]>;
} & {
  readonly [Name in Copied<S, R, Input>]?: Row<S, R, Input, Input[Name]>;
};

/** The table may be left out where every member is copied. */
type WithMembers<S extends ServiceTypes, R extends ResourceTypes, Input> = [
  Exclude<Members<S, R, Input>, Copied<S, R, Input>>,
] extends [never]
  ? { readonly members?: MemberTable<S, R, Input> }
  : { readonly members: MemberTable<S, R, Input> };

/** Names the record by other members than its key and its owners', where the input has not all of them. */
type WithId<S extends ServiceTypes, R extends ResourceTypes, Input> = Input extends {
  readonly [Name in R['key'] | R['names']]: string;
}
  ? { id?(input: Input, ctx: ContextOf<S>): string }
  : { id(input: Input, ctx: ContextOf<S>): string };

/** Members of an output that can hold a resource. */
type Holding<Shape, Output> = {
  [Name in keyof Output]-?: Shape extends NonNullable<Output[Name]> ? Name : never;
}[keyof Output] &
  string;

/** The record and what the response describes of it. */
export interface Described<S extends ServiceTypes, R extends ResourceTypes, Input> extends Change<S, R, Input> {
  readonly record: DeepReadonly<R['record']>;
}

type AnswerOf<S extends ServiceTypes, R extends ResourceTypes, Input, Output> =
  | Holding<R['shape'], Output>
  | ((resource: R['shape'], described: Described<S, R, Input>) => Output);

/** The response: the resource itself, a member that holds it, or what a function returns; nothing where it has no members. */
type WithAnswer<S extends ServiceTypes, R extends ResourceTypes, Input, Output> = [Output] extends [
  R['shape'] extends Output ? unknown : Record<string, never>,
]
  ? { readonly answer?: AnswerOf<S, R, Input, Output> }
  : { readonly answer: AnswerOf<S, R, Input, Output> };

/** Members of the record that nothing gives a value. */
type Missing<S extends ServiceTypes, R extends ResourceTypes, Input, Defaults, Values> = Exclude<
  RequiredOf<R['record']>,
  | R['key']
  | S['tags']
  | RequiredOf<Pick<Input, Copied<S, R, Input> & keyof Input>>
  | RequiredOf<Defaults>
  | RequiredOf<Values>
>;

/** The handler of a creation; no handler, where a required member of the record gets no value. */
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
    /** Values of members that the input does not have. */
    defaults?(change: Change<S, R, InputOf<S, Name>>): Defaults;
    /**
     * Values that are not those of the input; rejects what no rule rejects. After an asynchronous one, the owner is looked
     * up again, and the rest is done without interruption.
     */
    values?(change: Change<S, R, InputOf<S, Name>>): Soon<Values>;
    /** Does what else the creation brings about. */
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
    /** Values that are not those of the input; members with the value undefined are removed. See `CreateSpec`. */
    values?(change: ExistingChange<S, R, InputOf<S, Name>>): Soon<Values>;
    /** The errors for a request without an attribute, and with more than one, where it may change only one. */
    readonly oneAttribute?: { none(): AwsError; several(members: readonly string[]): AwsError };
    /** Does what else the change brings about. */
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
    /** Returns the error for an unknown id, where it differs from that of other operations. */
    missing?(id: string, ctx: ContextOf<S>): AwsError;
    /** Rejects the deletion. After an asynchronous one, the record is looked up again. */
    check?(record: DeepReadonly<R['record']>, change: ExistingChange<S, R, InputOf<S, Name>>): Soon<void>;
    /** Does what else the deletion brings about. */
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
    /** Rejects the request before anything is looked up. */
    before?(input: InputOf<S, Name>, ctx: ContextOf<S>): void;
    /** Member of the input that has the ids of the wanted resources. */
    readonly ids?: keyof InputOf<S, Name> & string;
    /** Member of the input that has the filters, where it is not the service's usual one. */
    readonly filters?: keyof InputOf<S, Name> & string;
    /** Members of the input that a record has to match: a member of the record that equals it, or a function. */
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
