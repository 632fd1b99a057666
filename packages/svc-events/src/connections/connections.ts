import { type CallOptions, type DeepReadonly, servicePrincipal } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { ConnectionAuth, ConnectionRecord, InvocationParameters } from '../records.ts';
import type { EventsState } from '../state.ts';
import { secretText } from './connection-auth.ts';

/** A stored connection. */
export type Connection = DeepReadonly<ConnectionRecord>;

/** Service-linked role with which EventBridge stores the secrets of connections. */
const callOptions = ({ accountId, region }: EventsState, cause: string): CallOptions => ({
  accountId,
  region,
  cause,
  principal: servicePrincipal('apidestinations.events', accountId),
});

/**
 * Stores the credentials of a connection in a secret of the account.
 * @param cause id of the request
 * @returns the secret's ARN; undefined if Secrets Manager is not mounted
 * @throws AwsError from Secrets Manager
 */
export async function storeSecret(
  state: EventsState,
  {
    name,
    secretId,
    secretArn,
    kmsKeyIdentifier,
  }: Pick<ConnectionRecord, 'name' | 'secretId' | 'secretArn' | 'kmsKeyIdentifier'>,
  auth: ConnectionAuth,
  http: InvocationParameters | undefined,
  cause: string,
): Promise<string | undefined> {
  const SecretString = secretText(auth, http);
  const key = kmsKeyIdentifier === undefined ? {} : { KmsKeyId: kmsKeyIdentifier };
  // Idempotency token, which an SDK would generate.
  const ClientRequestToken = state.ids.uuid();
  const value = { SecretString, ClientRequestToken, ...key };
  const options = callOptions(state, cause);
  try {
    const { ARN } =
      secretArn === undefined
        ? await state.call(
            'secretsmanager',
            'CreateSecret',
            { Name: `events!connection/${name}/${secretId}`, ...value },
            options,
          )
        : await state.call('secretsmanager', 'UpdateSecret', { SecretId: secretArn, ...value }, options);
    return ARN;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NotImplemented') return undefined;
    throw error;
  }
}

/** Deletes the secret of a connection if it still exists. @param cause id of the request */
export async function deleteSecret(state: EventsState, { secretArn }: Connection, cause: string): Promise<void> {
  if (secretArn === undefined) return;
  const input = { SecretId: secretArn, ForceDeleteWithoutRecovery: true };
  try {
    await state.call('secretsmanager', 'DeleteSecret', input, callOptions(state, cause));
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== 'ResourceNotFoundException') throw error;
  }
}

/**
 * Fetches the first access token of an OAuth connection in the background. The connection becomes AUTHORIZED, or
 * DEAUTHORIZED with a reason.
 */
export function authorize(state: EventsState, connection: Connection): Promise<void> {
  const { id, auth } = connection;
  if (auth?.type !== 'OAUTH_CLIENT_CREDENTIALS') return Promise.resolve();
  return state.tokens.renew(id, auth).then(
    () =>
      settle(state, connection, (draft) => {
        draft.state = 'AUTHORIZED';
        draft.authorizedAt = state.clock.now();
      }),
    (error: Error) => deauthorize(state, connection, error.message),
  );
}

/** Ends the authorization of a connection as failed. */
export function deauthorize(state: EventsState, connection: Connection, reason: string): void {
  settle(state, connection, (draft) => {
    draft.state = 'DEAUTHORIZED';
    draft.stateReason = reason;
  });
}

function settle(
  state: EventsState,
  { name, id, modifiedAt }: Connection,
  change: (draft: ConnectionRecord) => void,
): void {
  const current = state.connections.get(name);
  // Meanwhile the connection may have been deleted, or updated, which starts another authorization.
  if (state.closed || current?.id !== id || current.modifiedAt !== modifiedAt) return;
  if (current.state === 'AUTHORIZING') state.connections.update(name, change);
}
