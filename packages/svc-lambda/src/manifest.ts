import { serviceContainerOptions } from '@emu/containers/options';
import { type BodyLimits, functionHosts, type ServiceManifest } from '@emu/core/service';
import { LIMITS } from './limits.ts';
import { LAMBDA_OPTIONS } from './options.ts';
import { URL_PATH } from './urls/url-path.ts';

/** Maximum bytes of an Invoke request; slightly larger ones are rejected by the operation with their size. */
const PAYLOAD_LIMIT = 6_291_456;

/**
 * A package of 50 MB in Base64, and payloads of 6 MB.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const LAMBDA_BODIES: BodyLimits = {
  bytes: 2 * PAYLOAD_LIMIT,
  operations: {
    CreateFunction: LIMITS.requestSize,
    UpdateFunctionCode: LIMITS.requestSize,
    PublishLayerVersion: LIMITS.requestSize,
  },
  refusal: (limit, operation) => {
    const said = limit === LIMITS.requestSize ? limit : PAYLOAD_LIMIT;
    const name = operation === 'Invoke' ? 'InvokeFunction' : operation;
    const message = `Request must be smaller than ${said} bytes for the ${name} operation`;
    return { code: 'RequestEntityTooLargeException', message, status: 413 };
  },
};

const containerOptions = serviceContainerOptions('lambda');

/** Recognises requests for AWS Lambda before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'lambda',
  signingNames: ['lambda'],
  hostNames: ['lambda'],
  pathPrefixes: [
    '/2014-11-13/functions',
    '/2015-03-31/event-source-mappings',
    '/2015-03-31/functions',
    '/2016-08-19/account-settings',
    '/2017-03-31/tags',
    '/2017-10-31/functions',
    '/2018-10-31/layers',
    '/2019-09-25/functions',
    '/2019-09-30/functions',
    '/2020-04-22/code-signing-configs',
    '/2020-06-30/functions',
    '/2021-07-20/functions',
    '/2021-10-31/functions',
    '/2021-11-15/functions',
    '/2024-08-31/functions',
    '/2025-11-30/capacity-providers',
    '/2025-11-30/functions',
    '/2025-12-01/durable-execution-callbacks',
    '/2025-12-01/durable-executions',
    '/2025-12-01/functions',
  ],
  // Function URLs: https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
  claims: (_method, path, host) => host.includes('.lambda-url.') || path.startsWith(URL_PATH),
  provides: [functionHosts],
  bodies: LAMBDA_BODIES,
  options: { ...containerOptions, table: { ...containerOptions.table, ...LAMBDA_OPTIONS } },
  containers: async (options) => (await import('@emu/containers')).openContainers(options),
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::Lambda::Alias',
      'AWS::Lambda::CapacityProvider',
      'AWS::Lambda::CodeSigningConfig',
      'AWS::Lambda::EventInvokeConfig',
      'AWS::Lambda::EventSourceMapping',
      'AWS::Lambda::Function',
      'AWS::Lambda::LayerVersion',
      'AWS::Lambda::LayerVersionPermission',
      'AWS::Lambda::Permission',
      'AWS::Lambda::Url',
      'AWS::Lambda::Version',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};
