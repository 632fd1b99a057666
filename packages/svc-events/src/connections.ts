import { type CallOptions, type DeepReadonly, servicePrincipal } from '@emu/core';
import { AwsError } from '@emu/wire';
import { secretText } from './connection-auth.ts';
import type { ConnectionAuth, ConnectionRecord, InvocationParameters } from './records.ts';
import type { EventsState } from './state.ts';

/** A connection as it is kept. */
export type Connection = DeepReadonly<ConnectionRecord>;

/** EventBridge keeps the secrets of connections by its service-linked role. */
const callOptions = ({ accountId, region }: EventsState, cause: string): CallOptions => ({
  accountId,
  region,
  cause,
  principal: servicePrincipal('apidestinations.events', accountId),
});

/**
 * Keeps what a connection needs to prove who it is in a secret of the account.
 * @param cause id of the request that asks for it
 * @returns the secret's ARN; undefined where the emulator runs without Secrets Manager
 * @throws AwsError what Secrets Manager answers
 */
export async function keepSecret(
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
  // What SDKs make up.
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

/** Deletes the secret of a connection, if it is still there. @param cause id of the request that asks for it */
export async function dropSecret(state: EventsState, { secretArn }: Connection, cause: string): Promise<void> {
  if (secretArn === undefined) return;
  const input = { SecretId: secretArn, ForceDeleteWithoutRecovery: true };
  try {
    await state.call('secretsmanager', 'DeleteSecret', input, callOptions(state, cause));
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== 'ResourceNotFoundException') throw error;
  }
}

/**
 * Fetches the first token of an OAuth connection, in the background: it is AUTHORIZED when there is one, else
 * DEAUTHORIZED with the reason.
 */
export function authorize(state: EventsState, connection: Connection): void {
  const { name, id, auth } = connection;
  if (auth?.type !== 'OAUTH_CLIENT_CREDENTIALS') return;
  const settle = (change: (draft: ConnectionRecord) => void): void => {
    const current = state.connections.get(name);
    // Meanwhile it may have been deleted, or changed, which began another authorization.
    if (state.closed || current?.id !== id || current.modifiedAt !== connection.modifiedAt) return;
    if (current.state === 'AUTHORIZING') state.connections.update(name, change);
  };
  state.tokens.renew(id, auth).then(
    () =>
      settle((draft) => {
        draft.state = 'AUTHORIZED';
        draft.authorizedAt = state.clock.now();
      }),
    (error: Error) =>
      settle((draft) => {
        draft.state = 'DEAUTHORIZED';
        draft.stateReason = error.message;
      }),
  );
}
