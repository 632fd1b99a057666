import { type DirectoryResource, parseArn, type TagRecord } from '@emu/core/service';
import type { TagFilter } from '@emu/service-types/resourcegroupstaggingapi';
import { invalidParameter } from './errors.ts';

type Condition = (resource: DirectoryResource) => boolean;

const TYPE = /^[a-zA-Z0-9-]+(?::[^:]+)?$/;

/**
 * Returns the predicate of type filters, `service[:type]`, in the words of ARNs. An ARN without a type, such as that of
 * a queue, has the type in the service authorization reference.
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
 * Returns the predicate of tag filters: all keys must match, each with one of its values if given.
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
