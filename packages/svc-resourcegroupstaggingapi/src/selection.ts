import { type DirectoryResource, parseArn, type TagRecord } from '@emu/core';
import type { TagFilter } from '@emu/service-types/resourcegroupstaggingapi';
import { invalidParameter } from './errors.ts';

type Condition = (resource: DirectoryResource) => boolean;

const TYPE = /^[a-zA-Z0-9-]+(?::[^:]+)?$/;

/**
 * The condition of filters for types, `service[:type]`: the words that stand in ARNs, where one without a type, as that of a
 * queue, is of the type that the service authorization reference gives it.
 * @throws AwsError `InvalidParameterException`
 */
export function typeCondition(filters: readonly string[] = []): Condition {
  const wanted = new Set<string>();
  for (const filter of filters) {
    if (!TYPE.test(filter)) throw invalidParameter(`The resource type filter ${filter} is not valid.`);
    wanted.add(filter);
  }
  if (!wanted.size) return () => true;
  return ({ arn, type }) => {
    const { service, resource } = parseArn(arn)!;
    if (wanted.has(service) || wanted.has(`${service}:${type}`)) return true;
    const kind = /^[^:/]+(?=[:/])/.exec(resource)?.[0];
    return kind !== undefined && wanted.has(`${service}:${kind}`);
  };
}

/**
 * The condition of filters for tags: every key, and with it one of its values where there are some.
 * @throws AwsError `InvalidParameterException`
 */
export function tagCondition(filters: readonly TagFilter[] = []): Condition {
  const wanted = filters.map(({ Key, Values = [] }) => {
    if (Key === undefined) throw invalidParameter('A tag filter must have a key.');
    return [Key, new Set(Values)] as const;
  });
  return ({ tags = {} }) => wanted.every(([key, values]) => hasTag(tags, key, values));
}

const hasTag = (tags: TagRecord, key: string, values: ReadonlySet<string>): boolean =>
  Object.hasOwn(tags, key) && (!values.size || values.has(tags[key]!));
