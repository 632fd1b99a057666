import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  identityDirectory,
  type ServiceHandle,
} from '@emu/core/service';
import type { StsState } from '../state.ts';
import { signingKeyOf } from './signing-keys.ts';

const HOST = '.tokens.sts.global.api.aws';
const DISCOVERY = '/.well-known/openid-configuration';
const KEYS = '/.well-known/jwks.json';

/** Path of the issuers' documents at emu's own address, because the issuers' host names resolve to AWS. */
const LOCAL = '/_aws/sts/issuers/';

/**
 * Returns the discovery document and the keys of an account's issuer, at its host name and at `/_aws/sts/issuers/<id>`.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetOutboundWebIdentityFederationInfo.html
 */
export async function serveDiscovery(
  request: DataPlaneRequest,
  handle: ServiceHandle<StsState>,
): Promise<DataPlaneResponse> {
  const local = request.path.startsWith(LOCAL) ? request.path.slice(LOCAL.length) : undefined;
  const id = local === undefined ? hostOf(request).slice(0, -HOST.length) : local.slice(0, local.indexOf('/'));
  const path = local === undefined ? request.path : local.slice(id.length);
  const issuer = `https://${id}${HOST}`;
  const accountId = (await handle.capability(identityDirectory))?.issuerAccount?.(issuer);
  if (accountId === undefined || (path !== DISCOVERY && path !== KEYS)) return json(404, { message: 'Not Found' });
  if (path === KEYS) {
    const state = handle.state(accountId, '');
    const keys = await Promise.all((['RS256', 'ES384'] as const).map((name) => signingKeyOf(state, name, handle.ids)));
    const { publicKeySet } = await import('./token-signature.ts');
    return json(200, publicKeySet(keys));
  }
  return json(200, {
    issuer,
    jwks_uri: `${local === undefined ? issuer : `${request.endpoint}${LOCAL}${id}`}${KEYS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES384'],
    claims_supported: ['iss', 'aud', 'sub', 'iat', 'exp', 'jti'],
  });
}

/** Returns the host name of a request without port. */
const hostOf = ({ headers }: DataPlaneRequest): string =>
  String(headers.host ?? '')
    .replace(/:\d+$/, '')
    .toLowerCase();

const json = (status: number, value: unknown): DataPlaneResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
