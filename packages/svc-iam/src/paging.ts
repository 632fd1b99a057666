import { invalid } from './errors.ts';

/** What a listing is asked for. */
export interface PageRequest {
  MaxItems?: number | undefined;
  Marker?: string | undefined;
}

/** A part of a list; `page` are the members of the answer that tell where the next part begins. */
export interface Page<T> {
  items: T[];
  page: { IsTruncated: boolean; Marker?: string };
}

const DEFAULT_ITEMS = 100;

/**
 * One page of a list, in the order of its keys.
 * @param keyOf what tells an item from all others; the marker holds the last one's, so deletions between pages do no harm
 * @throws AwsError `ValidationError` for a marker that no listing gave
 */
export function paginate<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
  { MaxItems, Marker }: PageRequest,
  defaultItems = DEFAULT_ITEMS,
): Page<T> {
  const after = Marker === undefined ? undefined : readMarker(Marker);
  const keyed: { key: string; item: T }[] = [];
  for (const item of items) {
    const key = keyOf(item);
    if (after === undefined || key > after) keyed.push({ key, item });
  }
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const limit = MaxItems ?? defaultItems;
  const part = keyed.slice(0, limit);
  const page =
    keyed.length > limit ? { IsTruncated: true, Marker: writeMarker(part.at(-1)!.key) } : { IsTruncated: false };
  return { items: part.map(({ item }) => item), page };
}

const writeMarker = (key: string): string => Buffer.from(`after:${key}`).toString('base64');

/** The key of the last item of the page before. @throws AwsError `ValidationError` for a marker that no listing gave */
export function readMarker(marker: string): string {
  const text = Buffer.from(marker, 'base64').toString();
  if (!text.startsWith('after:')) throw invalid('Invalid Marker.');
  return text.slice('after:'.length);
}
