import type { ServiceManifest } from '@emu/core/service';

/** Matches the path of an operation below an API's stage. */
const CONNECTIONS = /\/(?:@|%40)connections\/[^/]+$/i;
/** Maximum body bytes: above the message limit of 128 KB, so that the size error can be reported. */
const MAX_BODY = 1024 * 1024;

/**
 * Facts by which the gateway recognises requests for the management API of WebSocket APIs before the service is loaded.
 */
export const manifest: ServiceManifest = {
  name: 'apigatewaymanagementapi',
  signingNames: ['execute-api'],
  hostNames: ['execute-api'],
  pathPrefixes: ['/@connections/', '/%40connections/'],
  // Operations are below the stage of an API: `/<stage>/@connections/<id>`, or `/_aws/execute-api/<api>/<stage>/…`.
  operationPath(path) {
    const match = CONNECTIONS.exec(path);
    return match ? `/@connections/${match[0].slice(match[0].lastIndexOf('/') + 1)}` : undefined;
  },
  bodies: {
    bytes: MAX_BODY,
    refusal: () => ({ code: 'PayloadTooLargeException', message: 'Message too long', status: 413 }),
  },
  load: async () => (await import('./index.ts')).plugin,
};
