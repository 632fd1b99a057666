import { type Arn, formatArn, parseArn } from '../aws/arn.ts';
import { type ArnVariables, arnFormat } from './arn-format.ts';
import type { TagCalls } from './tag-calls.ts';
import type { TaggedResource } from './tagged-resource.ts';
import type { Tagging, TagRecord } from './tagging.ts';

/** Account and region of a resource. */
export interface Place {
  /** For a resource without an account in its ARN, the owner, if known. */
  readonly accountId: string;
  /** For a resource without a region, the region of its partition. */
  readonly region: string;
}

/** The address of a resource in a request or an ARN, known or unknown. */
export interface ResourceAddress<Key> {
  readonly place: Place;
  readonly key: Key;
}

/** The states of a service, for look-ups of resources. */
export interface StateFinder<State> {
  /** Returns the state of a scope; undefined for an empty one, which is not created. */
  existingState(accountId: string, region: string): State | undefined;
  /** Returns every state, in order of account and region. */
  states(): Iterable<{ accountId: string; region: string; state: State }>;
}

/** A state with its account and region, for look-ups of resources. */
export interface LocatedState<State> {
  readonly place: Place;
  readonly state: State;
}

/**
 * Which of region and account the ARNs of a type contain. `partition`: neither; the name is unique in the partition,
 * and the record contains the owner. `region-only`: resources of no account.
 */
export type ResourceScope = 'region' | 'account' | 'partition' | 'region-only';

/** Records by key, as in a `Collection`. */
export interface KeyedRecords {
  readonly size: number;
  has(key: string): boolean;
  keys(): Iterable<string>;
}

/** Declaration of a type of addressable resources. */
export interface ResourceDeclaration<Format extends string, State, Kept> {
  /** Name of the type in AWS's service authorization reference, e.g. `queue`. */
  readonly name: string;
  /** Service part of its ARNs, e.g. `sqs`. */
  readonly service: string;
  readonly scope: ResourceScope;
  /** Template of the resource part of its ARNs; see `arnFormat`. */
  readonly format: Format;
  /** E.g. `AWS::SQS::Queue`; undefined if CloudFormation lacks the type. */
  readonly cloudFormation?: string;
  /**
   * Returns the address in an operation's input, without reading the state. An empty account or region stands for that
   * of the request.
   * @param place account and region of the request
   * @param operation distinguishes types whose resources have the same members in inputs
   * @returns undefined if the input has no resource of the type
   */
  identify?(
    input: Readonly<Record<string, unknown>>,
    place: Place,
    operation: string,
  ): ResourceAddress<ArnVariables<Format>> | undefined;
  /** Input members with ARNs of the type's resources; used if `identify` finds nothing. */
  readonly arnMembers?: readonly string[];
  /**
   * Returns the state of a resource. By default that of the account and region; for types with names unique in the
   * partition, all states are searched.
   */
  locate?(states: StateFinder<State>, address: ResourceAddress<ArnVariables<Format>>): LocatedState<State> | undefined;
  /** Returns the records by the only variable of the format. `find`, `list` and `count` use them by default. */
  records?(state: State): KeyedRecords;
  /**
   * Returns the key of an existing resource as the service spells it, e.g. with the path that a name omits; undefined
   * for an unknown one.
   */
  find?(state: State, key: ArnVariables<Format>): ArnVariables<Format> | undefined;
  /** Returns the keys of the resources in a state, in the order of listings. */
  list?(state: State): Iterable<ArnVariables<Format>>;
  /** Returns an existing resource with its tags, for tag operations; undefined for types without tags. */
  readonly tagged?: {
    readonly tagging: Pick<Tagging<unknown, Kept>, 'recordOf'>;
    find(state: State, key: ArnVariables<Format>): TaggedResource<Kept> | undefined;
  };
  /** Returns the tags of an existing resource, for a type whose tags other operations change. */
  tags?(state: State, key: ArnVariables<Format>): TagRecord | undefined;
  /** Whether the tagging API omits the type: `tags` are those of the parent resource, or AWS omits the type. */
  readonly untagged?: true;
  /** Operations that change its tags, if they are not `TagResource` and `UntagResource` with its ARN. */
  readonly tagCalls?: TagCalls<ArnVariables<Format>>;
  /** Returns the JSON text of an existing resource's policy; undefined for none. */
  policy?(state: State, key: ArnVariables<Format>): string | undefined;
  /** Returns the number of resources in a state without listing them, for quotas. */
  count?(state: State): number;
}

/** A declared type, with its derived ARNs. */
export interface ResourceType<Key = Record<string, string | undefined>, State = unknown, Kept = unknown> {
  readonly name: string;
  readonly service: string;
  readonly scope: ResourceScope;
  readonly cloudFormation: string | undefined;
  /** Whether its resources have tags of their own, which the tagging API returns. */
  readonly isTagged: boolean;
  /** Operations that change its tags, if they are not `TagResource` and `UntagResource` with its ARN. */
  readonly tagCalls: TagCalls<Key> | undefined;
  /** Returns the ARN of a resource, known or unknown. */
  arn(key: Key, place: Place): string;
  /** Parses the address in an ARN; undefined for an ARN of another type. */
  parse(arn: string | Arn): ResourceAddress<Key> | undefined;
  /** @param operation optional if the members of the service's inputs distinguish its types */
  identify(
    input: Readonly<Record<string, unknown>>,
    place: Place,
    operation?: string,
  ): ResourceAddress<Key> | undefined;
  locate(states: StateFinder<State>, address: ResourceAddress<Key>): LocatedState<State> | undefined;
  find(state: State, key: Key): Key | undefined;
  list(state: State): Iterable<Key>;
  /** @throws Error if the type declares none */
  count(state: State): number;
  tags(state: State, key: Key): TagRecord | undefined;
  /** Returns an existing resource with its tags, if tag operations change them. */
  tagged(state: State, key: Key): TaggedResource<Kept> | undefined;
  policy(state: State, key: Key): string | undefined;
}

/** A resource type with any key and state. */
export type AnyResourceType = Omit<ResourceType<object, never>, 'locate'> & {
  locate(states: StateFinder<never>, address: ResourceAddress<object>): LocatedState<unknown> | undefined;
};

const NOTHING = (): undefined => undefined;

/** Returns the look-ups of a type: its own, otherwise those in its records. */
function lookUps<Format extends string, State, Kept>(
  { name, records, find, list, count }: ResourceDeclaration<Format, State, Kept>,
  [variable = '']: readonly string[],
): Pick<ResourceType<ArnVariables<Format>, State>, 'find' | 'list' | 'count'> {
  const idOf = (key: ArnVariables<Format>) => (key as Readonly<Record<string, string>>)[variable]!;
  const keyOf = (id: string) => ({ [variable]: id }) as ArnVariables<Format>;
  return {
    find: find ?? ((state, key) => (records?.(state).has(idOf(key)) ? keyOf(idOf(key)) : undefined)),
    list: list ?? ((state) => (records ? [...records(state).keys()].map(keyOf) : [])),
    count(state) {
      if (count) return count(state);
      if (!records) throw new Error(`resources of the type ${name} are not counted`);
      return records(state).size;
    },
  };
}

/** Declares a type of resources; derives its ARNs, look-ups and default permissions. */
export function defineResource<const Format extends string, State = unknown, Kept = unknown>(
  declaration: ResourceDeclaration<Format, State, Kept>,
): ResourceType<ArnVariables<Format>, State, Kept> {
  const { name, service, scope, cloudFormation, tagged, arnMembers = [] } = declaration;
  const format = arnFormat(declaration.format);
  const hasRegion = scope === 'region' || scope === 'region-only';
  const hasAccount = scope === 'region' || scope === 'account';
  const parse = (text: string | Arn): ResourceAddress<ArnVariables<Format>> | undefined => {
    const arn = typeof text === 'string' ? parseArn(text) : text;
    if (arn?.service !== service) return undefined;
    if ((arn.region !== '') !== hasRegion || (arn.accountId !== '') !== hasAccount) return undefined;
    const key = format.read(arn.resource);
    return key && { key, place: { accountId: arn.accountId, region: arn.region } };
  };
  const byArn = (input: Readonly<Record<string, unknown>>) => {
    for (const member of arnMembers) {
      const arn = input[member];
      const address = typeof arn === 'string' ? parse(arn) : undefined;
      if (address) return address;
    }
    return undefined;
  };
  return {
    name,
    service,
    scope,
    cloudFormation,
    isTagged: (declaration.tags ?? tagged) !== undefined && !declaration.untagged,
    tagCalls: declaration.tagCalls,
    arn: (key, { accountId, region }) =>
      formatArn(
        {
          service,
          region: hasRegion ? region : '',
          accountId: hasAccount ? accountId : '',
          resource: format.write(key),
        },
        region,
      ),
    parse,
    identify(input, place, operation = '') {
      const address = declaration.identify?.(input, place, operation) ?? byArn(input);
      if (!address) return undefined;
      // Permissions are decided on the resource that look-ups find: parts empty in an ARN come from the request.
      const { accountId, region } = address.place;
      if (accountId !== '' && region !== '') return address;
      return { key: address.key, place: { accountId: accountId || place.accountId, region: region || place.region } };
    },
    locate(states, address) {
      if (declaration.locate) return declaration.locate(states, address);
      const { accountId, region } = address.place;
      const state = states.existingState(accountId, region);
      return state === undefined ? undefined : { place: address.place, state };
    },
    ...lookUps(declaration, format.variables),
    tags: (state, key) =>
      tagged ? tagged.tagging.recordOf(tagged.find(state, key)?.tags) : declaration.tags?.(state, key),
    tagged: (state, key) => tagged?.find(state, key),
    policy: declaration.policy ?? NOTHING,
  };
}
