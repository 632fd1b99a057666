import type { ListSecretsRequest, ListSecretsResponse, SortByType } from '@emu/service-types/secretsmanager';
import { describeEntry } from '../describe.ts';
import { matches } from '../filters.ts';
import type { SecretsContext } from '../lookup.ts';
import { pageOf } from '../paging.ts';
import type { Secret } from '../state.ts';

/** What a list is in the order of. */
const SORTED_BY: Record<SortByType, (secret: Secret) => number | string> = {
  'created-date': ({ createdAt }) => createdAt,
  'last-accessed-date': ({ accessedAt }) => accessedAt ?? 0,
  'last-changed-date': ({ changedAt }) => changedAt,
  name: ({ name }) => name,
};

/**
 * The secrets of the account and region.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecrets.html
 */
export function ListSecrets(input: ListSecretsRequest, ctx: SecretsContext): ListSecretsResponse {
  const { state } = ctx;
  const found = state
    .list()
    .filter((secret) => secret.deletedAt === undefined || input.IncludePlannedDeletion)
    .filter((secret) => matches(secret, input.Filters));
  const key = SORTED_BY[input.SortBy ?? 'created-date'];
  const sign = input.SortOrder === 'desc' ? -1 : 1;
  found.sort((a, b) => {
    const [first, second] = [key(a), key(b)];
    return first === second ? 0 : first < second ? -sign : sign;
  });
  const { items, NextToken } = pageOf('ListSecrets', found, ({ arn }) => arn, input);
  return { SecretList: items.map((secret) => describeEntry(secret, state.region)), NextToken };
}
