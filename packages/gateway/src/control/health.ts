import type { Kernel } from '@emu/core';
import type { GatewayResponse } from '../request/gateway-request.ts';
import { type Route, route } from './route.ts';

const healthOf = (kernel: Kernel, version: string) => ({ status: 'ok' as const, version, services: kernel.services });

/** `GET /_emulator/health`: status, version and services. */
export function healthRoutes(kernel: Kernel, version: string): Route[] {
  return [{ ...route('GET /_emulator/health', () => ({ json: healthOf(kernel, version) })), changesNothing: true }];
}

/**
 * Returns the same response without the application, which would delay every start together with the classes of the
 * fetch API.
 */
export function health(kernel: Kernel, version: string): GatewayResponse {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(healthOf(kernel, version)) };
}
