import type { ListenAddress } from '@emu/core';

const ANY = new Set(['0.0.0.0', '::']);

/**
 * Returns the base URL of an emulator on an address, for clients on this machine. It contains an IP address if
 * possible: S3 clients prefix the bucket to a host name, as in `photos.localhost`, which few machines resolve, and put
 * it into the path after an IP address.
 */
export function urlOf({ host, port }: ListenAddress, secure = false): string {
  const name = ANY.has(host) ? '127.0.0.1' : host;
  return `${secure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Whether only this machine can connect to an address. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');
