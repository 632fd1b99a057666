import { definePlugin, type OperationContext, type ServiceManifest } from '@emu/core/service';

/**
 * Returns a service with handlers of the test, for other services to call. Inputs may be any JSON.
 * @param operations handlers by name, which may throw the errors of responses
 */
export function fakeService(
  name: string,
  operations: Record<string, (input: Record<string, unknown>, ctx: OperationContext) => unknown>,
): ServiceManifest {
  const http = { method: 'POST', uri: '/' };
  const model = {
    service: name,
    metadata: {
      apiVersion: '2020-01-01',
      endpointPrefix: name,
      signingName: name,
      serviceId: name,
      protocols: ['awsJson1_1'],
      targetPrefix: name,
    },
    operations: Object.fromEntries(
      Object.keys(operations).map((operation) => [operation, { http, errors: [], input: { shape: 'Anything' } }]),
    ),
    shapes: { Anything: { type: 'structure', document: true } },
  };
  return {
    name,
    signingNames: [name],
    hostNames: [name],
    load: async () =>
      definePlugin({
        name,
        model: model as never,
        stateScope: 'region',
        collections: [],
        operations: [operations as never],
      }),
  };
}
