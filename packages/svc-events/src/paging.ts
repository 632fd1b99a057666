import { Paging } from '@emu/core/service';
import type { EventsOperations } from '@emu/service-types/events';
import { invalid, invalidParameter } from './errors.ts';
import { pagination } from './generated/events-pagination.ts';

/** Paging of EventBridge's lists. */
export const paging = new Paging<EventsOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalidParameter('NextToken'),
});

/** Returns the items whose names begin with a prefix, ordered by name. */
export const withPrefix = <T extends { readonly name: string }>(items: Iterable<T>, prefix: string | undefined): T[] =>
  [...items]
    .filter(({ name }) => prefix === undefined || name.startsWith(prefix))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Filters of ListArchives and ListReplays. */
interface Filters {
  EventSourceArn?: string | undefined;
  NamePrefix?: string | undefined;
  State?: string | undefined;
}

/**
 * Rejects more than one filter for lists that allow only one.
 * @throws AwsError `ValidationException`
 */
export function atMostOne(operation: string, { EventSourceArn, NamePrefix, State }: Filters): void {
  if ([EventSourceArn, NamePrefix, State].filter((given) => given !== undefined).length > 1)
    throw invalid(`At most one filter is allowed for ${operation}. Use either : State, EventSourceArn, or NamePrefix.`);
}
