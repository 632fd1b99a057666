import type { ServiceModel } from '@emu/wire';
import type { TagRecord } from './tagging.ts';

/** An operation of a resource's own service, with its input as JSON. */
export interface TagCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Where the resource is. */
export interface TagPlace {
  readonly accountId: string;
  readonly region: string;
}

/** The resource whose tags are to change. */
export interface TagSubject {
  readonly arn: string;
  readonly place: TagPlace;
  /** Its tags as they are; none where it does not exist. */
  readonly tags: TagRecord;
}

/** The operations of a service by which others, as the tagging API, change the tags of a type's resources. */
export interface TagCalls<Key> {
  /** The call that adds tags. */
  tag(key: Key, tags: TagRecord, subject: TagSubject): TagCall;
  /** The call that takes tags away. */
  untag(key: Key, keys: readonly string[], subject: TagSubject): TagCall;
}

interface Member {
  readonly name: string;
  readonly shape: ServiceModel['shapes'][string];
}

/**
 * The calls of `TagResource` and `UntagResource`, which most services have: they name the resource by its ARN, whatever the
 * member is called.
 * @returns undefined where the service has not both
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
  // Kinesis' `StreamId` is optional and names nothing that an ARN names.
  return members.filter(({ name }) => required.has(name));
}

/** The members that say which resource is meant. */
function named(members: readonly Member[], arn: string, { accountId }: TagPlace): Record<string, string> {
  const strings = members.filter(({ shape }) => shape.type === 'string');
  return Object.fromEntries(strings.map(({ name }) => [name, name === 'AccountId' ? accountId : arn]));
}

/** Writes tags as the service takes them: as an object, or as a list of pairs. */
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
 * Calls that name the resource by members of their own and take tags as a list of `Key` and `Value`.
 * @param tag operation that adds tags
 * @param untag operation that takes them away by `TagKeys`
 * @param members those that name the resource
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
        Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      },
    }),
    untag: (key, keys, subject) => ({ operation: untag, input: { ...members(key, subject), TagKeys: [...keys] } }),
  };
}
