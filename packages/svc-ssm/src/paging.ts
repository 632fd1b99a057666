import { Paging } from '@emu/core/service';
import type { SsmOperations } from '@emu/service-types/ssm';
import { ssmError } from './errors.ts';
import { pagination } from './generated/ssm-pagination.ts';

/** Pages of Systems Manager's lists. */
export const paging = new Paging<SsmOperations, typeof pagination>(pagination, {
  defaultLimit: 50,
  invalidToken: (_token, operation) =>
    operation === 'GetResourcePolicies'
      ? ssmError('ResourcePolicyInvalidParameterException', 'The NextToken is not valid.')
      : ssmError('InvalidNextToken', 'The specified token is not valid.'),
});
