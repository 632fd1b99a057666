import type { PublicAccessBlockConfiguration } from '@emu/service-types/s3control';
import type { PublicAccessBlock } from '../records.ts';

/** Returns the settings with missing ones set to false. */
export function settingsOf(given: PublicAccessBlockConfiguration): PublicAccessBlock {
  return {
    BlockPublicAcls: given.BlockPublicAcls ?? false,
    IgnorePublicAcls: given.IgnorePublicAcls ?? false,
    BlockPublicPolicy: given.BlockPublicPolicy ?? false,
    RestrictPublicBuckets: given.RestrictPublicBuckets ?? false,
  };
}

/** Default settings of access points: all public access blocked. */
export const EVERYTHING_BLOCKED: PublicAccessBlock = {
  BlockPublicAcls: true,
  IgnorePublicAcls: true,
  BlockPublicPolicy: true,
  RestrictPublicBuckets: true,
};
