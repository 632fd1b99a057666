import type { DeepReadonly } from '@emu/core';
import type { ConnectionAuth } from './records.ts';
import type { EventsState } from './state.ts';

/** What a connection proves who it is with. */
type Authorized = Readonly<{ id: string; auth: DeepReadonly<ConnectionAuth> }>;

/** The header that proves who a connection is. */
export interface AuthorizationHeader {
  readonly header: string;
  readonly value: string;
  /** The access token that it holds, of OAuth connections. */
  readonly token?: string;
}

/**
 * The header that proves who a connection is.
 * @throws AwsError where a token cannot be had
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
