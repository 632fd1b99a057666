import { type ClientOptions, WebSocket } from 'ws';
import type { Cluster } from './cluster.ts';
import { MAIN } from './manifest.ts';

/** Channels of Kubernetes' protocol, in the first byte of each message. */
export const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3 } as const;
const PROTOCOL = 'v4.channel.k8s.io';

/**
 * Opens a connection to a Pod's main container, to run a command in it or to attach to its input.
 * @param onMessage receives data by channel
 * @throws Error if the API rejects the request
 * @see https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.33/#-strong-misc-operations-pod-v1-core-strong-
 */
export async function openChannels(
  { config, namespace }: Cluster,
  pod: string,
  { action, query }: { action: 'exec' | 'attach'; query: readonly (readonly [string, string])[] },
  onMessage: (channel: number, payload: Buffer) => void,
): Promise<WebSocket> {
  const server = config.getCurrentCluster()!.server.replace(/^http/, 'ws');
  const url = new URL(`${server}/api/v1/namespaces/${namespace}/pods/${pod}/${action}`);
  url.searchParams.set('container', MAIN);
  for (const [name, value] of query) url.searchParams.append(name, value);
  const options: ClientOptions = {};
  await config.applyToHTTPSOptions(options);
  const socket = new WebSocket(url, PROTOCOL, options);
  socket.on('message', (data) => {
    const message = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    if (message.length > 0) onMessage(message[0]!, message.subarray(1));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    // The listener remains. Later errors are followed by the close of the connection, which its user handles.
    socket.on('error', reject);
  });
  return socket;
}

/** Sends input. */
export function sendInput(socket: WebSocket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) =>
    socket.send(Buffer.concat([Buffer.from([CHANNEL.stdin]), bytes]), (error) => (error ? reject(error) : resolve())),
  );
}
