import type { DeepReadonly } from '../collections/readonly.ts';

/** A resource as tag operations see it. */
export interface TaggedResource<Kept> {
  /** Its tags in the form of records, as they are now; undefined where it has none. */
  readonly tags: DeepReadonly<Kept> | undefined;
  /** Its name, for refusals that contain it. */
  readonly name?: string;
  /** Puts tags in the place of all that it has. */
  replace(tags: Kept): unknown;
}

/** Changes a record that has tags. */
type Update<Kept> = (change: (draft: { tags?: Kept }) => void) => unknown;

/**
 * Returns the resource of a record; undefined where there is no record.
 * @param read looks the record up, so that tags are never older than the change to them
 */
export function taggedResource<Kept>(
  read: () => { readonly tags?: unknown } | undefined,
  update: Update<Kept>,
): TaggedResource<Kept> | undefined {
  if (!read()) return undefined;
  return {
    get tags() {
      return read()?.tags as DeepReadonly<Kept> | undefined;
    },
    replace: (tags) =>
      update((draft) => {
        draft.tags = tags;
      }),
  };
}

/** Records with tags by their keys, as a `Collection` keeps them. */
export interface TaggedRecords<Kept> {
  get(key: string): { readonly tags?: unknown } | undefined;
  update(key: string, change: (draft: { tags?: Kept }) => void): unknown;
}

/** Returns the resource that is kept as a record of a collection; undefined where there is none of the key. */
export const taggedRecord = <Kept>(records: TaggedRecords<Kept>, key: string): TaggedResource<Kept> | undefined =>
  taggedResource(
    () => records.get(key),
    (change) => records.update(key, change),
  );
