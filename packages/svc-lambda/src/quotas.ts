import { type AnyQuota, defineQuotas, listedQuotas, type OwnQuota } from '@emu/core/service';
import type { LambdaOperations } from '@emu/service-types/lambda';
import { LIMITS } from './limits.ts';

const PAGE = 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html';

/** Concurrent invocations of all functions. */
export const CONCURRENCY: OwnQuota<never> = {
  serviceCode: 'lambda',
  code: 'L-B99A9384',
  name: 'Concurrent executions',
  defaultValue: 1000,
  adjustable: true,
  page: PAGE,
  own: true,
};

/** Total size of packages of functions and layers, in gigabytes. */
export const STORAGE: OwnQuota<never> = {
  serviceCode: 'lambda',
  code: 'L-2ACBD22F',
  name: 'Function and layer storage',
  defaultValue: 75,
  unit: 'Gigabytes',
  adjustable: true,
  page: PAGE,
  own: true,
};

/** Layers per function. If quotas are not enforced, AWS's default applies. */
export const LAYERS: OwnQuota<never> = {
  serviceCode: 'lambda',
  code: 'L-01237738',
  name: 'Function layers',
  defaultValue: LIMITS.layers,
  adjustable: false,
  page: PAGE,
  own: true,
};

/** Quotas of Lambda. AWS does not limit the number of functions: their packages count towards the storage quota. */
export const quotas: readonly AnyQuota[] = defineQuotas<LambdaOperations, never>([
  CONCURRENCY,
  STORAGE,
  LAYERS,
  ...listedQuotas({ serviceCode: 'lambda', page: PAGE }, [
    ['L-75F48B05', 'Deployment package size (direct upload)', 50, { unit: 'Megabytes' }],
    ['L-E49FF7B8', 'Deployment package size (unzipped)', 250, { unit: 'Megabytes' }],
    ['L-6581F036', 'Environment variable size', 4, { unit: 'Kilobytes' }],
    ['L-07A00131', 'Function resource-based policy', 20, { unit: 'Kilobytes' }],
    ['L-5C4B2C97', 'Synchronous payload', 6, { unit: 'Megabytes' }],
  ]),
]);
