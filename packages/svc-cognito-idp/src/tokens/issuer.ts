import { dnsSuffixOf } from '@emu/core/service';
import { COGNITO_OPTIONS } from '../options.ts';
import type { CognitoState } from '../state.ts';

/**
 * Returns the issuer of a pool's tokens: AWS's URL, or emu's own if configured.
 * @param endpoint base URL with which the caller reached emu
 */
export function issuerOf(poolId: string, { settings, region }: CognitoState, endpoint: string): string {
  return settings.of(COGNITO_OPTIONS).EMULATOR_COGNITO_ISSUER === 'local'
    ? `${endpoint}/${poolId}`
    : `https://cognito-idp.${region}.${dnsSuffixOf(region)}/${poolId}`;
}
