import { defineQuotas, type OwnQuota } from '@emu/core';
import type { SqsOperations } from '@emu/service-types/sqs';

/** Messages of one standard queue in flight at a time. */
export const IN_FLIGHT: OwnQuota<never> = {
  serviceCode: 'sqs',
  code: 'L-C491D5A4',
  name: 'In-flight messages per standard queue',
  defaultValue: 120_000,
  adjustable: false,
  page: 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html',
  own: true,
};

/** Quotas of SQS that can be enforced. */
export const quotas = defineQuotas<SqsOperations, never>([IN_FLIGHT]);
