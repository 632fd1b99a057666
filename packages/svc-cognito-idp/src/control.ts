import type { CognitoConfirmationCode, DeclareRoute, ResourceUrl } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, resourceEndpoint } from '@emu/core/service';
import { fromBase32 } from './auth/totp.ts';
import { type Handle, optionalText, poolOf, text, userOf } from './control-requests.ts';
import { journalOf } from './journal.ts';
import { confirmationLink, type WaitingCode, waitingCodes } from './messages/codes.ts';
import { grantCode } from './oauth/codes.ts';
import { protectionControl } from './protection-control.ts';
import { type CognitoState, directoryOf } from './state.ts';

const route: DeclareRoute<Handle, ControlRoute<CognitoState>> = controlRoute;

const describe = (record: WaitingCode, endpoint: string, state: CognitoState): CognitoConfirmationCode => ({
  userPoolId: record.poolId,
  username: record.username,
  code: record.code,
  purpose: record.purpose,
  ...(record.attributeName !== undefined && { attributeName: record.attributeName }),
  deliveryMedium: record.medium,
  destination: record.destination,
  createdAt: new Date(record.createdAt).toISOString(),
  expiresAt: new Date(record.expiresAt).toISOString(),
  ...(confirmsByLink(record, state) && {
    link: confirmationLink(endpoint, record, record.clientId!, record.code),
  }),
});

/** Whether a code was sent as a link. */
const confirmsByLink = ({ poolId, purpose, medium, clientId }: WaitingCode, { pools }: CognitoState): boolean =>
  purpose === 'sign-up' &&
  medium === 'EMAIL' &&
  clientId !== undefined &&
  pools.get(poolId)?.settings.VerificationMessageTemplate?.DefaultEmailOption === 'CONFIRM_WITH_LINK';

const codes = route('GET /_emulator/cognito/confirmation-codes', ({ endpoint }, service) => ({
  json: {
    codes: [...service.states()].flatMap(({ state }) =>
      waitingCodes(state).map((code) => describe(code, endpoint, state)),
    ),
  },
}));

const userCodes = route(
  'GET /_emulator/cognito/confirmation-codes/{pool_id}/{username}',
  ({ params, endpoint }, service) => {
    const { state, user } = userOf(params.pool_id!, params.username!, service);
    return { json: { codes: waitingCodes(state, user).map((code) => describe(code, endpoint, state)) } };
  },
);

const confirmUser = route('POST /_emulator/cognito/confirm-user', (request, service) => {
  const { state, user } = userOf(text(request, 'userPoolId'), text(request, 'username'), service);
  if (user.status === 'UNCONFIRMED')
    state.updateUser(user, (draft) => {
      draft.status = 'CONFIRMED';
    });
  return { json: { confirmed: true } };
});

/** Lists the tokens that are neither expired nor revoked. */
const tokens = route('GET /_emulator/cognito/tokens', (_request, service) => {
  const now = service.clock.now();
  const { pools } = directoryOf(service);
  const active = journalOf(service)
    .tokens.list()
    .filter(
      ({ poolId, grantId, expiresAt }) =>
        expiresAt > now && (grantId === undefined || pools.get(poolId)?.grant(grantId) !== undefined),
    );
  return {
    json: {
      tokens: active.map(({ poolId, username, clientId, type, token, issuedAt, expiresAt }) => ({
        userPoolId: poolId,
        username,
        clientId,
        type,
        token,
        issuedAt: new Date(issuedAt).toISOString(),
        expiresAt: new Date(expiresAt).toISOString(),
      })),
    },
  };
});

const expireTokens = route('POST /_emulator/cognito/expire-tokens', (request, service) => {
  const poolId = optionalText(request, 'userPoolId');
  const username = optionalText(request, 'username');
  if (username !== undefined && poolId === undefined)
    throw new ControlError(400, 'InvalidRequest', 'username needs userPoolId.');
  const only = username === undefined ? undefined : userOf(poolId!, username, service).user;
  if (poolId !== undefined) poolOf(poolId, service);
  const now = service.clock.now();
  const { tokens } = journalOf(service);
  let expired = 0;
  for (const { state } of service.states()) {
    for (const grant of [...state.allGrants()]) {
      if (poolId !== undefined && grant.poolId !== poolId) continue;
      if (only && grant.username !== only.username) continue;
      if (grant.expiresAt > now)
        expired += tokens.list().filter(({ grantId, expiresAt }) => grantId === grant.id && expiresAt > now).length;
      state.revoke(grant.id);
    }
  }
  return { json: { expiredTokens: expired } };
});

const authorizationCodes = route('POST /_emulator/cognito/authorization-codes', (request, service) => {
  const { state, pool, user } = userOf(text(request, 'userPoolId'), text(request, 'username'), service);
  const clientId = text(request, 'clientId');
  const client = state.clients.get(clientId);
  if (client?.poolId !== pool.id)
    throw new ControlError(404, 'ClientNotFound', `There is no client ${clientId} in the user pool ${pool.id}.`);
  const redirectUri = optionalText(request, 'redirectUri') ?? client.callbackUrls?.[0];
  if (redirectUri === undefined || !client.callbackUrls?.includes(redirectUri))
    throw new ControlError(400, 'InvalidRequest', 'redirectUri must be one of the callback URLs of the client.');
  const { scopes } = request.body as { scopes?: unknown };
  const allowed = client.oauthScopes ?? [];
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every((scope) => allowed.includes(scope))))
    throw new ControlError(400, 'InvalidRequest', 'scopes must be scopes of the client.');
  const method = optionalText(request, 'codeChallengeMethod');
  if (method !== undefined && method !== 'S256' && method !== 'plain')
    throw new ControlError(400, 'InvalidRequest', 'codeChallengeMethod must be S256 or plain.');
  const record = grantCode({ state, pool, client }, user, {
    redirectUri,
    scopes: (scopes as string[] | undefined) ?? [...allowed],
    challenge: optionalText(request, 'codeChallenge'),
    challengeMethod: method,
    nonce: optionalText(request, 'nonce'),
    authTime: state.clock.now(),
  });
  return { json: { code: record.code, redirectUri, expiresAt: new Date(record.expiresAt).toISOString() } };
});

const softwareToken = route('POST /_emulator/cognito/software-token', (request, service) => {
  const secret = text(request, 'secretCode');
  if (!fromBase32(secret)) throw new ControlError(400, 'InvalidRequest', 'secretCode must be base32.');
  const { state, user } = userOf(text(request, 'userPoolId'), text(request, 'username'), service);
  state.updateUser(user, (draft) => {
    draft.totp = secret;
    delete draft.pendingTotp;
    delete draft.totpUsedAt;
    if (!draft.mfa.includes('SOFTWARE_TOKEN_MFA')) draft.mfa.push('SOFTWARE_TOKEN_MFA');
    draft.preferredMfa ??= 'SOFTWARE_TOKEN_MFA';
  });
  return { json: { enrolled: true } };
});

const invocations = route('GET /_emulator/cognito/pretokengen/invocations', (_request, service) => ({
  json: { invocations: journalOf(service).preTokenGenerations.list() },
}));

const webAuthnCredentials = route('GET /_emulator/cognito/webauthn-credentials', (_request, service) => ({
  json: {
    credentials: [...service.states()]
      .flatMap(({ state }) => [...state.passkeys.values()])
      .map((passkey) => ({
        userPoolId: passkey.poolId,
        username: passkey.username,
        credentialId: passkey.id,
        friendlyCredentialName: passkey.name,
        relyingPartyId: passkey.relyingPartyId,
        ...(passkey.attachment && { authenticatorAttachment: passkey.attachment }),
        authenticatorTransports: [...passkey.transports],
        attestationFormat: passkey.format,
        aaguid: passkey.aaguid,
        signCount: passkey.signCount,
        createdAt: new Date(passkey.createdAt).toISOString(),
      })),
  },
}));

/** Lists the local addresses of all domains of user pools. */
const urls = route('GET /_emulator/cognito/urls', ({ endpoint }, service) => {
  const below = resourceEndpoint(endpoint, service.settings.domain);
  const found: ResourceUrl[] = [];
  for (const { accountId, region, state } of service.states())
    for (const { domain, poolId, certificateArn } of state.domains.values()) {
      const host = certificateArn === undefined ? `${domain}.auth.${region}.${below.domain}` : domain;
      found.push({
        accountId,
        region,
        name: domain,
        url: `${below.protocol}//${host}`,
        pathUrl: `${endpoint}/${poolId}`,
      });
    }
  return { json: { urls: found } };
});

/** Control routes of user pools. */
export const control: readonly ControlRoute<CognitoState>[] = [
  codes,
  userCodes,
  confirmUser,
  tokens,
  expireTokens,
  authorizationCodes,
  softwareToken,
  webAuthnCredentials,
  invocations,
  urls,
  ...protectionControl,
];
