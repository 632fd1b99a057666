import { passRole, type ServiceAuthorization } from '@emu/core';
import type { CloudcontrolOperations } from '@emu/service-types/cloudcontrol';
import type { CloudControlState } from './state.ts';

/**
 * Each operation needs its own action on everything, and to give the role that it names; the resource's own service is asked
 * besides.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awscloudcontrolapi.html
 */
export const authorization: ServiceAuthorization<CloudcontrolOperations, CloudControlState> = {
  prefix: 'cloudformation',
  operations: {},
  otherwise(operation, input) {
    const own = { action: `cloudformation:${operation}`, resource: '*' };
    const { RoleArn } = input as { RoleArn?: string };
    return RoleArn === undefined ? own : [own, passRole(RoleArn, 'cloudformation.amazonaws.com')];
  },
};
