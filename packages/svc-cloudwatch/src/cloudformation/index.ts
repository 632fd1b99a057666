import type { AnyResourceProvider } from '@emu/core';
import { alarm, compositeAlarm } from './alarm.ts';

/** Providers of CloudWatch's resource types. */
export const providers: readonly AnyResourceProvider[] = [alarm, compositeAlarm];
