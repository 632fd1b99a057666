import { type Collection, defineCollection, type StateScope } from '@emu/core/service';
import { STS_OPTIONS } from './options.ts';
import type { JwtAlgorithm, SigningKey } from './tokens/identity-token.ts';
import { IssuerKeys } from './web-identity/issuer-keys.ts';
import { getJson } from './web-identity/public-json.ts';

/** Signing keys of GetWebIdentityToken by algorithm. */
export const signingKeys = defineCollection<SigningKey>('signing-keys', 'account');

/**
 * State of STS for one account. Sessions are stored in the registry of credentials, which is used by every signed
 * request.
 */
export interface StsState {
  readonly signingKeys: Collection<SigningKey>;
  /** Keys of other issuers. */
  readonly issuerKeys: IssuerKeys;
  /** Keys being generated, so that concurrent requests share one. */
  readonly pendingKeys: Map<JwtAlgorithm, Promise<SigningKey>>;
}

/** Creates the state of an account. */
export function createState(scope: StateScope): StsState {
  return {
    signingKeys: scope.collection(signingKeys),
    issuerKeys: new IssuerKeys(scope.settings.of(STS_OPTIONS).EMULATOR_ALLOW_ISSUER, (url, options) =>
      getJson(scope.service.names, url, options),
    ),
    pendingKeys: new Map(),
  };
}
