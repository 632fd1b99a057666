import type { DeepReadonly } from '@emu/core/service';
import type { ConnectionAuth } from '../records.ts';
import type { EventsState } from '../state.ts';

/** Authentication parameters of a connection. */
type Authorized = Readonly<{ id: string; auth: DeepReadonly<ConnectionAuth> }>;

/** Authentication header of a connection. */
export interface AuthorizationHeader {
  readonly header: string;
  readonly value: string;
  /** Access token in the header, for OAuth connections. */
  readonly token?: string;
}

/**
 * Returns the authentication header of a connection.
 * @throws AwsError if no access token can be obtained
 */
export async function authorizationOf(state: EventsState, { id, auth }: Authorized): Promise<AuthorizationHeader> {
  switch (auth.type) {
    case 'BASIC': {
      const credentials = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
      return { header: 'authorization', value: `Basic ${credentials}` };
    }
    case 'API_KEY':
      return { header: auth.name.toLowerCase(), value: auth.value };
    case 'OAUTH_CLIENT_CREDENTIALS': {
      const token = await state.tokens.get(id, auth);
      return { header: 'authorization', value: `Bearer ${token}`, token };
    }
  }
}
