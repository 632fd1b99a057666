import {
  loadConfig,
  NODE_REGION_CONFIG_FILE_OPTIONS,
  NODE_REGION_CONFIG_OPTIONS,
  NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS,
  NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS,
} from '@smithy/core/config';
import type { EndpointChoice } from './endpoints.ts';

/** Which of AWS's endpoints a user wants. */
export interface UserConfig extends EndpointChoice {
  /** Undefined without one. */
  readonly region: string | undefined;
}

/** Returns the region and the kind of endpoints in the user's environment and profile, as the SDKs read them. */
export async function userConfig(): Promise<UserConfig> {
  const [region, fips, dualStack] = await Promise.all([
    loadConfig({ ...NODE_REGION_CONFIG_OPTIONS, default: '' }, NODE_REGION_CONFIG_FILE_OPTIONS)(),
    loadConfig(NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS)(),
    loadConfig(NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS)(),
  ]);
  return { region: region === '' ? undefined : region, fips: fips === true, dualStack: dualStack === true };
}
