import { CustomerKey } from '@emu/core/service';
import { invalid } from './errors.ts';

/**
 * Customer keys that encrypt pipes, identified by ARN.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-encryption-pipes-cmkey.html
 */
export const pipeKey = new CustomerKey({
  service: 'pipes',
  context: (pipeArn: string) => ({ 'aws:pipe:arn': pipeArn }),
  refuse: ({ message }, { purpose }) => (purpose === 'encrypt' ? invalid(message) : undefined),
});
