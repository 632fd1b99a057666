import { definePlugin, type ServiceManifest } from '@emu/core/service';
import { awsError, type ServiceModel } from '@emu/wire';

/** Issuer of every account that enabled outbound federation. */
export const ISSUER = 'https://0a1b2c3d.tokens.sts.global.api.aws';

const model: ServiceModel = {
  service: 'iam',
  source: { botocore: '', path: '' },
  metadata: {
    apiVersion: '2010-05-08',
    endpointPrefix: 'iam',
    signingName: 'iam',
    serviceId: 'IAM',
    protocols: ['awsQuery'],
  },
  operations: { GetOutboundWebIdentityFederationInfo: { http: { method: 'POST', uri: '/' } } },
  shapes: {},
};

/** Returns a fake IAM with the operation that STS calls. @param accounts that enabled the feature */
export function iamWithFederation(accounts: readonly string[]): ServiceManifest {
  const plugin = definePlugin<{ GetOutboundWebIdentityFederationInfo: { input: unknown; output: unknown } }, undefined>(
    {
      name: 'iam',
      model,
      stateScope: 'account',
      collections: [],
      createState: () => undefined,
      operations: [
        {
          GetOutboundWebIdentityFederationInfo(_input, ctx) {
            if (!accounts.includes(ctx.accountId))
              throw awsError('FeatureDisabledException', 'disabled', { status: 404 });
            return { IssuerIdentifier: ISSUER, JwtVendingEnabled: true };
          },
        },
      ],
    },
  );
  return { name: 'iam', signingNames: ['iam'], hostNames: ['iam'], load: async () => plugin };
}
