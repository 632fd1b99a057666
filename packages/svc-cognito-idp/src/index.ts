import { definePlugin, provide, userPoolTokens } from '@emu/core/service';
import type { CognitoIdpOperations } from '@emu/service-types/cognito-idp';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cognito-idp.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { collections } from './collections.ts';
import { control } from './control.ts';
import { createState } from './create-state.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import { resetJournal } from './journal.ts';
import * as adminUsers from './operations/admin-users.ts';
import * as auth from './operations/auth.ts';
import * as authEvents from './operations/auth-events.ts';
import * as branding from './operations/branding.ts';
import * as clients from './operations/clients.ts';
import * as devices from './operations/devices.ts';
import * as domains from './operations/domains.ts';
import * as groups from './operations/groups.ts';
import * as importJobs from './operations/import-jobs.ts';
import * as linkedIdentities from './operations/linked-identities.ts';
import * as logDelivery from './operations/log-delivery.ts';
import * as mfa from './operations/mfa.ts';
import * as passkeys from './operations/passkeys.ts';
import * as pools from './operations/pools.ts';
import * as providers from './operations/providers.ts';
import * as resourceServers from './operations/resource-servers.ts';
import * as risks from './operations/risks.ts';
import * as self from './operations/self.ts';
import * as signUp from './operations/sign-up.ts';
import { tags } from './operations/tags.ts';
import * as terms from './operations/terms.ts';
import * as uiCustomization from './operations/ui-customization.ts';
import * as userLists from './operations/user-lists.ts';
import { paging } from './paging.ts';
import { resources } from './resources.ts';
import { admitsPage, ownsHost, pathOfHost, serve } from './site/serve.ts';
import type { CognitoState } from './state.ts';
import { openUserPoolTokens } from './tokens/offer.ts';
import { validationError } from './validation.ts';

/** Amazon Cognito user pools. */
export const plugin = definePlugin<CognitoIdpOperations, CognitoState>({
  name: 'cognito-idp',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  validationError,
  authorization,
  control,
  paging,
  resources,
  serve,
  ownsHost,
  pathOfHost,
  admitsPage,
  onReset: resetJournal,
  provides: [provide(userPoolTokens, openUserPoolTokens)],
  ignoredIfEmpty,
  operations: [
    adminUsers,
    auth,
    authEvents,
    branding,
    clients,
    devices,
    domains,
    groups,
    importJobs,
    linkedIdentities,
    logDelivery,
    mfa,
    passkeys,
    pools,
    providers,
    resourceServers,
    risks,
    self,
    signUp,
    tags,
    terms,
    uiCustomization,
    userLists,
  ],
});
