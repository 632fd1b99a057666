import type { Kernel } from '@emu/core';
import type { Route } from './router.ts';

/** `GET /_emulator/health`: what runs here. */
export function healthRoutes(kernel: Kernel, version: string): Route[] {
  return [
    {
      method: 'GET',
      path: '/_emulator/health',
      handle: () => ({ json: { status: 'ok', version, services: kernel.services } }),
    },
  ];
}
