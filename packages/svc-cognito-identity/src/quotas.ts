import { type AnyQuota, defineQuotas, PER_SECOND, type RateQuota } from '@emu/core/service';
import type { CognitoIdentityOperations } from '@emu/service-types/cognito-identity';
import { cognitoIdentityError } from './errors.ts';
import type { IdentityState } from './state.ts';

/** A rate of one operation. */
const rate = (
  code: string,
  operation: keyof CognitoIdentityOperations,
  perSecond: number,
): RateQuota<CognitoIdentityOperations, IdentityState> => ({
  serviceCode: 'cognito-identity',
  code,
  name: `Rate of ${operation} requests`,
  defaultValue: perSecond,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html',
  period: PER_SECOND,
  rate: { [operation]: true },
  error: () => cognitoIdentityError('TooManyRequestsException', 'Rate exceeded', { status: 400 }),
});

/** Quotas of identity pools that emu can enforce. */
export const quotas: readonly AnyQuota[] = defineQuotas<CognitoIdentityOperations, IdentityState>([
  {
    serviceCode: 'cognito-identity',
    code: 'L-8692CE1C',
    name: 'Identity pools per account',
    defaultValue: 1000,
    adjustable: true,
    page: 'https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html',
    usage: ({ pools }) => pools.size,
    grows: { CreateIdentityPool: (_input, { pools }) => pools.size + 1 },
    error: (limit) =>
      cognitoIdentityError('LimitExceededException', `The account has reached its limit of ${limit} identity pools.`, {
        status: 400,
      }),
  },
  rate('L-A38ADA84', 'GetId', 250),
  rate('L-E97D135E', 'GetOpenIdToken', 200),
  rate('L-5AE9F13D', 'GetCredentialsForIdentity', 2000),
  rate('L-0BF99E8D', 'GetOpenIdTokenForDeveloperIdentity', 50),
  rate('L-DBF99350', 'ListIdentities', 5),
  rate('L-50C9AAB8', 'ListTagsForResource', 10),
  rate('L-DAF3EAFF', 'TagResource', 1),
  rate('L-0D31D6D2', 'UntagResource', 1),
]);
