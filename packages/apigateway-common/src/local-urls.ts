import { type EmulatorSettings, resourceEndpoint } from '@emu/core/service';

/** Local URLs of a stage. */
export interface LocalUrls {
  /** With the API's host name below emu's own. */
  readonly url: string;
  /** For clients that cannot set the host. */
  readonly pathUrl: string;
}

/**
 * Returns the local URLs of a stage.
 * @param endpoint base URL of emu, without trailing slash
 * @param stage undefined for the stage without path
 * @param sockets whether it is a WebSocket API
 */
export function localUrls(
  endpoint: string,
  { domain: own }: Pick<EmulatorSettings, 'domain'>,
  { apiId, region, stage }: { apiId: string; region: string; stage: string | undefined },
  sockets = false,
): LocalUrls {
  const { protocol, domain } = resourceEndpoint(endpoint, own);
  const path = stage === undefined ? '' : `/${stage}`;
  const asked = (url: string): string => (sockets ? url.replace(/^http/, 'ws') : url);
  return {
    url: asked(`${protocol}//${apiId}.execute-api.${region}.${domain}${path}`),
    pathUrl: asked(`${endpoint}/_aws/execute-api/${apiId}${path}`),
  };
}
