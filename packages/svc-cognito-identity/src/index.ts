import { definePlugin, identityPoolKeys, provide } from '@emu/core';
import type { CognitoIdentityOperations } from '@emu/service-types/cognito-identity';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cognito-identity.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { openKeys } from './credentials/keys.ts';
import { serveDiscovery } from './discovery.ts';
import { validationError } from './errors.ts';
import {
  GetOpenIdTokenForDeveloperIdentity,
  LookupDeveloperIdentity,
  MergeDeveloperIdentities,
  UnlinkDeveloperIdentity,
} from './operations/developer.ts';
import { DeleteIdentities, DescribeIdentity, ListIdentities } from './operations/identities.ts';
import {
  CreateIdentityPool,
  DeleteIdentityPool,
  DescribeIdentityPool,
  ListIdentityPools,
  ListTagsForResource,
  TagResource,
  UntagResource,
  UpdateIdentityPool,
} from './operations/pools.ts';
import {
  GetIdentityPoolRoles,
  GetPrincipalTagAttributeMap,
  SetIdentityPoolRoles,
  SetPrincipalTagAttributeMap,
} from './operations/roles.ts';
import { GetCredentialsForIdentity, GetId, GetOpenIdToken, UnlinkIdentity } from './operations/unsigned.ts';
import { paging } from './paging.ts';
import { resources } from './resources.ts';
import { collections, createState, type IdentityState } from './state.ts';

/** Amazon Cognito identity pools. */
export const plugin = definePlugin<CognitoIdentityOperations, IdentityState>({
  name: 'cognito-identity',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  resources,
  paging,
  serve: serveDiscovery,
  validationError,
  provides: [provide(identityPoolKeys, openKeys)],
  operations: {
    CreateIdentityPool,
    DeleteIdentities,
    DeleteIdentityPool,
    DescribeIdentity,
    DescribeIdentityPool,
    GetCredentialsForIdentity,
    GetId,
    GetIdentityPoolRoles,
    GetOpenIdToken,
    GetOpenIdTokenForDeveloperIdentity,
    GetPrincipalTagAttributeMap,
    ListIdentities,
    ListIdentityPools,
    ListTagsForResource,
    LookupDeveloperIdentity,
    MergeDeveloperIdentities,
    SetIdentityPoolRoles,
    SetPrincipalTagAttributeMap,
    TagResource,
    UnlinkDeveloperIdentity,
    UnlinkIdentity,
    UntagResource,
    UpdateIdentityPool,
  },
});
