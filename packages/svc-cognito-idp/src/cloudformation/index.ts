import type { AnyResourceProvider } from '@emu/core';
import { userPool } from './user-pool.ts';
import { userPoolClient } from './user-pool-client.ts';

/** Providers of the resource types of Amazon Cognito's user pools. */
export const providers: readonly AnyResourceProvider[] = [userPool, userPoolClient];
