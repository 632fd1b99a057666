import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  percentDecoded,
  type ServiceHandle,
  type UpgradableConnection,
} from '@emu/core';
import { type WebSocket, WebSocketServer } from 'ws';
import { DATA_CHANNEL } from '../paths.ts';
import type { SsmState } from '../state.ts';
import { isPast } from './sessions.ts';

/** Bytes of a message at most. */
const MOST_MESSAGE = 128 * 1024;
const POLICY_VIOLATION = 1008;
/** Milliseconds within which a client has to show its token. */
const TOKEN_LIMIT = 30_000;

/** Opens the data channels of all sessions; it listens nowhere. */
const server = new WebSocketServer({
  noServer: true,
  maxPayload: MOST_MESSAGE,
  clientTracking: false,
  perMessageDeflate: false,
});

/** The state that has a session of an id that goes on; undefined where there is none. */
function stateOf(id: string, handle: ServiceHandle<SsmState>): SsmState | undefined {
  for (const { state } of handle.states()) {
    const session = state.sessions.get(id);
    if (session && !isPast(session)) return state;
  }
  return undefined;
}

/** Takes the connection of a client to the data channel of a session. */
export async function openDataChannel(
  { path }: DataPlaneRequest,
  { incoming, socket, head }: UpgradableConnection,
  handle: ServiceHandle<SsmState>,
): Promise<DataPlaneResponse | 'taken' | undefined> {
  if (!path.startsWith(DATA_CHANNEL)) return undefined;
  const id = percentDecoded(path.slice(DATA_CHANNEL.length));
  const state = stateOf(id, handle);
  if (!state) return { status: 404, headers: { 'content-type': 'text/plain' }, body: '' };
  server.handleUpgrade(incoming, socket, head, (opened) => admit(opened, id, state));
  return 'taken';
}

/** Lets a client in once it has shown the token of the session. */
function admit(socket: WebSocket, id: string, { sessions, clock, log }: SsmState): void {
  const timer = clock.after(TOKEN_LIMIT, () => socket.close(POLICY_VIOLATION, 'no token'));
  // What goes wrong closes the connection.
  socket.on('error', (error) => log.debug('the data channel of a session failed', { id, error }));
  socket.once('close', () => timer.cancel());
  socket.once('message', (data: Buffer, binary: boolean) => {
    timer.cancel();
    if (binary || !sessions.admits(id, tokenIn(String(data)))) socket.close(POLICY_VIOLATION, 'wrong token');
    else sessions.connect(id, socket);
  });
}

/** The token of the message by which a client opens a channel. */
function tokenIn(text: string): string | undefined {
  try {
    const { TokenValue } = JSON.parse(text) as { TokenValue?: unknown };
    return typeof TokenValue === 'string' ? TokenValue : undefined;
  } catch {
    return undefined;
  }
}
