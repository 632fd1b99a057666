import type { DataPlaneRequest, DataPlaneResponse, ServiceHandle } from '@emu/core/service';
import { ISSUER, openKeys } from './signing/keys.ts';
import type { IdentityState } from './state.ts';

/** Path of the documents at emu's own address, because the issuer's host name resolves to AWS. */
const LOCAL = '/_aws/cognito-identity';
const DISCOVERY = '/.well-known/openid-configuration';
const KEYS = '/.well-known/jwks_uri';

/**
 * Returns the documents that verify OpenID tokens of identities, at the issuer's host name and at
 * `/_aws/cognito-identity`.
 */
export function serveDiscovery(
  { path, endpoint }: DataPlaneRequest,
  handle: ServiceHandle<IdentityState>,
): DataPlaneResponse {
  const isLocal = path.startsWith(`${LOCAL}/`);
  const document = isLocal ? path.slice(LOCAL.length) : path;
  if (document === KEYS) return json(200, openKeys(handle).keySet());
  if (document !== DISCOVERY) return json(404, { message: 'Not Found' });
  return json(200, {
    issuer: ISSUER,
    jwks_uri: `${isLocal ? `${endpoint}${LOCAL}` : ISSUER}${KEYS}`,
    authorization_endpoint: `${ISSUER}/authorize`,
    response_types_supported: ['token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS512'],
  });
}

const json = (status: number, value: unknown): DataPlaneResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
  body: JSON.stringify(value),
});
