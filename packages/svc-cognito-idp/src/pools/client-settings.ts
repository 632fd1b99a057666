import { copyOf } from '@emu/core/service';
import type {
  CreateUserPoolClientRequest,
  UpdateUserPoolClientRequest,
  UserPoolClientType,
} from '@emu/service-types/cognito-idp';
import {
  invalidOAuthFlow,
  invalidParameter,
  scopeDoesNotExist,
  settingNotImplemented,
  unavailableInTier,
} from '../errors.ts';
import type { Client, ClientRecord, Pool } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { attributeOf } from './schema.ts';
import { validityOf } from './token-validity.ts';

/** Scopes of every pool. */
const SCOPES: ReadonlySet<string> = new Set(['phone', 'email', 'openid', 'profile', 'aws.cognito.signin.user.admin']);
const DEFAULT_REFRESH_DAYS = 30;
const DEFAULT_SESSION_MINUTES = 3;

type Input = CreateUserPoolClientRequest | UpdateUserPoolClientRequest;
/** Settings of a client in a request. */
type ClientSettings = Omit<ClientRecord, 'id' | 'poolId' | 'name' | 'createdAt' | 'updatedAt' | 'secrets'>;

/**
 * Returns the settings of a client in a request, with AWS's defaults for missing ones.
 * @throws AwsError for invalid settings
 */
export function clientSettings(input: Input, pool: Pool, state: CognitoState): ClientSettings {
  checkFlows(input);
  if (input.ExplicitAuthFlows?.includes('ALLOW_USER_AUTH') && pool.settings.UserPoolTier === 'LITE')
    throw unavailableInTier('Choice-based sign-in is not available in the LITE feature plan.');
  checkOAuth(input, pool, state);
  checkAttributes(input, pool);
  if (input.AnalyticsConfiguration) throw settingNotImplemented('AnalyticsConfiguration');
  const settings: ClientSettings = {
    refreshTokenValidity: input.RefreshTokenValidity || DEFAULT_REFRESH_DAYS,
    oauth: input.AllowedOAuthFlowsUserPoolClient ?? false,
    tokenRevocation: input.EnableTokenRevocation ?? true,
    propagateContext: input.EnablePropagateAdditionalUserContextData ?? false,
    authSessionValidity: input.AuthSessionValidity ?? DEFAULT_SESSION_MINUTES,
    ...(input.AccessTokenValidity !== undefined && { accessTokenValidity: input.AccessTokenValidity }),
    ...(input.IdTokenValidity !== undefined && { idTokenValidity: input.IdTokenValidity }),
    ...(input.TokenValidityUnits && { units: input.TokenValidityUnits }),
    ...(input.ReadAttributes?.length && { readAttributes: input.ReadAttributes }),
    ...(input.WriteAttributes?.length && { writeAttributes: input.WriteAttributes }),
    ...(input.ExplicitAuthFlows && { flows: input.ExplicitAuthFlows }),
    ...(input.SupportedIdentityProviders && { providers: input.SupportedIdentityProviders }),
    ...(input.CallbackURLs && { callbackUrls: input.CallbackURLs }),
    ...(input.LogoutURLs && { logoutUrls: input.LogoutURLs }),
    ...(input.DefaultRedirectURI !== undefined && { defaultRedirectUri: input.DefaultRedirectURI }),
    ...(input.AllowedOAuthFlows && { oauthFlows: input.AllowedOAuthFlows }),
    ...(input.AllowedOAuthScopes && { oauthScopes: input.AllowedOAuthScopes }),
    ...(input.PreventUserExistenceErrors && { preventUserExistenceErrors: input.PreventUserExistenceErrors }),
    ...(input.RefreshTokenRotation && { rotation: input.RefreshTokenRotation }),
  };
  checkValidity(settings);
  return settings;
}

function checkValidity(settings: ClientSettings): void {
  const { access, id, refresh } = validityOf(settings);
  const within = (seconds: number, least: number, most: number): boolean => seconds >= least && seconds <= most;
  const DAY = 86_400;
  if (!within(access, 300, DAY)) throw invalidParameter('Invalid range for token validity.');
  if (!within(id, 300, DAY)) throw invalidParameter('Invalid range for token validity.');
  if (!within(refresh, 3600, 3650 * DAY)) throw invalidParameter('Invalid range for token validity.');
  if (access > refresh || id > refresh)
    throw invalidParameter('Access token and ID token validity must be less than refresh token validity.');
}

function checkFlows({ ExplicitAuthFlows: flows = [] }: Input): void {
  const isNew = flows.map((flow) => flow.startsWith('ALLOW_'));
  if (isNew.includes(true) && isNew.includes(false))
    throw invalidParameter('Cannot mix ExplicitAuthFlows with and without the prefix ALLOW_.');
}

function checkOAuth(input: Input, pool: Pool, state: CognitoState): void {
  const { AllowedOAuthFlows: flows = [], AllowedOAuthScopes: scopes = [], CallbackURLs: callbacks = [] } = input;
  if (flows.includes('client_credentials')) {
    if (flows.length > 1)
      throw invalidOAuthFlow('client_credentials flow can not be selected along with code flow or implicit flow.');
    if (scopes.some((scope) => SCOPES.has(scope)))
      throw invalidOAuthFlow('client_credentials flow supports scopes of resource servers only.');
  }
  if (input.AllowedOAuthFlowsUserPoolClient && flows.length === 0)
    throw invalidParameter(
      'AllowedOAuthFlows and AllowedOAuthScopes are required if user pool client is allowed to use OAuth flows.',
    );
  if (flows.some((flow) => flow !== 'client_credentials') && callbacks.length === 0)
    throw invalidParameter('Missing callback URLs for the OAuth flow.');
  for (const scope of scopes)
    if (!SCOPES.has(scope) && !isCustomScope(scope, pool, state))
      throw scopeDoesNotExist(`Invalid scope requested: ${scope}`);
  for (const url of [...callbacks, ...(input.LogoutURLs ?? [])]) checkUrl(url);
  const { DefaultRedirectURI: otherwise } = input;
  if (otherwise !== undefined && !callbacks.includes(otherwise))
    throw invalidParameter('The default redirect URI is not one of the callback URLs.');
  for (const name of input.SupportedIdentityProviders ?? [])
    if (name !== 'COGNITO' && !state.providers.has(`${pool.id}/${name}`))
      throw invalidParameter(`The provider ${name} does not exist for User Pool ${pool.id}.`);
}

/** Whether a resource server of the pool has a scope. */
function isCustomScope(scope: string, pool: Pool, state: CognitoState): boolean {
  const at = scope.lastIndexOf('/');
  const server = state.resourceServers.get(`${pool.id}/${scope.slice(0, at)}`);
  return at > 0 && server?.scopes?.some(({ ScopeName }) => ScopeName === scope.slice(at + 1)) === true;
}

function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.hash !== '') throw invalidParameter(`${url} is not a valid redirect URI.`);
  const isLocal = parsed.hostname === 'localhost' || parsed.hostname === '127.0.0.1' || parsed.hostname === '[::1]';
  if (parsed.protocol === 'http:' && !isLocal) throw invalidParameter(`${url} cannot use the HTTP protocol.`);
}

function checkAttributes({ ReadAttributes = [], WriteAttributes = [] }: Input, pool: Pool): void {
  for (const name of [...ReadAttributes, ...WriteAttributes])
    if (!attributeOf(pool, name))
      throw invalidParameter(`Invalid read attributes specified while creating a client: ${name}`);
  for (const name of WriteAttributes)
    if (name === 'sub' || name === 'identities' || name.endsWith('_verified'))
      throw invalidParameter(`Invalid write attributes specified while creating a client: ${name}`);
  const missing = pool.schema.filter(
    ({ name, required }) => required && name !== 'sub' && !WriteAttributes.includes(name),
  );
  if (WriteAttributes.length && missing.length)
    throw invalidParameter(
      `Invalid write attributes specified while creating a client: ${missing[0]!.name} is required`,
    );
}

/** Returns the description of a client in responses. */
export function describeClient(client: Client): UserPoolClientType {
  const all = copyOf(client) as ClientRecord;
  return {
    UserPoolId: all.poolId,
    ClientName: all.name,
    ClientId: all.id,
    ...(all.secrets[0] && { ClientSecret: all.secrets[0].value }),
    LastModifiedDate: new Date(all.updatedAt),
    CreationDate: new Date(all.createdAt),
    RefreshTokenValidity: all.refreshTokenValidity,
    ...(all.accessTokenValidity !== undefined && { AccessTokenValidity: all.accessTokenValidity }),
    ...(all.idTokenValidity !== undefined && { IdTokenValidity: all.idTokenValidity }),
    TokenValidityUnits: all.units ?? {},
    ReadAttributes: all.readAttributes,
    WriteAttributes: all.writeAttributes,
    ExplicitAuthFlows: all.flows,
    SupportedIdentityProviders: all.providers,
    CallbackURLs: all.callbackUrls,
    LogoutURLs: all.logoutUrls,
    DefaultRedirectURI: all.defaultRedirectUri,
    AllowedOAuthFlows: all.oauthFlows,
    AllowedOAuthScopes: all.oauthScopes,
    AllowedOAuthFlowsUserPoolClient: all.oauth,
    PreventUserExistenceErrors: all.preventUserExistenceErrors,
    EnableTokenRevocation: all.tokenRevocation,
    EnablePropagateAdditionalUserContextData: all.propagateContext,
    AuthSessionValidity: all.authSessionValidity,
    RefreshTokenRotation: all.rotation,
  };
}
