/** Where a stage answers on this machine. */
export interface LocalUrls {
  /** By a host name below `localhost`, which leads to this machine. */
  readonly url: string;
  /** For clients that cannot set host names. */
  readonly pathUrl: string;
}

/**
 * The local addresses of a stage of an API.
 * @param endpoint base URL by which emu is reached; no trailing slash
 * @param stage undefined for the one that has no part of the path
 * @param sockets whether it takes WebSockets instead of requests
 */
export function localUrls(
  endpoint: string,
  { apiId, region, stage }: { apiId: string; region: string; stage: string | undefined },
  sockets = false,
): LocalUrls {
  const { protocol, port } = new URL(endpoint);
  const path = stage === undefined ? '' : `/${stage}`;
  const asked = (url: string): string => (sockets ? url.replace(/^http/, 'ws') : url);
  return {
    url: asked(`${protocol}//${apiId}.execute-api.${region}.localhost${port && `:${port}`}${path}`),
    pathUrl: asked(`${endpoint}/_aws/execute-api/${apiId}${path}`),
  };
}
