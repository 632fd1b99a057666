import { definePlugin, provide, providerTokens } from '@emu/core/service';
import type {
  AssumeRoleWithSAMLRequest,
  AssumeRoleWithWebIdentityRequest,
  StsOperations,
} from '@emu/service-types/sts';
import type { ServiceModel } from '@emu/wire';
import model from '../model/sts.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import type { StsContext } from './context.ts';
import { modelError } from './errors.ts';
import * as federation from './operations/federation.ts';
import * as identity from './operations/identity.ts';
import * as roles from './operations/roles.ts';
import * as sessions from './operations/sessions.ts';
import * as tokens from './operations/tokens.ts';
import { openProviderTokens } from './provider-tokens.ts';
import { verifySaml } from './saml/verify.ts';
import { createState, type StsState, signingKeys } from './state.ts';
import { serveDiscovery } from './tokens/discovery.ts';
import { verifyWebIdentity } from './web-identity/verify.ts';

/** Tokens of identity providers are verified before trust policies use their claims. */
function prepare(operation: string, input: unknown, ctx: StsContext): Promise<void> | undefined {
  if (operation === 'AssumeRoleWithWebIdentity')
    return verifyWebIdentity(input as AssumeRoleWithWebIdentityRequest, ctx);
  if (operation === 'AssumeRoleWithSAML') return verifySaml(input as AssumeRoleWithSAMLRequest, ctx);
  return undefined;
}

/** AWS Security Token Service. */
export const plugin = definePlugin<StsOperations, StsState>({
  name: 'sts',
  model: model as unknown as ServiceModel,
  stateScope: 'account',
  collections: [signingKeys],
  createState,
  authorization,
  prepare,
  serve: serveDiscovery,
  provides: [provide(providerTokens, openProviderTokens)],
  validationError: modelError,
  operations: [federation, identity, roles, sessions, tokens],
});
