import type { DeepReadonly } from '../collections/readonly.ts';

/** A resource as tag operations see it. */
export interface TaggedResource<Kept> {
  /** Its tags in the form of records; undefined where it has none. */
  readonly tags: DeepReadonly<Kept> | undefined;
  /** Its name, for refusals that contain it. */
  readonly name?: string;
  /** Puts tags in the place of all that it has. */
  replace(tags: Kept): unknown;
}

/** Records with tags by their keys, as a `Collection` keeps them. */
export interface TaggedRecords<Kept> {
  get(key: string): { readonly tags?: unknown } | undefined;
  update(key: string, change: (draft: { tags?: Kept }) => void): unknown;
}

/** Returns the resource that is kept as a record of a collection; undefined where there is none of the key. */
export function taggedRecord<Kept>(records: TaggedRecords<Kept>, key: string): TaggedResource<Kept> | undefined {
  const record = records.get(key);
  return (
    record && {
      tags: record.tags as DeepReadonly<Kept> | undefined,
      replace: (tags) =>
        records.update(key, (draft) => {
          draft.tags = tags;
        }),
    }
  );
}
