import type { EmulatorSettings } from '../config/settings.ts';
import type { CredentialRegistry, Principal } from '../identity/principal.ts';
import { rootOf } from '../identity/root.ts';
import type { DataPlaneRequest } from './data-plane.ts';
import type { SigningScope } from './signatures.ts';

/** The registry of access keys. */
interface Keys {
  readonly credentials: CredentialRegistry;
  readonly settings: EmulatorSettings;
}

/**
 * Returns the signer of a data plane request. If emu verifies signatures, it is the principal of the access key;
 * otherwise unregistered access keys belong to the root user of the account in the key, or of the default account.
 * @param scope service and region for which the request must be signed
 * @returns undefined for an unsigned request
 * @throws AwsError for an invalid signature or an unknown access key, if emu verifies signatures
 */
export async function signerOf(
  request: Pick<DataPlaneRequest, 'headers' | 'query' | 'verifySignature'>,
  keys: Keys,
  scope: SigningScope,
): Promise<Principal | undefined> {
  return request.verifySignature ? request.verifySignature(scope) : unverifiedSigner(request, keys, scope.region);
}

function unverifiedSigner(
  { headers, query }: Pick<DataPlaneRequest, 'headers' | 'query'>,
  { credentials, settings }: Keys,
  region: string,
): Principal | undefined {
  const { authorization } = headers;
  const accessKeyId =
    typeof authorization === 'string'
      ? /^AWS4-HMAC-SHA256 .*Credential=([^/,\s]+)\//.exec(authorization)?.[1]
      : new URLSearchParams(query).get('X-Amz-Credential')?.split('/')[0];
  if (!accessKeyId) return undefined;
  const credential = credentials.get(accessKeyId);
  if (credential) return { ...credential.principal, accessKeyId };
  const accountId = /^\d{12}$/.test(accessKeyId) ? accessKeyId : settings.accountId;
  return { ...rootOf(accountId, region), accessKeyId };
}
