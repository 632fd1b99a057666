import { type AnyQuota, defineQuotas } from '@emu/core/service';
import type { EcrOperations } from '@emu/service-types/ecr';
import { repositoryLimit } from './errors.ts';
import type { EcrState } from './state.ts';

/** Quotas of ECR. */
export const quotas: readonly AnyQuota[] = defineQuotas<EcrOperations, EcrState>([
  {
    serviceCode: 'ecr',
    code: 'L-CFEB8E8D',
    name: 'Registered repositories',
    defaultValue: 100_000,
    adjustable: true,
    page: 'https://docs.aws.amazon.com/AmazonECR/latest/userguide/service-quotas.html',
    usage: ({ size }) => size,
    grows: {
      CreateRepository: ({ repositoryName }, state) => (state.repository(repositoryName) ? undefined : state.size + 1),
    },
    error: repositoryLimit,
  },
]);
