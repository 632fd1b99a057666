import { numericKey } from '@emu/core/service';
import type { InputOf, OutputOf, SortByType } from '@emu/service-types/secretsmanager';
import type { SecretsmanagerContext } from '../context.ts';
import { describeEntry } from '../describe.ts';
import { matcherOf } from '../filters.ts';
import { paging } from '../paging.ts';
import type { Secret } from '../state.ts';

/** Sort key of a list. */
const SORTED_BY: Record<SortByType, (secret: Secret) => string> = {
  'created-date': ({ createdAt }) => numericKey(createdAt),
  'last-accessed-date': ({ accessedAt }) => numericKey(accessedAt ?? 0),
  'last-changed-date': ({ changedAt }) => numericKey(changedAt),
  name: ({ name }) => name,
};

/**
 * Lists the secrets of the account and region.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecrets.html
 */
export function ListSecrets(input: InputOf<'ListSecrets'>, ctx: SecretsmanagerContext): OutputOf<'ListSecrets'> {
  const { state } = ctx;
  const found = state
    .list()
    .filter((secret) => secret.deletedAt === undefined || input.IncludePlannedDeletion)
    .filter(matcherOf(input.Filters, state.region));
  const sortKey = SORTED_BY[input.SortBy ?? 'created-date'];
  const keyOf = (secret: Secret) => `${sortKey(secret)} ${secret.arn}`;
  return paging
    .page('ListSecrets', input, found, keyOf, { descending: input.SortOrder === 'desc' })
    .list((secret) => describeEntry(secret, state.region));
}
