import type { ListenAddress } from '@emu/core';

const ANY = new Set(['0.0.0.0', '::']);

/** Base URL for clients on this machine of an emulator that listens on an address. */
export function urlOf({ host, port }: ListenAddress, secure = false): string {
  const name = ANY.has(host) ? 'localhost' : host;
  return `${secure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Whether an address to listen on is one that only this machine can connect to. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');
