import { Paging } from '@emu/core';
import type { EventsOperations } from '@emu/service-types/events';
import { invalid, invalidParameter } from './errors.ts';
import { pagination } from './generated/events-pagination.ts';

/** Pages of EventBridge's lists. */
export const paging = new Paging<EventsOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalidParameter('NextToken'),
});

/** Items whose names begin with a prefix, in order of their names. */
export const withPrefix = <T extends { readonly name: string }>(items: Iterable<T>, prefix: string | undefined): T[] =>
  [...items]
    .filter(({ name }) => prefix === undefined || name.startsWith(prefix))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Lists that take one filter at a time.
 * @throws AwsError `ValidationException`
 */
export function atMostOne(filters: Readonly<Record<string, unknown>>): void {
  if (Object.values(filters).filter((given) => given !== undefined).length > 1)
    throw invalid(
      `At most one filter is allowed for this operation. Valid filters are: ${Object.keys(filters).join(', ')}.`,
    );
}
