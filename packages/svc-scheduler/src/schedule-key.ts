import { CustomerKey } from '@emu/core/service';
import { invalid } from './errors.ts';

/**
 * Customer keys that encrypt schedules, identified by ARN.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/encryption-rest.html
 */
export const scheduleKey = new CustomerKey({
  service: 'scheduler',
  context: (scheduleArn: string) => ({ 'aws:scheduler:schedule:arn': scheduleArn }),
  refuse: ({ message }, { purpose }) => (purpose === 'encrypt' ? invalid(message) : undefined),
});
