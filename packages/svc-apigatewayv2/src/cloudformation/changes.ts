import { changeTags, type Properties, sameValue, tagList } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';

/**
 * What an update sends: the properties that differ, and the defaults of those that are no longer given.
 * @param names properties that the update takes
 */
export function withDefaults(
  previous: Properties,
  desired: Properties,
  names: readonly string[],
  defaults: Properties,
): Properties {
  const changed = names.filter((name) => !sameValue(previous[name], desired[name]));
  return Object.fromEntries(
    changed.map((name) => [name, desired[name] ?? defaults[name]]).filter(([, value]) => value !== undefined),
  );
}

/** Changes of a map whose entries are taken away by an empty value. */
export function mapChanges(
  previous: Properties | undefined,
  desired: Properties | undefined,
  none: unknown,
): Properties | undefined {
  if (sameValue(previous, desired)) return undefined;
  return { ...Object.fromEntries(Object.keys(previous ?? {}).map((name) => [name, none])), ...desired };
}

type Tags = Readonly<Record<string, string>>;

/** Sets the tags of a resource that differ, and takes those away that are gone. */
export const changeTagMap = (
  ResourceArn: string,
  previous: Tags | undefined,
  desired: Tags | undefined,
  ctx: ProviderContext,
): Promise<void> =>
  changeTags(tagList(previous), tagList(desired), {
    set: (tags) =>
      ctx.call('apigatewayv2', 'TagResource', {
        ResourceArn,
        Tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
      }),
    remove: (keys) => ctx.call('apigatewayv2', 'UntagResource', { ResourceArn, TagKeys: [...keys] }),
  });
