import type { ServiceModel } from '@emu/wire';
import { tagList } from './tag-lists.ts';
import type { TagRecord } from './tagging.ts';

/** An operation of a resource's own service, with its input as JSON. */
export interface TagCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Account and region of the resource. */
export interface TagPlace {
  readonly accountId: string;
  readonly region: string;
}

/** The resource whose tags change. */
export interface TagSubject {
  readonly arn: string;
  readonly place: TagPlace;
  /** Its current tags; empty for an unknown resource. */
  readonly tags: TagRecord;
}

/** A service's operations that change the tags of a type's resources, for the tagging API and others. */
export interface TagCalls<Key> {
  /** Returns the call that adds tags. */
  tag(key: Key, tags: TagRecord, subject: TagSubject): TagCall;
  /** Returns the call that removes tags. */
  untag(key: Key, keys: readonly string[], subject: TagSubject): TagCall;
}

interface Member {
  readonly name: string;
  readonly shape: ServiceModel['shapes'][string];
}

/**
 * Returns the calls of `TagResource` and `UntagResource`, which most services have: they name the resource by its ARN,
 * in a member of any name.
 * @returns undefined if the service lacks one of them
 */
export function standardTagCalls(model: ServiceModel): TagCalls<object> | undefined {
  const tag = membersOf(model, 'TagResource');
  const untag = membersOf(model, 'UntagResource');
  if (!tag || !untag) return undefined;
  const tags = tag.find(({ shape }) => shape.type !== 'string');
  const keys = untag.find(({ shape }) => shape.type !== 'string');
  const form = tags && writerOf(model, tags);
  if (!form || !tags || !keys) return undefined;
  return {
    tag: (_key, added, { arn, place }) => ({
      operation: 'TagResource',
      input: { ...named(tag, arn, place), [tags.name]: form(added) },
    }),
    untag: (_key, gone, { arn, place }) => ({
      operation: 'UntagResource',
      input: { ...named(untag, arn, place), [keys.name]: [...gone] },
    }),
  };
}

function membersOf(model: ServiceModel, operation: string): Member[] | undefined {
  const input = model.operations[operation]?.input?.shape;
  const shape = input === undefined ? undefined : model.shapes[input];
  if (shape?.type !== 'structure') return undefined;
  const required = new Set(shape.required);
  const members = Object.entries(shape.members ?? {}).map(([name, member]) => ({
    name,
    shape: model.shapes[member.shape]!,
  }));
  // Kinesis' `StreamId` is optional and not an ARN. The tags for API Gateway's HTTP APIs are optional too.
  return members.filter(({ name, shape: { type } }) => type !== 'string' || required.has(name));
}

/** Returns the members that name the resource. */
function named(members: readonly Member[], arn: string, { accountId }: TagPlace): Record<string, string> {
  const strings = members.filter(({ shape }) => shape.type === 'string');
  return Object.fromEntries(strings.map(({ name }) => [name, name === 'AccountId' ? accountId : arn]));
}

/** Formats tags for the service: an object, or a list of pairs. */
function writerOf(model: ServiceModel, { shape }: Member): ((tags: TagRecord) => unknown) | undefined {
  if (shape.type === 'map') return (tags) => ({ ...tags });
  const pair = shape.type === 'list' && shape.member ? model.shapes[shape.member.shape] : undefined;
  if (pair?.type !== 'structure') return undefined;
  const names = Object.keys(pair.members ?? {});
  const key = names.find((name) => /key$/i.test(name));
  const value = names.find((name) => /value$/i.test(name));
  if (key === undefined || value === undefined) return undefined;
  return (tags) => Object.entries(tags).map(([name, text]) => ({ [key]: name, [value]: text }));
}

/**
 * Returns calls that name the resource by members of their own and have tags as a list of `Key` and `Value`.
 * @param tag operation that adds tags
 * @param untag operation that removes them by `TagKeys`
 * @param members members that name the resource
 */
export function tagCallsBy<Key>(
  tag: string,
  untag: string,
  members: (key: Key, subject: TagSubject) => Readonly<Record<string, string>>,
): TagCalls<Key> {
  return {
    tag: (key, tags, subject) => ({
      operation: tag,
      input: {
        ...members(key, subject),
        Tags: tagList(tags) ?? [],
      },
    }),
    untag: (key, keys, subject) => ({ operation: untag, input: { ...members(key, subject), TagKeys: [...keys] } }),
  };
}
