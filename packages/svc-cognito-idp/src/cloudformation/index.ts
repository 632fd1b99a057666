import type { AnyResourceProvider } from '@emu/core/service';
import { logDelivery, managedLoginBranding, uiCustomization } from './appearance.ts';
import {
  terms,
  userPoolDomain,
  userPoolGroup,
  userPoolIdentityProvider,
  userPoolResourceServer,
} from './pool-parts.ts';
import { userPool } from './user-pool.ts';
import { userPoolClient } from './user-pool-client.ts';
import { userPoolRiskConfigurationAttachment, userPoolUser, userPoolUserToGroupAttachment } from './users.ts';

/** Providers of the resource types of Amazon Cognito's user pools. */
export const providers: readonly AnyResourceProvider[] = [
  logDelivery,
  managedLoginBranding,
  terms,
  uiCustomization,
  userPool,
  userPoolClient,
  userPoolDomain,
  userPoolGroup,
  userPoolIdentityProvider,
  userPoolResourceServer,
  userPoolRiskConfigurationAttachment,
  userPoolUser,
  userPoolUserToGroupAttachment,
];
