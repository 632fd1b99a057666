import { defineResource, type Place, type StateFinder, type TaggedResource } from '@emu/core/service';
import type { QuotasRegistry } from './registry.ts';
import { tagging } from './tags.ts';

/** Region that stores the tags of global quotas. */
export const HOME_REGION = 'us-east-1';

/** Parts of the ARN of a quota. */
export interface QuotaKey {
  readonly service: string;
  readonly code: string;
}

/** Returns the key of the record about a quota. */
const quotaId = ({ service, code }: QuotaKey): string => `${service}/${code}`;

type Tagged = Pick<QuotasRegistry, 'tags'>;

const keys = ({ tags }: Tagged, ofGlobal: boolean): QuotaKey[] =>
  [...tags.values()].filter(({ global }) => global === ofGlobal).map(({ service, code }) => ({ service, code }));

const common = {
  name: 'quota',
  service: 'servicequotas',
  format: '{service}/{code}',
} as const;

/** Returns the tags of a quota. Only quotas with tags have a record. */
export const taggedQuota = (
  { tags: records }: Tagged,
  key: QuotaKey,
  global: boolean,
): TaggedResource<Record<string, string>> => ({
  get tags() {
    return records.get(quotaId(key))?.tags;
  },
  replace(tags) {
    if (Object.keys(tags).length) records.put(quotaId(key), { ...key, global, tags });
    else records.delete(quotaId(key));
  },
});

/**
 * Quotas of an account in a region.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_servicequotas.html
 */
export const quotaType = defineResource({
  ...common,
  scope: 'region',
  arnMembers: ['ResourceARN'],
  identify: ({ ServiceCode: service, QuotaCode: code }, place, operation) =>
    operation === 'RequestServiceQuotaIncrease' && typeof service === 'string' && typeof code === 'string'
      ? { key: { service, code }, place }
      : undefined,
  find: (state: Tagged, key) => (state.tags.has(quotaId(key)) ? key : undefined),
  list: (state) => keys(state, false),
  tagged: { tagging, find: (state, key) => taggedQuota(state, key, false) },
});

/** Global quotas, whose ARNs have no region. */
export const globalQuotaType = defineResource({
  ...common,
  scope: 'account',
  arnMembers: ['ResourceARN'],
  locate(states: StateFinder<Tagged>, { place: { accountId } }) {
    const place: Place = { accountId, region: HOME_REGION };
    const state = states.existingState(accountId, HOME_REGION);
    return state && { place, state };
  },
  find: (state: Tagged, key) => (state.tags.has(quotaId(key)) ? key : undefined),
  list: (state) => keys(state, true),
  tagged: { tagging, find: (state, key) => taggedQuota(state, key, true) },
});

export const resources = [quotaType, globalQuotaType] as const;
