import type { AnyResourceProvider } from '@emu/core/service';
import { pipe } from './pipe.ts';

/** Providers of EventBridge Pipes' resource types. */
export const providers: readonly AnyResourceProvider[] = [pipe];
