import type { AnyResourceProvider } from '@emu/core/service';
import { accessKey } from './access-key.ts';
import { group, userToGroupAddition } from './group.ts';
import { oidcProvider, samlProvider } from './identity-provider.ts';
import { inlinePolicies, policy } from './inline-policy.ts';
import { instanceProfile } from './instance-profile.ts';
import { managedPolicy } from './managed-policy.ts';
import { role } from './role.ts';
import { serverCertificate } from './server-certificate.ts';
import { serviceLinkedRole } from './service-linked-role.ts';
import { user } from './user.ts';
import { virtualMfaDevice } from './virtual-mfa-device.ts';

/** Providers of IAM's resource types. */
export const providers: readonly AnyResourceProvider[] = [
  accessKey,
  group,
  ...inlinePolicies,
  instanceProfile,
  managedPolicy,
  oidcProvider,
  policy,
  role,
  samlProvider,
  serverCertificate,
  serviceLinkedRole,
  user,
  userToGroupAddition,
  virtualMfaDevice,
];
