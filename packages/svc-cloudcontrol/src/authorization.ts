import type { ServiceAuthorization } from '@emu/core';
import type { CloudcontrolOperations } from '@emu/service-types/cloudcontrol';
import type { CloudControlState } from './state.ts';

/**
 * Each operation needs its own action on everything, and to give the role that it names; the resource's own service is asked
 * besides.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awscloudcontrolapi.html
 */
export const authorization: ServiceAuthorization<CloudcontrolOperations, CloudControlState> = {
  prefix: 'cloudformation',
  roles: {
    CreateResource: { RoleArn: 'cloudformation' },
    DeleteResource: { RoleArn: 'cloudformation' },
    GetResource: { RoleArn: 'cloudformation' },
    ListResources: { RoleArn: 'cloudformation' },
    UpdateResource: { RoleArn: 'cloudformation' },
  },
  otherwise: (operation) => ({ action: `cloudformation:${operation}`, resource: '*' }),
};
