import type { ListenAddress } from '@emu/core';

const ANY = new Set(['0.0.0.0', '::']);

/**
 * Base URL for clients on this machine of an emulator that listens on an address. An address where it can be one: clients of
 * S3 put the bucket before a name, as in `photos.localhost`, which resolves on few machines, and into the path after an address.
 */
export function urlOf({ host, port }: ListenAddress, secure = false): string {
  const name = ANY.has(host) ? '127.0.0.1' : host;
  return `${secure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Whether an address to listen on is one that only this machine can connect to. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');
