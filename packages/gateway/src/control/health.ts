import type { Kernel } from '@emu/core';
import type { GatewayResponse } from '../request/request.ts';
import { type Route, route } from './route.ts';

const healthOf = (kernel: Kernel, version: string) => ({ status: 'ok' as const, version, services: kernel.services });

/** `GET /_emulator/health`: what runs here. */
export function healthRoutes(kernel: Kernel, version: string): Route[] {
  return [{ ...route('GET /_emulator/health', () => ({ json: healthOf(kernel, version) })), changesNothing: true }];
}

/** The same without the application: loading it, and the classes of the fetch API, would delay every start. */
export function health(kernel: Kernel, version: string): GatewayResponse {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(healthOf(kernel, version)) };
}
