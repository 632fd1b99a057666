import type { AnyResourceProvider } from '@emu/core';
import { identityPool, principalTag, roleAttachment } from './identity-pool.ts';

/** Providers of the resource types of Amazon Cognito's identity pools. */
export const providers: readonly AnyResourceProvider[] = [identityPool, principalTag, roleAttachment];
