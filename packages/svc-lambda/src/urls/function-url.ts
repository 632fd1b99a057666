import { resourceEndpoint } from '@emu/core/service';

/**
 * Returns a function URL.
 * @param endpoint base URL of emu in the request
 * @param own `EMULATOR_DOMAIN`
 */
export function functionUrl(id: string, region: string, endpoint: string, own: string): string {
  const { protocol, domain } = resourceEndpoint(endpoint, own);
  return `${protocol}//${id}.lambda-url.${region}.${domain}/`;
}
