import { changeTags } from '@emu/core/providers';
import { type TaggedResource, tagList, tagMap } from '@emu/core/service';

type Tags = Record<string, string>;

/** Operations of the other API on the tags of one of its resources. */
export interface TagsOfOtherApi {
  get(): Promise<Tags | undefined>;
  set(tags: Tags): Promise<unknown>;
  remove(keys: string[]): Promise<unknown>;
}

/** Returns a resource of the other API with its tags. @throws AwsError of that API */
export async function taggedByOtherApi({ get, set, remove }: TagsOfOtherApi): Promise<TaggedResource<Tags>> {
  const tags = (await get()) ?? {};
  return {
    tags,
    replace: (replaced) =>
      changeTags(tagList(tags), tagList(replaced), {
        set: (changed) => set(tagMap(changed) ?? {}),
        remove: (keys) => remove([...keys]),
      }),
  };
}
