import type { AnyResourceProvider } from '@emu/core/service';
import { identityPool, principalTag, roleAttachment } from './identity-pool.ts';

/** CloudFormation resource types of Amazon Cognito identity pools. */
export const providers: readonly AnyResourceProvider[] = [identityPool, principalTag, roleAttachment];
