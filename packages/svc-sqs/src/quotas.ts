import { type AnyQuota, defineQuotas, listedQuotas, type OwnQuota } from '@emu/core/service';
import type { SqsOperations } from '@emu/service-types/sqs';

const QUEUES = 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html';
const MESSAGES = 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html';

/** In-flight messages of one standard queue. */
export const IN_FLIGHT: OwnQuota<never> = {
  serviceCode: 'sqs',
  code: 'L-C491D5A4',
  name: 'In-flight messages per standard queue',
  defaultValue: 120_000,
  adjustable: false,
  page: QUEUES,
  own: true,
};

/** Quotas of SQS; AWS does not limit the number of queues. */
export const quotas: readonly AnyQuota[] = defineQuotas<SqsOperations, never>([
  IN_FLIGHT,
  ...listedQuotas({ serviceCode: 'sqs', page: QUEUES }, [
    ['L-E8A9C91E', 'Queue name length', 80],
    ['L-A7816957', 'Queue delivery delay', 900, { unit: 'Seconds' }],
    ['L-BBEFA6CF', 'Queue policy size', 8192, { unit: 'Bytes' }],
    ['L-9F628B95', 'Statements per queue policy', 20],
    ['L-79B6240C', 'Actions per queue policy', 7],
  ]),
  ...listedQuotas({ serviceCode: 'sqs', page: MESSAGES }, [
    ['L-2DA3E3B2', 'Message retention time', 1_209_600, { unit: 'Seconds' }],
    ['L-B2A3B9D5', 'Message invisibility period', 43_200, { unit: 'Seconds' }],
    ['L-F115E65A', 'Messages per Batch', 10],
    ['L-98134C75', 'Attributes per Message', 10],
    ['L-4FF3DAAF', 'Batched Message ID Length', 80],
  ]),
]);
