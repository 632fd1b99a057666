import { isIP } from 'node:net';

/** Address of emu below which its resources have host names. */
export interface ResourceEndpoint {
  /** `http:` or `https:`. */
  readonly protocol: string;
  /** Domain behind the labels of a resource, with the port if any. */
  readonly domain: string;
}

/**
 * Returns the address for host names of resources, such as function URLs: below the host by which the caller reached
 * emu, or below emu's own domain if that is an IP address.
 * @param endpoint base URL of emu in the request
 * @param own `EMULATOR_DOMAIN`
 */
export function resourceEndpoint(endpoint: string, own: string): ResourceEndpoint {
  const { protocol, hostname, port } = new URL(endpoint);
  const domain = hostname.startsWith('[') || isIP(hostname) ? own : hostname;
  return { protocol, domain: port ? `${domain}:${port}` : domain };
}
