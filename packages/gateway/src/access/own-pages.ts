import { hostNameOf } from '../identify/hosts.ts';
import { isLoopback, partsOf } from './origin-rules.ts';

/** Ports that origins and `Host` headers omit. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** Returns the port of a `Host` header; undefined without one. */
const portOf = (host: string): string | undefined => /:(\d+)$/.exec(host)?.[1];

/**
 * Recognises the origins of pages that emu serves: objects, websites, function URLs and APIs, whose content comes from
 * users, and the console.
 */
export class OwnPages {
  private readonly ports = new Set<string>();
  private readonly external: string | undefined;

  /** @param isDataHost whether a host name belongs to the data plane of a service */
  constructor(
    externalUrl: string | undefined,
    private readonly isDataHost: (name: string) => boolean,
  ) {
    this.external = externalUrl === undefined ? undefined : new URL(externalUrl).origin;
  }

  /** Adds a port that emu listens on. */
  addPort(port: number): void {
    this.ports.add(String(port));
  }

  /**
   * Whether emu serves the pages of an origin.
   * @param host the `Host` header of the request with the origin
   */
  include(origin: string, host: string): boolean {
    const text = origin.toLowerCase();
    if (text === this.external) return true;
    const parts = partsOf(text);
    if (!parts) return false;
    const { scheme, host: name, port } = parts;
    const authority = host.toLowerCase();
    if ((port === undefined ? name : `${name}:${port}`) === authority) return true;
    const listens = this.ports.has(port ?? DEFAULT_PORTS[scheme] ?? '');
    // Behind a port mapping or a proxy, only the Host header has the port that pages see.
    if (!listens && port !== portOf(authority)) return false;
    // Two names with the default port may lead to two servers behind one proxy.
    const isSameServer = isLoopback(name) && (listens || port !== undefined);
    return isSameServer || name === hostNameOf(authority) || this.isDataHost(name);
  }
}
