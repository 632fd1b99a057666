import { resourceHooks, type ServiceManifest } from '@emu/core';
import { CLOUDFORMATION_OPTIONS } from './options.ts';
import { RESPONSE_PATH } from './resource-types/response-path.ts';

const MAX_BODY = 2 * 1024 * 1024;

/** How requests for AWS CloudFormation are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'cloudformation',
  signingNames: ['cloudformation'],
  hostNames: ['cloudformation'],
  queryVersions: ['2010-05-15'],
  claims: (_method, path) => path.startsWith(RESPONSE_PATH),
  // The longest template in a request has 51,200 bytes, of which a form may need three for one; parameters come beside it.
  bodies: { bytes: MAX_BODY },
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::CloudFormation::ChangeSet',
      'AWS::CloudFormation::GeneratedTemplate',
      'AWS::CloudFormation::HookTypeConfig',
      'AWS::CloudFormation::ModuleDefaultVersion',
      'AWS::CloudFormation::ModuleVersion',
      'AWS::CloudFormation::PublicTypeVersion',
      'AWS::CloudFormation::Publisher',
      'AWS::CloudFormation::StackSet',
      'AWS::CloudFormation::TypeActivation',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  provides: [resourceHooks],
  options: { table: CLOUDFORMATION_OPTIONS },
  load: async () => (await import('./index.ts')).plugin,
};
