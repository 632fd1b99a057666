import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  percentDecoded,
  type ServiceHandle,
  type UpgradableConnection,
} from '@emu/core/service';
import { asString } from '@emu/wire';
import { type WebSocket, WebSocketServer } from 'ws';
import { DATA_CHANNEL } from '../paths.ts';
import type { SsmState } from '../state.ts';
import { isPast } from './sessions.ts';

/** Maximum bytes of a message. */
const MAX_MESSAGE = 128 * 1024;
const POLICY_VIOLATION = 1008;
/** Milliseconds within which a client must send its token. */
const TOKEN_LIMIT = 30_000;

/** Server for the data channels of all sessions, without a listening port. */
const server = new WebSocketServer({
  noServer: true,
  maxPayload: MAX_MESSAGE,
  clientTracking: false,
  perMessageDeflate: false,
});

/** Returns the state with an active session of an id; undefined if there is none. */
function stateOf(id: string, handle: ServiceHandle<SsmState>): SsmState | undefined {
  for (const { state } of handle.states()) {
    const session = state.sessions.get(id);
    if (session && !isPast(session)) return state;
  }
  return undefined;
}

/** Accepts a client's connection to the data channel of a session. */
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

/** Attaches a client after it has sent the session's token. */
function admit(socket: WebSocket, id: string, { sessions, clock, log }: SsmState): void {
  const timer = clock.after(TOKEN_LIMIT, () => socket.close(POLICY_VIOLATION, 'no token'));
  // The error closes the connection.
  socket.on('error', (error) => log.debug('the data channel of a session failed', { id, error }));
  socket.once('close', () => timer.cancel());
  socket.once('message', (data: Buffer, binary: boolean) => {
    timer.cancel();
    if (binary || !sessions.admits(id, tokenIn(String(data)))) socket.close(POLICY_VIOLATION, 'wrong token');
    else sessions.connect(id, socket);
  });
}

/** Returns the token in a client's opening message. */
function tokenIn(text: string): string | undefined {
  try {
    const { TokenValue } = JSON.parse(text) as { TokenValue?: unknown };
    return asString(TokenValue);
  } catch {
    return undefined;
  }
}
