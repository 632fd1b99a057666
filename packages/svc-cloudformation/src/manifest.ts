import { publicTypes, resourceHooks, type ServiceManifest } from '@emu/core/service';
import { CLOUDFORMATION_OPTIONS } from './options.ts';
import { RESPONSE_PATH } from './resource-types/response-path.ts';

const MAX_BODY = 2 * 1024 * 1024;

/** Recognises requests for AWS CloudFormation before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'cloudformation',
  signingNames: ['cloudformation'],
  hostNames: ['cloudformation'],
  queryVersions: ['2010-05-15'],
  claims: (_method, path) => path.startsWith(RESPONSE_PATH),
  // An inline template has up to 51,200 bytes, which form encoding can triple; parameters are added to that.
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
  provides: [publicTypes, resourceHooks],
  options: { table: CLOUDFORMATION_OPTIONS },
  load: async () => (await import('./index.ts')).plugin,
};
