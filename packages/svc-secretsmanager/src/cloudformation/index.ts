import type { AnyResourceProvider } from '@emu/core/service';
import { rotationSchedule } from './rotation-schedule.ts';
import { resourcePolicy, secret } from './secret.ts';

/** Providers of Secrets Manager's resource types. */
export const providers: readonly AnyResourceProvider[] = [resourcePolicy, rotationSchedule, secret];
