import type { Kernel } from '@emu/core';
import { type Route, route } from './router.ts';

/** `GET /_emulator/health`: what runs here. */
export function healthRoutes(kernel: Kernel, version: string): Route[] {
  return [route('GET /_emulator/health', () => ({ json: { status: 'ok', version, services: kernel.services } }))];
}
