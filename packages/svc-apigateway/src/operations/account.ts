import { parseArn } from '@emu/core/service';
import type { Account, InputOf, OutputOf, SdkType } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { applyPatch, type PatchTable, refuseListing, wordOf } from '../patch/patch.ts';
import type { AccountRecord } from '../records.ts';

const KEY = 'account';

const describe = ({ cloudwatchRoleArn }: Readonly<AccountRecord>): Account => ({
  ...(cloudwatchRoleArn !== undefined && { cloudwatchRoleArn }),
  throttleSettings: { burstLimit: 5000, rateLimit: 10_000 },
  features: ['UsagePlans'],
  apiKeyVersion: '4',
});

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetAccount.html */
export function GetAccount(_input: InputOf<'GetAccount'>, { state }: ApigatewayContext): OutputOf<'GetAccount'> {
  return describe(state.account.get(KEY) ?? {});
}

const TABLE: PatchTable<AccountRecord> = {
  rules: [
    {
      path: '/cloudwatchRoleArn',
      ops: ['replace'],
      apply(draft, { value }) {
        if (!value) {
          delete draft.cloudwatchRoleArn;
          return;
        }
        if (parseArn(value)?.service !== 'iam')
          throw badRequest(
            'The role ARN does not have required permissions configured. Please grant trust permission for API Gateway and add the required role policy.',
          );
        draft.cloudwatchRoleArn = value;
      },
    },
    {
      // The only existing feature, which every account has.
      path: '/features',
      ops: ['add', 'remove'],
      apply(_draft, step) {
        wordOf(step, ['UsagePlans']);
        if (step.op === 'remove') throw badRequest('Usage Plans cannot be disabled once enabled');
      },
    },
  ],
  refuse: refuseListing,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateAccount.html */
export function UpdateAccount(
  { patchOperations }: InputOf<'UpdateAccount'>,
  { state }: ApigatewayContext,
): OutputOf<'UpdateAccount'> {
  const draft: AccountRecord = { ...state.account.get(KEY) };
  applyPatch(TABLE, draft, patchOperations);
  return describe(state.account.put(KEY, draft));
}

/** SDK types that API Gateway generates. @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetSdkTypes.html */
const SDKS: readonly SdkType[] = [
  {
    id: 'android',
    friendlyName: 'Android SDK',
    description: 'Android SDK',
    configurationProperties: [
      { name: 'groupId', friendlyName: 'Group ID', required: true },
      { name: 'artifactId', friendlyName: 'Artifact ID', required: true },
      { name: 'artifactVersion', friendlyName: 'Artifact version', required: true },
      { name: 'invokerPackage', friendlyName: 'Invoker package', required: true },
    ],
  },
  {
    id: 'java',
    friendlyName: 'Java SDK',
    description: 'Java SDK',
    configurationProperties: [
      { name: 'service.name', friendlyName: 'Service Name', required: true },
      { name: 'java.package-name', friendlyName: 'Java Package Name', required: true },
    ],
  },
  { id: 'javascript', friendlyName: 'JavaScript SDK', description: 'JavaScript SDK' },
  {
    id: 'objectivec',
    friendlyName: 'iOS (Objective-C) SDK',
    description: 'iOS (Objective-C) SDK',
    configurationProperties: [{ name: 'classPrefix', friendlyName: 'Prefix', required: true }],
  },
  {
    id: 'ruby',
    friendlyName: 'Ruby SDK',
    description: 'Ruby SDK',
    configurationProperties: [{ name: 'service.name', friendlyName: 'Service Name', required: true }],
  },
  {
    id: 'swift',
    friendlyName: 'iOS (Swift) SDK',
    description: 'iOS (Swift) SDK',
    configurationProperties: [{ name: 'classPrefix', friendlyName: 'Prefix', required: true }],
  },
];

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetSdkTypes.html */
export function GetSdkTypes(input: InputOf<'GetSdkTypes'>): OutputOf<'GetSdkTypes'> {
  return paging.page('GetSdkTypes', input, SDKS, ({ id }) => id!).list((sdk) => sdk);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetSdkType.html */
export function GetSdkType({ id }: InputOf<'GetSdkType'>): OutputOf<'GetSdkType'> {
  const sdk = SDKS.find((one) => one.id === id);
  if (!sdk) throw notFound('Invalid SDK type specified');
  return sdk;
}
