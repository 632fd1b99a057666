import { CustomerKey } from '@emu/core';
import { invalid } from './errors.ts';

/**
 * The customers' keys that schedules are encrypted with, by their ARNs.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/encryption-rest.html
 */
export const scheduleKey = new CustomerKey({
  service: 'scheduler',
  context: (scheduleArn: string) => ({ 'aws:scheduler:schedule:arn': scheduleArn }),
  refuse: ({ message }, { purpose }) => (purpose === 'encrypt' ? invalid(message) : undefined),
});
