import type { AwsError } from '@emu/wire';
import type { DeepReadonly } from '../collections/readonly.ts';
import type { AnyResourceType, Place, ResourceType, StateFinder } from './resource-type.ts';
import type { TaggedResource } from './tagged-resource.ts';
import type { Tagging } from './tagging.ts';

type Input<Operations, Name extends keyof Operations> = Operations[Name] extends { input: infer Given } ? Given : never;
type Output<Operations, Name extends keyof Operations> = Operations[Name] extends { output: infer Answer }
  ? Answer
  : never;

/** Members whose values are of a type. */
type MemberOf<Container, Value> = {
  [Member in keyof Container]-?: NonNullable<Container[Member]> extends Value ? Member : never;
}[keyof Container];

/** Members that accept values of a type. */
type MemberFor<Container, Value> = {
  [Member in keyof Container]-?: Value extends NonNullable<Container[Member]> ? Member : never;
}[keyof Container];

/** The kind of tag operation that looks up a resource. */
export type TagPurpose = 'tag' | 'untag' | 'list';

/** A request's change: the tags that it adds, or the keys whose tags it removes. */
export interface TagChange<Shown> {
  readonly added?: DeepReadonly<Shown>;
  readonly removed?: readonly string[];
}

/** An operation that changes tags, its member with the tags or keys, and its output if that is not empty. */
type ChangeOperation<Operations, Name extends keyof Operations, Member> = readonly [
  operation: Name,
  member: Member,
  answer?: (input: Input<Operations, Name>) => Output<Operations, Name>,
];

/** Declaration of a service's operations on tags. */
export interface TagOperations<
  Operations,
  Context,
  Shown,
  Kept,
  Tag extends keyof Operations,
  Untag extends keyof Operations,
  List extends keyof Operations,
> {
  readonly tagging: Tagging<Shown, Kept>;
  /** The operation that adds tags, and its member with them. */
  readonly tag: ChangeOperation<Operations, Tag, MemberOf<Input<Operations, Tag>, DeepReadonly<Shown>>>;
  /** The operation that removes tags, and its member with their keys. */
  readonly untag: ChangeOperation<Operations, Untag, MemberOf<Input<Operations, Untag>, readonly string[]>>;
  /** The operation that lists tags, and the member of its output with them, or a function that makes the output. */
  readonly list?: readonly [
    operation: List,
    answer:
      | MemberFor<Output<Operations, List>, Shown>
      | ((tags: Shown, input: Input<Operations, List>, ctx: Context) => Output<Operations, List>),
  ];
  /**
   * Finds the resource of an input.
   * @throws AwsError for an unknown resource, or one whose tags cannot be changed
   */
  resource(
    input: Input<Operations, Tag | Untag | List>,
    ctx: Context,
    purpose: TagPurpose,
  ): TaggedResource<Kept> | Promise<TaggedResource<Kept>>;
  /** Checks a change before its resource is looked up. @throws AwsError */
  checkFirst?(change: TagChange<Shown>): void;
  /** Checks a change of an existing resource, before the tags themselves. @throws AwsError */
  check?(change: TagChange<Shown>, resource: TaggedResource<Kept>): void;
}

type TagHandlers<Operations, Context, Names extends keyof Operations> = {
  [Name in Names]: (
    input: Input<Operations, Name>,
    ctx: Context,
  ) => Output<Operations, Name> | Promise<Output<Operations, Name>>;
};

/**
 * Creates the handlers of the operations on tags: `tagOperations<Operations, Context>()({ … })`.
 * @returns handlers by operation, for the list of a plugin's modules
 */
export function tagOperations<Operations, Context>() {
  return <
    Shown,
    Kept,
    Tag extends keyof Operations,
    Untag extends keyof Operations,
    List extends keyof Operations = never,
  >(
    declaration: TagOperations<Operations, Context, Shown, Kept, Tag, Untag, List>,
  ): TagHandlers<Operations, Context, Tag | Untag | List> => {
    const { tagging, tag, untag, list } = declaration;
    const resource = (input: unknown, ctx: Context, purpose: TagPurpose) =>
      declaration.resource(input as never, ctx, purpose);
    const handlers: Partial<Record<keyof Operations, (input: Members, ctx: Context) => unknown>> = {};
    const add = <Value>(
      purpose: TagPurpose,
      [operation, member, answer]: readonly [keyof Operations, PropertyKey, ((input: never) => unknown)?],
      changeOf: (value: Value) => TagChange<Shown>,
      apply: (found: TaggedResource<Kept>, value: Value) => Kept,
    ): void => {
      handlers[operation] = (input, ctx) => {
        const value = input[member] as Value;
        declaration.checkFirst?.(changeOf(value));
        return whenDone(resource(input, ctx, purpose), (found) => {
          declaration.check?.(changeOf(value), found);
          return whenDone(found.replace(apply(found, value)), () => answer?.(input as never) ?? {});
        });
      };
    };
    add<DeepReadonly<Shown> | undefined>(
      'tag',
      tag,
      (added) => (added === undefined ? {} : { added }),
      ({ tags, name }, added) => tagging.merge(tags, added, name),
    );
    add<readonly string[]>(
      'untag',
      untag,
      (removed) => ({ removed }),
      ({ tags }, keys) => tagging.remove(tags, keys),
    );
    if (list) {
      const [operation, answer] = list;
      handlers[operation] = (input, ctx) =>
        whenDone(resource(input, ctx, 'list'), ({ tags }) => {
          const shown = tagging.show(tags);
          return typeof answer === 'function' ? answer(shown, input as never, ctx) : { [answer]: shown };
        });
    }
    return handlers as TagHandlers<Operations, Context, Tag | Untag | List>;
  };
}

type Members = Readonly<Record<PropertyKey, unknown>>;

/** Continues in the same turn if possible, so that no other request runs between reading tags and replacing them. */
const whenDone = <Value, Result>(value: Value | Promise<Value>, next: (value: Value) => Result) =>
  value instanceof Promise ? value.then(next) : next(value);

/** Types of resources with ARNs, and the service's error for an unknown resource of one of them. */
export interface TaggableTypes<Kept> {
  readonly types: readonly ResourceType<object, never, Kept>[];
  missing(key: object, arn: string): AwsError;
}

type KeyOf<Type> = Type extends { arn(key: infer Key, place: Place): string } ? Key : never;
type KeptOf<Type> = Type extends { tagged(state: never, key: never): TaggedResource<infer Kept> | undefined }
  ? Kept
  : never;

/**
 * Returns one or more declared types whose resources have tags.
 * @param missing returns the error for an unknown resource
 */
export const taggable = <Type extends AnyResourceType>(
  types: Type | readonly Type[],
  missing: (key: KeyOf<Type>, arn: string) => AwsError,
): TaggableTypes<KeptOf<Type>> => ({ types: [types].flat(), missing }) as unknown as TaggableTypes<KeptOf<Type>>;

/** The part of a handler's context for look-ups of resources. */
interface FindingContext extends Place {
  readonly state: unknown;
  readonly handle: StateFinder<unknown>;
}

/** Rules for look-ups of a resource by ARN. */
export interface TaggedByArn<Member extends string, Kept> {
  /** Input member with the ARN. */
  readonly member: Member;
  /** Types in the order of the look-up. */
  readonly types: readonly TaggableTypes<Kept>[];
  /** Whether resources of other accounts are accepted. */
  readonly foreign?: true;
  /** Whether an unknown resource of one of the types has an empty list of tags instead of an error. */
  readonly listsUnknown?: true;
  /** Returns the error for an ARN of none of the types. */
  unknown(arn: string, ctx: FindingContext): AwsError;
  /** Returns the error for an ARN of another account or region; undefined to use that of an unknown resource. */
  elsewhere?(arn: string, place: Place, ctx: FindingContext): AwsError | undefined;
}

/** Finds resources of declared types by ARN, in the account and region of the request. */
export function taggedByArn<Member extends string, Kept>({
  member,
  types,
  foreign,
  listsUnknown,
  unknown,
  elsewhere,
}: TaggedByArn<Member, Kept>): (
  input: { readonly [Name in Member]: string },
  ctx: FindingContext,
  purpose: TagPurpose,
) => TaggedResource<Kept> {
  const single = types.flatMap(({ types: group, missing }) => group.map((type) => ({ type, missing })));
  return (input, ctx, purpose) => {
    const arn = input[member];
    for (const { type, missing } of single) {
      const address = type.parse(arn);
      if (!address) continue;
      const { accountId, region } = address.place;
      const isHere = (foreign || !accountId || accountId === ctx.accountId) && (!region || region === ctx.region);
      const refusal = isHere ? undefined : elsewhere?.(arn, address.place, ctx);
      if (refusal) throw refusal;
      const place = { accountId: accountId || ctx.accountId, region: region || ctx.region };
      // Accessing the state of the request creates it, with the defaults of every account.
      if (place.accountId === ctx.accountId && isHere) void ctx.state;
      const located = isHere ? type.locate(ctx.handle as StateFinder<never>, { ...address, place }) : undefined;
      const key = located && type.find(located.state, address.key);
      const found = located && key && type.tagged(located.state, key);
      if (found) return found;
      if (listsUnknown && purpose === 'list') return { tags: undefined, replace: () => undefined };
      throw missing(address.key, arn);
    }
    throw unknown(arn, ctx);
  };
}
