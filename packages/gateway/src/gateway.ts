import type { Kernel } from '@emu/core';
import type { WireRequest } from '@emu/wire';
import { Dispatcher } from './dispatch.ts';
import { Exchange } from './exchange.ts';
import type { ListenAddress, Listener } from './listener.ts';
import { type GatewayOptions, type ResolvedGatewayOptions, resolveOptions } from './options.ts';
import type { GatewayRequest, GatewayResponse } from './request.ts';

const EMPTY = new Uint8Array(0);

/** The front of an emulator: everything between a request and its response. */
export class Gateway {
  readonly options: ResolvedGatewayOptions;
  private readonly dispatcher: Dispatcher;

  constructor(
    readonly kernel: Kernel,
    options: GatewayOptions = {},
  ) {
    this.options = resolveOptions(options, kernel.settings);
    this.dispatcher = new Dispatcher(kernel, this.options);
  }

  /** Answers a request. Never rejects: whatever goes wrong becomes a response. */
  async handle(request: GatewayRequest): Promise<GatewayResponse> {
    const target = originForm(request.target);
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    const wire: WireRequest = { method: request.method, path, query, headers: request.headers, body: EMPTY };
    return this.dispatcher.dispatch(new Exchange(this.kernel, request, wire));
  }

  /**
   * Opens a port; may be called several times.
   * @throws Error of node's `listen`, e.g. with code `EADDRINUSE`
   */
  async listen(address: ListenAddress = {}): Promise<Listener> {
    const { PortServer } = await import('./listener.ts');
    return new PortServer(this).listen(address);
  }
}

/** Path and query of a request target; clients that take emu for a proxy send the whole URL. */
function originForm(target: string): string {
  if (target.charCodeAt(0) === 47) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined) return `/${target}`;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Makes the gateway of a kernel. @throws RangeError for an option that makes no sense */
export function createGateway(kernel: Kernel, options?: GatewayOptions): Gateway {
  return new Gateway(kernel, options);
}
