import type { OptionValues } from './options.ts';

/** Settings of the emulator that services read. */
export interface EmulatorSettings {
  /** Region of requests that name none. */
  readonly region: string;
  /** Account of requests whose access key is unknown. */
  readonly accountId: string;
  /** `EMULATOR_EXTERNAL_URL`, without a trailing slash. */
  readonly externalUrl: string | undefined;
  /** Domain of the emulator's own host names. */
  readonly domain: string;
  /** Every setting by its variable, e.g. `values.EMULATOR_S3_CACHE_SIZE`, as given or by default. */
  readonly values: OptionValues;
}
