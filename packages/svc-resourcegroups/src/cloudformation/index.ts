import type { AnyResourceProvider } from '@emu/core/service';
import { group } from './group.ts';
import { tagSyncTask } from './tag-sync-task.ts';

/** Providers of AWS Resource Groups' resource types. */
export const providers: readonly AnyResourceProvider[] = [group, tagSyncTask];
