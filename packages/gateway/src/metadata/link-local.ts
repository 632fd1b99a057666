import { platform } from 'node:os';
import { TASK_CREDENTIALS } from '@emu/control-client/service-routes';
import type { Kernel } from '@emu/core';
import { LocalPeers, type Logger } from '@emu/core/service';
import type { Access } from '../access/access.ts';
import { refuse } from '../access/refusals.ts';
import type { Listener } from '../http/listener.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import type { GatewayRequest, GatewayResponse } from '../request/gateway-request.ts';
import type { Visit } from '../request/visit.ts';

/** Addresses of the link-local services. */
export interface LinkLocalAddresses {
  metadata: { host: string; port: number };
  credentials: { host: string; port: number };
}

const ADDRESSES: LinkLocalAddresses = {
  metadata: { host: '169.254.169.254', port: 80 },
  credentials: { host: '169.254.170.2', port: 80 },
};

/** Parts of the gateway that the addresses use; see `Gateway`. */
interface GatewayParts {
  readonly kernel: Kernel;
  readonly options: ResolvedGatewayOptions;
  readonly access: Access;
  visit(request: GatewayRequest): Visit;
  route(visit: Visit): Promise<GatewayResponse>;
}

/** Responds at one address; undefined for an unknown path. */
type Answer = (request: GatewayRequest, path: string) => Promise<GatewayResponse> | undefined;

/**
 * Serves the metadata service and container credentials at the addresses of a real instance. Logs a warning for an
 * address that cannot be bound, with a command that would help. Users create and remove the alias on the loopback
 * interface themselves.
 * @returns the open listeners
 */
export async function listenLinkLocal(gateway: GatewayParts, addresses = ADDRESSES): Promise<Listener[]> {
  const { PortServer } = await import('../http/listener.ts');
  const { log } = gateway.kernel;
  const open = async (what: string, { host, port }: LinkLocalAddresses['metadata'], answer: Answer) => {
    const handle = (request: GatewayRequest): Promise<GatewayResponse> => {
      const path = request.target.split('?', 1)[0]!;
      const refusal = gateway.access.refusalOf(request);
      if (refusal !== undefined) return refuse(request, path, '', refusal);
      return answer(request, path) ?? Promise.resolve(NOT_FOUND());
    };
    try {
      const { kernel, options } = gateway;
      const listener = await new PortServer({ kernel, options, handle }, new LocalPeers()).listen({ host, port });
      log.info(`${what} at http://${host}:${port}`);
      return [listener];
    } catch (error) {
      reportFailure(log, what, host, port, error as NodeJS.ErrnoException);
      return [];
    }
  };
  const listeners = await Promise.all([
    open('instance metadata', addresses.metadata, (request, path) => metadataAnswer(gateway, request, path)),
    open('container credentials', addresses.credentials, (request, path) => credentialsAnswer(gateway, request, path)),
  ]);
  return listeners.flat();
}

function metadataAnswer(
  gateway: GatewayParts,
  request: GatewayRequest,
  path: string,
): Promise<GatewayResponse> | undefined {
  if (path !== '/latest' && !path.startsWith('/latest/')) return undefined;
  return gateway.route(gateway.visit(request));
}

/**
 * Responds to `/creds` with the emulator's role, and to `/v2/credentials/<task id>` with the role of a container task.
 */
function credentialsAnswer(
  gateway: GatewayParts,
  request: GatewayRequest,
  path: string,
): Promise<GatewayResponse> | undefined {
  if (path === '/creds') return gateway.route({ ...gateway.visit(request), path: '/_emulator/credentials', query: '' });
  const task = /^\/v2\/credentials\/([^/]+)$/.exec(path)?.[1];
  return task === undefined
    ? undefined
    : gateway.route({ ...gateway.visit(request), path: `${TASK_CREDENTIALS}${task}`, query: '' });
}

const NOT_FOUND = (): GatewayResponse => ({
  status: 404,
  headers: { 'content-type': 'text/plain' },
  body: 'Not Found\n',
});

/** Logs why an address cannot be bound, and a command that would help. */
function reportFailure(log: Logger, what: string, host: string, port: number, error: NodeJS.ErrnoException): void {
  const reason =
    error.code === 'EACCES'
      ? 'ports below 1024 need root'
      : error.code === 'EADDRNOTAVAIL'
        ? 'the address is not assigned to the loopback interface'
        : error.message;
  log.warn(`${what} cannot be served at ${host}:${port}: ${reason}. Assign the address with: ${aliasCommand(host)}`);
}

/** Returns the command that assigns an address to the loopback interface of this machine. */
function aliasCommand(host: string): string {
  return platform() === 'darwin' ? `sudo ifconfig lo0 alias ${host}/32` : `sudo ip addr add ${host}/32 dev lo`;
}
