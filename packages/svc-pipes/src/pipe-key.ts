import { CustomerKey } from '@emu/core';
import { invalid } from './errors.ts';

/**
 * The customers' keys that pipes are encrypted with, by their ARNs.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-encryption-pipes-cmkey.html
 */
export const pipeKey = new CustomerKey({
  service: 'pipes',
  context: (pipeArn: string) => ({ 'aws:pipe:arn': pipeArn }),
  refuse: ({ message }, { purpose }) => (purpose === 'encrypt' ? invalid(message) : undefined),
});
