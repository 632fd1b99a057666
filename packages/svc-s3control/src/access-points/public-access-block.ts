import type { PublicAccessBlockConfiguration } from '@emu/service-types/s3control';
import type { PublicAccessBlock } from '../records.ts';

/** Settings with those that are not given off. */
export function settingsOf(given: PublicAccessBlockConfiguration): PublicAccessBlock {
  return {
    BlockPublicAcls: given.BlockPublicAcls ?? false,
    IgnorePublicAcls: given.IgnorePublicAcls ?? false,
    BlockPublicPolicy: given.BlockPublicPolicy ?? false,
    RestrictPublicBuckets: given.RestrictPublicBuckets ?? false,
  };
}

/** What access points have that say nothing: everything blocked. */
export const EVERYTHING_BLOCKED: PublicAccessBlock = {
  BlockPublicAcls: true,
  IgnorePublicAcls: true,
  BlockPublicPolicy: true,
  RestrictPublicBuckets: true,
};
