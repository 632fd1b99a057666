import { type Collection, defineCollection, type StateScope } from '@emu/core';
import type { JwtAlgorithm, SigningKey } from './identity-token.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { STS_OPTIONS } from './options.ts';

/** Keys that sign the tokens of GetWebIdentityToken, by algorithm. */
export const signingKeys = defineCollection<SigningKey>('signing-keys', 'account');

/**
 * What STS keeps of one account. Its sessions are not here: they live in the registry of credentials, which is asked
 * for every signed request.
 */
export interface StsState {
  readonly signingKeys: Collection<SigningKey>;
  /** Keys of other issuers. */
  readonly issuerKeys: IssuerKeys;
  /** Keys being made, so that two requests at once get the same. */
  readonly pendingKeys: Map<JwtAlgorithm, Promise<SigningKey>>;
}

/** Makes the state of an account. */
export function createState(scope: StateScope): StsState {
  return {
    signingKeys: scope.collection(signingKeys),
    issuerKeys: new IssuerKeys(scope.settings.of(STS_OPTIONS).EMULATOR_ALLOW_ISSUER),
    pendingKeys: new Map(),
  };
}
