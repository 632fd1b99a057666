import type { AnyResourceProvider } from '@emu/core/service';
import { schedule, scheduleGroup } from './schedule.ts';

/** Providers of EventBridge Scheduler's resource types. */
export const providers: readonly AnyResourceProvider[] = [schedule, scheduleGroup];
