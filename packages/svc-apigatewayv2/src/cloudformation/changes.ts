import { type Properties, sameValue } from '@emu/core/providers';
import { changeTagsOf, type ProviderContext, tagList } from '@emu/core/service';

/**
 * Returns the input of an update: changed properties, and defaults for removed ones.
 * @param names properties supported by the update
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

/** Returns the changes of a map in which an empty value removes an entry. */
export function mapChanges(
  previous: Properties | undefined,
  desired: Properties | undefined,
  none: unknown,
): Properties | undefined {
  if (sameValue(previous, desired)) return undefined;
  return { ...Object.fromEntries(Object.keys(previous ?? {}).map((name) => [name, none])), ...desired };
}

type Tags = Readonly<Record<string, string>>;

/** Adds, changes and removes the tags of a resource. */
export const changeTagMap = (
  ResourceArn: string,
  previous: Tags | undefined,
  desired: Tags | undefined,
  ctx: ProviderContext,
): Promise<void> => changeTagsOf(ResourceArn, { Tags: tagList(previous) }, { Tags: tagList(desired) }, ctx);
