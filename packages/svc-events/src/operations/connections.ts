import { notEmulated } from '@emu/core/service';
import type { Connection as ConnectionDescription, InputOf, OutputOf } from '@emu/service-types/events';
import { authForResponse, authOf, invocationParameters } from '../connections/connection-auth.ts';
import { authorize, type Connection, deleteSecret, storeSecret } from '../connections/connections.ts';
import type { EventsContext } from '../context.ts';
import { alreadyExists, notFound } from '../errors.ts';
import { paging, withPrefix } from '../paging.ts';
import type { ConnectionAuth, ConnectionRecord, InvocationParameters } from '../records.ts';
import { connectionType } from '../resources.ts';
import type { EventsState } from '../state.ts';

/** @throws AwsError `ResourceNotFoundException` */
function connectionAt(name: string, state: EventsState, verb: string): Connection {
  const connection = state.connections.get(name);
  if (!connection) throw notFound(`Failed to ${verb} the connection(s). Connection '${name}' does not exist.`);
  return connection;
}

const acknowledge = (state: EventsState, connection: Connection) => ({
  ConnectionArn: connectionType.arn(connection, state),
  ConnectionState: connection.state,
  CreationTime: new Date(connection.createdAt),
  LastModifiedTime: new Date(connection.modifiedAt),
});

const lastAuthorized = ({ authorizedAt }: Connection) =>
  authorizedAt === undefined ? {} : { LastAuthorizedTime: new Date(authorizedAt) };

const describe = (state: EventsState, connection: Connection): ConnectionDescription => ({
  ...acknowledge(state, connection),
  ...lastAuthorized(connection),
  Name: connection.name,
  StateReason: connection.stateReason,
  AuthorizationType: connection.type,
});

/** @throws AwsError `NotImplemented`, because emu has no private networks */
function checkConnectivity(input: { InvocationConnectivityParameters?: unknown }, operation: string): void {
  if (input.InvocationConnectivityParameters !== undefined)
    throw notEmulated(`InvocationConnectivityParameters of events.${operation}`);
}

/** Returns the initial state. OAuth connections need a token before they are authorized. */
const firstState = (auth: ConnectionAuth) =>
  auth.type === 'OAUTH_CLIENT_CREDENTIALS' ? ('AUTHORIZING' as const) : ('AUTHORIZED' as const);

/**
 * Creates a connection and stores its secrets in Secrets Manager. An OAuth connection then fetches its first token.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CreateConnection.html
 */
export async function CreateConnection(
  input: InputOf<'CreateConnection'>,
  ctx: EventsContext,
): Promise<OutputOf<'CreateConnection'>> {
  const { state } = ctx;
  checkConnectivity(input, 'CreateConnection');
  const auth = authOf(input.AuthorizationType, input.AuthParameters);
  const http = invocationParameters(input.AuthParameters.InvocationHttpParameters);
  const refuseTaken = (): void => {
    if (state.connections.has(input.Name)) throw alreadyExists(`Connection ${input.Name}`);
  };
  refuseTaken();
  const now = ctx.clock.now();
  const record: ConnectionRecord = {
    name: input.Name,
    id: ctx.ids.uuid(),
    secretId: ctx.ids.uuid(),
    ...(input.Description !== undefined && { description: input.Description }),
    ...(input.KmsKeyIdentifier && { kmsKeyIdentifier: input.KmsKeyIdentifier }),
    type: input.AuthorizationType,
    state: firstState(auth),
    auth,
    ...(http && { http }),
    createdAt: now,
    modifiedAt: now,
    authorizedAt: now,
  };
  const secretArn = await storeSecret(state, record, auth, http, ctx.requestId);
  if (state.connections.has(input.Name)) {
    await deleteSecret(state, { ...record, ...(secretArn !== undefined && { secretArn }) }, ctx.requestId);
    refuseTaken();
  }
  const connection = state.connections.put(record.name, {
    ...record,
    ...(secretArn !== undefined && { secretArn }),
  });
  authorize(state, connection);
  return acknowledge(state, connection);
}

/**
 * Updates a connection. Missing members keep their values.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UpdateConnection.html
 */
export async function UpdateConnection(
  input: InputOf<'UpdateConnection'>,
  ctx: EventsContext,
): Promise<OutputOf<'UpdateConnection'>> {
  const { state } = ctx;
  checkConnectivity(input, 'UpdateConnection');
  const before = connectionAt(input.Name, state, 'update');
  const type = input.AuthorizationType ?? before.type;
  const auth = authOf(type, input.AuthParameters ?? {}, before.auth);
  const http =
    invocationParameters(input.AuthParameters?.InvocationHttpParameters) ??
    (before.http && (structuredClone(before.http) as InvocationParameters));
  const kmsKeyIdentifier = input.KmsKeyIdentifier ?? before.kmsKeyIdentifier;
  const secretArn = await storeSecret(
    state,
    { ...before, ...(kmsKeyIdentifier !== undefined && { kmsKeyIdentifier }) },
    auth,
    http,
    ctx.requestId,
  );
  connectionAt(input.Name, state, 'update');
  const connection = state.connections.update(input.Name, (draft) => {
    draft.type = type;
    draft.auth = auth;
    if (http) draft.http = http;
    if (input.Description !== undefined) draft.description = input.Description;
    if (kmsKeyIdentifier) draft.kmsKeyIdentifier = kmsKeyIdentifier;
    else delete draft.kmsKeyIdentifier;
    if (secretArn !== undefined) draft.secretArn = secretArn;
    draft.state = firstState(auth);
    delete draft.stateReason;
    draft.modifiedAt = ctx.clock.now();
    draft.authorizedAt = ctx.clock.now();
  });
  authorize(state, connection);
  return { ...acknowledge(state, connection), ...lastAuthorized(connection) };
}

/**
 * Returns a connection without its secrets.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeConnection.html
 */
export function DescribeConnection(
  input: InputOf<'DescribeConnection'>,
  ctx: EventsContext,
): OutputOf<'DescribeConnection'> {
  const { state } = ctx;
  const connection = connectionAt(input.Name, state, 'describe');
  return {
    ...describe(state, connection),
    Description: connection.description,
    SecretArn: connection.secretArn,
    KmsKeyIdentifier: connection.kmsKeyIdentifier,
    AuthParameters: authForResponse(connection),
  };
}

/**
 * Removes the credentials of a connection. API destinations that use it fail until it is updated.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeauthorizeConnection.html
 */
export async function DeauthorizeConnection(
  input: InputOf<'DeauthorizeConnection'>,
  { state, clock, requestId }: EventsContext,
): Promise<OutputOf<'DeauthorizeConnection'>> {
  const before = connectionAt(input.Name, state, 'deauthorize');
  await deleteSecret(state, before, requestId);
  connectionAt(input.Name, state, 'deauthorize');
  state.tokens.discard(before.id);
  const connection = state.connections.update(input.Name, (draft) => {
    draft.state = 'DEAUTHORIZED';
    delete draft.auth;
    delete draft.secretArn;
    draft.modifiedAt = clock.now();
  });
  return { ...acknowledge(state, connection), ...lastAuthorized(connection), ConnectionState: 'DEAUTHORIZING' };
}

/**
 * Deletes a connection and its secret. API destinations that use it become inactive.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeleteConnection.html
 */
export async function DeleteConnection(
  input: InputOf<'DeleteConnection'>,
  { state, requestId }: EventsContext,
): Promise<OutputOf<'DeleteConnection'>> {
  const connection = connectionAt(input.Name, state, 'delete');
  await deleteSecret(state, connection, requestId);
  state.connections.delete(connection.name);
  state.tokens.discard(connection.id);
  return { ...acknowledge(state, connection), ...lastAuthorized(connection), ConnectionState: 'DELETING' };
}

/**
 * Lists the connections of the account.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListConnections.html
 */
export function ListConnections(
  input: InputOf<'ListConnections'>,
  { state }: EventsContext,
): OutputOf<'ListConnections'> {
  const found = withPrefix(state.connections.values(), input.NamePrefix).filter(
    (connection) => input.ConnectionState === undefined || connection.state === input.ConnectionState,
  );
  return paging
    .page('ListConnections', input, found, ({ name }) => name)
    .list((connection) => describe(state, connection));
}
