import type { AnyResourceProvider } from '@emu/core/service';
import { repository } from './repository.ts';

/** Providers of ECR's resource types. */
export const providers: readonly AnyResourceProvider[] = [repository];
