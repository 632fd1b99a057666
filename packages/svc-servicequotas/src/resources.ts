import { defineResource, type Place, type StateFinder } from '@emu/core/service';
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
export const quotaId = ({ service, code }: QuotaKey): string => `${service}/${code}`;

type Tagged = Pick<QuotasRegistry, 'tags'>;

const keys = ({ tags }: Tagged, ofGlobal: boolean): QuotaKey[] =>
  [...tags.values()].filter(({ global }) => global === ofGlobal).map(({ service, code }) => ({ service, code }));

const common = {
  name: 'quota',
  service: 'servicequotas',
  format: '{service}/{code}',
  tags: (state: Tagged, key: QuotaKey) => tagging.record(state.tags.get(quotaId(key))?.tags),
} as const;

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
});

export const resources = [quotaType, globalQuotaType] as const;
