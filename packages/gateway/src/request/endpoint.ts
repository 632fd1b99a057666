import type { EmulatorSettings } from '@emu/core/service';
import { headerOf } from '@emu/wire';
import type { GatewayRequest } from './gateway-request.ts';

/** Returns the base URL by which the caller reached emu, or `EMULATOR_EXTERNAL_URL`; no trailing slash. */
export function endpointOf(request: GatewayRequest, { externalUrl }: EmulatorSettings): string {
  if (externalUrl !== undefined) return externalUrl;
  const { secure, localPort, headers } = request;
  const host = headerOf(headers, 'host') || (localPort ? `localhost:${localPort}` : 'localhost');
  return `${secure ? 'https' : 'http'}://${host}`;
}
