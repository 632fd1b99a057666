import { copyOf } from '@emu/core/service';
import type { ClientSecretDescriptorType, InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import { riskKey } from '../auth/risks.ts';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, limitExceeded, notFound } from '../errors.ts';
import { clientIn, poolOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { clientSettings, describeClient } from '../pools/client-settings.ts';
import type { ClientRecord, ClientSecret } from '../records.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 26;
const SECRET_LENGTH = 51;
/** Maximum number of client secrets. */
const MAX_SECRETS = 2;

const newSecret = (value: string | undefined, { state }: CognitoIdpContext): ClientSecret => {
  const id = `${state.ids.chars(ID_LENGTH, LOWER)}--${state.clock.now()}`;
  return { id, value: value ?? state.ids.chars(SECRET_LENGTH, LOWER), createdAt: state.clock.now() };
};

/** Returns the error for client-supplied user context without a secret, with which anybody could claim any address. */
const withoutSecret = (): Error =>
  invalidParameter('EnablePropagateAdditionalUserContextData needs an app client that has a client secret.');

export function CreateUserPoolClient(
  input: InputOf<'CreateUserPoolClient'>,
  ctx: CognitoIdpContext,
): OutputOf<'CreateUserPoolClient'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  const settings = copyOf(clientSettings(input, pool, state));
  if (input.GenerateSecret && input.ClientSecret !== undefined)
    throw invalidParameter('GenerateSecret and ClientSecret cannot be used together.');
  const hasSecret = input.GenerateSecret || input.ClientSecret !== undefined;
  if (settings.propagateContext && !hasSecret) throw withoutSecret();
  if (settings.oauthFlows?.includes('client_credentials') && !hasSecret)
    throw invalidParameter('client_credentials flow can not be selected if client does not have a client secret.');
  const now = state.clock.now();
  const client: ClientRecord = {
    id: state.ids.chars(ID_LENGTH, LOWER),
    poolId: pool.id,
    name: input.ClientName,
    createdAt: now,
    updatedAt: now,
    secrets: hasSecret ? [newSecret(input.ClientSecret, ctx)] : [],
    ...settings,
  };
  state.directory.clients.set(client.id, state);
  return { UserPoolClient: describeClient(state.clients.put(client.id, client)) };
}

export function DescribeUserPoolClient(
  input: InputOf<'DescribeUserPoolClient'>,
  ctx: CognitoIdpContext,
): OutputOf<'DescribeUserPoolClient'> {
  return { UserPoolClient: describeClient(clientIn(poolOf(input, ctx), input.ClientId, ctx.state)) };
}

export function UpdateUserPoolClient(
  input: InputOf<'UpdateUserPoolClient'>,
  ctx: CognitoIdpContext,
): OutputOf<'UpdateUserPoolClient'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  const { id, poolId, name, createdAt, secrets } = clientIn(pool, input.ClientId, state);
  const settings = copyOf(clientSettings(input, pool, state));
  if (settings.oauthFlows?.includes('client_credentials') && secrets.length === 0)
    throw invalidParameter('client_credentials flow can not be selected if client does not have a client secret.');
  if (settings.propagateContext && secrets.length === 0) throw withoutSecret();
  const client: ClientRecord = {
    id,
    poolId,
    name: input.ClientName ?? name,
    createdAt,
    updatedAt: state.clock.now(),
    secrets: copyOf(secrets) as ClientSecret[],
    ...settings,
  };
  return { UserPoolClient: describeClient(state.clients.put(id, client)) };
}

export function DeleteUserPoolClient(
  input: InputOf<'DeleteUserPoolClient'>,
  ctx: CognitoIdpContext,
): OutputOf<'DeleteUserPoolClient'> {
  const { state } = ctx;
  const { id, poolId } = clientIn(poolOf(input, ctx), input.ClientId, state);
  state.clients.delete(id);
  state.risks.delete(riskKey(poolId, id));
  for (const terms of [...state.terms.values()]) if (terms.clientId === id) state.terms.delete(terms.id);
  state.directory.clients.delete(id);
  return {};
}

export function ListUserPoolClients(
  input: InputOf<'ListUserPoolClients'>,
  ctx: CognitoIdpContext,
): OutputOf<'ListUserPoolClients'> {
  const pool = poolOf(input, ctx);
  const clients = [...ctx.state.clients.values()].filter(({ poolId }) => poolId === pool.id);
  return paging
    .page('ListUserPoolClients', input, clients, ({ id }) => id)
    .list(({ id, name }) => ({ ClientId: id, UserPoolId: pool.id, ClientName: name }));
}

const describeSecret = ({ id, createdAt }: Readonly<ClientSecret>): ClientSecretDescriptorType => ({
  ClientSecretId: id,
  ClientSecretCreateDate: new Date(createdAt),
});

export function AddUserPoolClientSecret(
  input: InputOf<'AddUserPoolClientSecret'>,
  ctx: CognitoIdpContext,
): OutputOf<'AddUserPoolClientSecret'> {
  const client = clientIn(poolOf(input, ctx), input.ClientId, ctx.state);
  if (client.secrets.length >= MAX_SECRETS)
    throw limitExceeded('The maximum number of secrets of the client has been reached.');
  const secret = newSecret(input.ClientSecret, ctx);
  ctx.state.clients.update(client.id, (draft) => {
    draft.secrets.push(secret);
  });
  const made = input.ClientSecret === undefined ? { ClientSecretValue: secret.value } : {};
  return { ClientSecretDescriptor: { ...describeSecret(secret), ...made } };
}

export function ListUserPoolClientSecrets(
  input: InputOf<'ListUserPoolClientSecrets'>,
  ctx: CognitoIdpContext,
): OutputOf<'ListUserPoolClientSecrets'> {
  const { secrets } = clientIn(poolOf(input, ctx), input.ClientId, ctx.state);
  return paging.page('ListUserPoolClientSecrets', input, secrets, ({ id }) => id).list(describeSecret);
}

export function DeleteUserPoolClientSecret(
  input: InputOf<'DeleteUserPoolClientSecret'>,
  ctx: CognitoIdpContext,
): OutputOf<'DeleteUserPoolClientSecret'> {
  const client = clientIn(poolOf(input, ctx), input.ClientId, ctx.state);
  const { ClientSecretId } = input;
  if (!client.secrets.some(({ id }) => id === ClientSecretId))
    throw notFound(`Client secret ${ClientSecretId} does not exist.`);
  if (client.secrets.length === 1) throw invalidParameter('The only secret of a client cannot be deleted.');
  ctx.state.clients.update(client.id, (draft) => {
    draft.secrets = draft.secrets.filter(({ id }) => id !== ClientSecretId);
  });
  return {};
}
