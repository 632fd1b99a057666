import { definePlugin, type ServiceManifest } from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';
import restModel from '../../../../packages/svc-apigateway/model/apigateway.json' with { type: 'json' };
import bucketModel from '../../../../packages/svc-s3/model/s3.json' with { type: 'json' };

/** A trust store of one authority for domain names with mutual TLS. Its private key does not exist. */
const TRUSTSTORE = `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUZpBo7mHjk2QlaRZRXC7n/2jIKqMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJYXV0aG9yaXR5MCAXDTI2MTEyMzE4MTI1N1oYDzIxMjYxMDMw
MTgxMjU3WjAUMRIwEAYDVQQDDAlhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATmKfZ9jY49SN6xUzEuSX85Hd2gRYHIT904nh5L//+osbVXK9M16CMs
MlG1yCN8xRxOm+L62a9YicGlDryZalSfo1MwUTAdBgNVHQ4EFgQUGNi+42PR9Lca
oa0hSl32vQguXTswHwYDVR0jBBgwFoAUGNi+42PR9Lcaoa0hSl32vQguXTswDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAjdnO6yxLl6hOHleeqE4W
fjspV/OOx2MC3HYLtQdiycYCIQCffj/saXoSE79QuZDozIo4j8zLdCwfsGtxEEq9
mRbo5Q==
-----END CERTIFICATE-----
`;

/** A fake service for domain names, portals and their pages. */
const fake = (
  name: string,
  of: unknown,
  operations: Record<string, (input: Record<string, unknown>) => object>,
): ServiceManifest => ({
  name,
  signingNames: [name],
  hostNames: [name],
  load: async () =>
    definePlugin<Record<string, { input: Record<string, unknown>; output: object }>, undefined>({
      name,
      model: of as ServiceModel,
      stateScope: 'region',
      collections: [],
      operations: [operations],
    }),
});

/** REST APIs with the methods for pages. */
export const restApis = fake('apigateway', restModel, {
  GetStage: ({ stageName }) => ({ stageName }),
  GetResources: () => ({
    items: ['/known', '/new', '/other'].map((path) => ({ path, resourceMethods: { GET: { operationName: 'get' } } })),
  }),
});

/** Logos and trust stores. */
export const buckets = fake('s3', bucketModel, {
  HeadObject: () => ({}),
  GetObject: () => ({ Body: Buffer.from(TRUSTSTORE) }),
});
