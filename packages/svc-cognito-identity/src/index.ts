import { definePlugin, identityPoolKeys, provide } from '@emu/core/service';
import type { CognitoIdentityOperations } from '@emu/service-types/cognito-identity';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cognito-identity.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { serveDiscovery } from './discovery.ts';
import { validationError } from './errors.ts';
import * as developer from './operations/developer.ts';
import * as identities from './operations/identities.ts';
import * as pools from './operations/pools.ts';
import * as roles from './operations/roles.ts';
import { tags } from './operations/tags.ts';
import * as unsigned from './operations/unsigned.ts';
import { paging } from './paging.ts';
import { resources } from './resources.ts';
import { openKeys } from './signing/keys.ts';
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
  operations: [developer, identities, pools, roles, tags, unsigned],
});
