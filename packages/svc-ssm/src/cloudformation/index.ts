import type { AnyResourceProvider } from '@emu/core';
import { association } from './association.ts';
import { document } from './document.ts';
import { maintenanceWindow, maintenanceWindowTarget, maintenanceWindowTask } from './maintenance-windows.ts';
import { parameter } from './parameter.ts';
import { patchBaseline } from './patch-baseline.ts';
import { resourceDataSync } from './resource-data-sync.ts';

/** Providers of Systems Manager's resource types. */
export const providers: readonly AnyResourceProvider[] = [
  association,
  document,
  maintenanceWindow,
  maintenanceWindowTarget,
  maintenanceWindowTask,
  parameter,
  patchBaseline,
  resourceDataSync,
];
