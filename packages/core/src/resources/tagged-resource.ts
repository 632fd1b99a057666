import type { DeepReadonly } from '../collections/readonly.ts';

/** A resource in tag operations. */
export interface TaggedResource<Kept> {
  /** Its tags in the form of records, read at each access; undefined for none. */
  readonly tags: DeepReadonly<Kept> | undefined;
  /** Its name, for errors that contain it. */
  readonly name?: string;
  /** Replaces all its tags. */
  replace(tags: Kept): unknown;
}

/** Changes a record with tags. */
type Update<Kept> = (change: (draft: { tags?: Kept }) => void) => unknown;

/**
 * Returns the resource of a record; undefined for an unknown record.
 * @param read looks up the record, so that a change applies to its current tags
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

/** Records with tags by key, as in a `Collection`. */
export interface TaggedRecords<Kept> {
  get(key: string): { readonly tags?: unknown } | undefined;
  update(key: string, change: (draft: { tags?: Kept }) => void): unknown;
}

/** Returns the resource of a collection's record; undefined for an unknown key. */
export const taggedRecord = <Kept>(records: TaggedRecords<Kept>, key: string): TaggedResource<Kept> | undefined =>
  taggedResource(
    () => records.get(key),
    (change) => records.update(key, change),
  );
