import { defineQuotas, type OwnQuota } from '@emu/core';
import type { LambdaOperations } from '@emu/service-types/lambda';

/** Invocations of all functions that run at a time. */
export const CONCURRENCY: OwnQuota<never> = {
  serviceCode: 'lambda',
  code: 'L-B99A9384',
  name: 'Concurrent executions',
  defaultValue: 1000,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
  own: true,
};

/** Packages of all functions and layers, in gigabytes. */
export const STORAGE: OwnQuota<never> = {
  serviceCode: 'lambda',
  code: 'L-2ACBD22F',
  name: 'Function and layer storage',
  defaultValue: 75,
  unit: 'Gigabytes',
  adjustable: true,
  page: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
  own: true,
};

/** Quotas of Lambda that can be enforced. */
export const quotas = defineQuotas<LambdaOperations, never>([CONCURRENCY, STORAGE]);
