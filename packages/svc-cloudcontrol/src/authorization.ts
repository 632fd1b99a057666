import type { ServiceAuthorization } from '@emu/core/service';
import type { CloudcontrolOperations } from '@emu/service-types/cloudcontrol';
import type { CloudControlState } from './state.ts';

/**
 * Permissions of the operations: their action on all resources, and passing the named role. The resource's own service
 * is authorized as well.
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
