import { type Arn, formatArn, parseArn } from '../aws/arn.ts';
import { type ArnVariables, arnFormat } from './arn-format.ts';
import type { TagCalls } from './tag-calls.ts';
import type { TaggedResource } from './tagged-resource.ts';
import type { Tagging, TagRecord } from './tagging.ts';

/** Where a resource is. */
export interface Place {
  /** Of a resource whose ARN names none, the account that owns it, as far as that is known. */
  readonly accountId: string;
  /** Of a resource without a region, the region that its partition is taken from. */
  readonly region: string;
}

/** A resource as a request or an ARN names it, whether it exists or not. */
export interface ResourceAddress<Key> {
  readonly place: Place;
  readonly key: Key;
}

/** The states of a service, as far as finding a resource needs them. */
export interface StateFinder<State> {
  /** The state of a scope; undefined where it holds nothing, so that asking makes none. */
  existingState(accountId: string, region: string): State | undefined;
  /** Every state that exists, in order of account and region. */
  states(): Iterable<{ accountId: string; region: string; state: State }>;
}

/** A state with its place, in which a resource is looked for. */
export interface LocatedState<State> {
  readonly place: Place;
  readonly state: State;
}

/**
 * Which of region and account the ARNs of a type carry. `partition`: neither, the name is unique in the partition and
 * the owner stands in the record. `region-only`: what belongs to no account.
 */
export type ResourceScope = 'region' | 'account' | 'partition' | 'region-only';

/** What a service declares of one type of its addressable resources. */
export interface ResourceDeclaration<Format extends string, State, Kept> {
  /** Name of the type in AWS's service authorization reference, e.g. `queue`. */
  readonly name: string;
  /** Service part of its ARNs, e.g. `sqs`. */
  readonly service: string;
  readonly scope: ResourceScope;
  /** Template of the resource part of its ARNs; see `arnFormat`. */
  readonly format: Format;
  /** E.g. `AWS::SQS::Queue`; undefined where CloudFormation has none. */
  readonly cloudFormation?: string;
  /**
   * What an operation's input names, without looking at the state.
   * @param place of the request
   * @param operation tells types apart whose resources inputs name by the same members
   * @returns undefined where the input names no resource of the type
   */
  identify?(
    input: Readonly<Record<string, unknown>>,
    place: Place,
    operation: string,
  ): ResourceAddress<ArnVariables<Format>> | undefined;
  /** Members of inputs in which the type's resources are named by their ARNs; looked at where `identify` finds nothing. */
  readonly arnMembers?: readonly string[];
  /**
   * The state that a resource is in. By default that of the place; types whose names are unique in the partition look
   * through all.
   */
  locate?(states: StateFinder<State>, address: ResourceAddress<ArnVariables<Format>>): LocatedState<State> | undefined;
  /** Whether a resource exists in a state, and its key as the service spells it, e.g. with the path that a name leaves out. */
  find?(state: State, key: ArnVariables<Format>): ArnVariables<Format> | undefined;
  /** Keys of the resources in a state, in the order of listings. */
  list?(state: State): Iterable<ArnVariables<Format>>;
  /** A resource that exists, as tag operations read and change its tags; undefined where the type has none. */
  readonly tagged?: {
    readonly tagging: Pick<Tagging<unknown, Kept>, 'recordOf'>;
    find(state: State, key: ArnVariables<Format>): TaggedResource<Kept> | undefined;
  };
  /** Tags of a resource that exists, for a type whose tags other operations change. */
  tags?(state: State, key: ArnVariables<Format>): TagRecord | undefined;
  /**
   * Whether the tagging API has none of the type: `tags` are those of the resource that it belongs to, or AWS leaves the
   * type out.
   */
  readonly untagged?: true;
  /** Operations that change its tags, where they are not `TagResource` and `UntagResource` with its ARN. */
  readonly tagCalls?: TagCalls<ArnVariables<Format>>;
  /** JSON text of the policy of a resource that exists; undefined where it has none. */
  policy?(state: State, key: ArnVariables<Format>): string | undefined;
  /** How many resources there are in a state, told without listing them; for quotas of their number. */
  count?(state: State): number;
}

/** A declared type, with the ARNs that follow from it. */
export interface ResourceType<Key = Record<string, string | undefined>, State = unknown, Kept = unknown> {
  readonly name: string;
  readonly service: string;
  readonly scope: ResourceScope;
  readonly cloudFormation: string | undefined;
  /** Whether its resources have tags of their own, of which the tagging API knows. */
  readonly isTagged: boolean;
  /** Operations that change its tags, where they are not `TagResource` and `UntagResource` with its ARN. */
  readonly tagCalls: TagCalls<Key> | undefined;
  /** ARN of a resource, whether it exists or not. */
  arn(key: Key, place: Place): string;
  /** The address in an ARN; undefined where the text is no ARN of this type. */
  parse(arn: string | Arn): ResourceAddress<Key> | undefined;
  /** @param operation may be left out where the service's inputs tell its types apart by themselves */
  identify(
    input: Readonly<Record<string, unknown>>,
    place: Place,
    operation?: string,
  ): ResourceAddress<Key> | undefined;
  locate(states: StateFinder<State>, address: ResourceAddress<Key>): LocatedState<State> | undefined;
  find(state: State, key: Key): Key | undefined;
  list(state: State): Iterable<Key>;
  /** @throws Error where the type is declared without */
  count(state: State): number;
  tags(state: State, key: Key): TagRecord | undefined;
  /** A resource that exists with its tags, where tag operations change them. */
  tagged(state: State, key: Key): TaggedResource<Kept> | undefined;
  policy(state: State, key: Key): string | undefined;
}

/** A type whose key and state are its service's own business. */
export type AnyResourceType = Omit<ResourceType<object, never>, 'locate'> & {
  locate(states: StateFinder<never>, address: ResourceAddress<object>): LocatedState<unknown> | undefined;
};

const NOTHING = (): undefined => undefined;

/** Declares a type of resources; its ARNs, look-ups and default permissions are made from this. */
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
  const byArn = (input: Readonly<Record<string, unknown>>, place: Place) => {
    for (const member of arnMembers) {
      const arn = input[member];
      const address = typeof arn === 'string' ? parse(arn) : undefined;
      if (!address) continue;
      // What the ARN leaves out is the request's.
      const { accountId, region } = address.place;
      return { key: address.key, place: { accountId: accountId || place.accountId, region: region || place.region } };
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
    identify: (input, place, operation = '') => declaration.identify?.(input, place, operation) ?? byArn(input, place),
    locate(states, address) {
      if (declaration.locate) return declaration.locate(states, address);
      const { accountId, region } = address.place;
      const state = states.existingState(accountId, region);
      return state === undefined ? undefined : { place: address.place, state };
    },
    find: (state, key) => declaration.find?.(state, key),
    list: (state) => declaration.list?.(state) ?? [],
    count(state) {
      if (!declaration.count) throw new Error(`resources of the type ${name} are not counted`);
      return declaration.count(state);
    },
    tags: (state, key) =>
      tagged ? tagged.tagging.recordOf(tagged.find(state, key)?.tags) : declaration.tags?.(state, key),
    tagged: (state, key) => tagged?.find(state, key),
    policy: declaration.policy ?? NOTHING,
  };
}
