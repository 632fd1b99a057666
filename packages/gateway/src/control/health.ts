import type { Kernel } from '@emu/core';
import type { GatewayResponse } from '../request/gateway-request.ts';
import { type Route, route } from './route.ts';

/** `forwarded` are the services whose requests leave this machine; absent without any. */
const healthOf = (kernel: Kernel, version: string, forwarded: readonly string[]) => ({
  status: 'ok' as const,
  version,
  services: kernel.services,
  ...(forwarded.length > 0 && { forwarded: [...forwarded] }),
});

/** `GET /_emulator/health`: status, version and services. */
export function healthRoutes(kernel: Kernel, version: string, forwarded: readonly string[]): Route[] {
  const handle = () => ({ json: healthOf(kernel, version, forwarded) });
  return [{ ...route('GET /_emulator/health', handle), changesNothing: true }];
}

/**
 * Returns the same response without the application, which would delay every start together with the classes of the
 * fetch API.
 */
export function health(kernel: Kernel, version: string, forwarded: readonly string[]): GatewayResponse {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(healthOf(kernel, version, forwarded)) };
}
