/** A tag with the member names of most services. */
export interface KeyValueTag {
  Key: string;
  Value: string;
}

/** Returns a list of tags as a map of values by key; undefined for undefined. */
export function tagMap(
  tags: readonly { readonly Key: string; readonly Value?: string | undefined }[] | undefined,
): Record<string, string> | undefined {
  return tags?.length ? Object.fromEntries(tags.map(({ Key, Value = '' }) => [Key, Value])) : undefined;
}

/** Returns a map of tags as a list; undefined for undefined. */
export function tagList(tags: Readonly<Record<string, string | undefined>> | undefined): KeyValueTag[] | undefined {
  const list = Object.entries(tags ?? {}).map(([Key, Value = '']) => ({ Key, Value }));
  return list.length ? list : undefined;
}
