import type { AnyResourceProvider } from '@emu/core/service';
import { association } from './association.ts';
import { document } from './document.ts';
import { maintenanceWindow, maintenanceWindowTarget, maintenanceWindowTask } from './maintenance-windows.ts';
import { opsItem } from './ops-item.ts';
import { parameter } from './parameter.ts';
import { patchBaseline } from './patch-baseline.ts';
import { resourceDataSync } from './resource-data-sync.ts';
import { resourcePolicy } from './resource-policy.ts';
import { serviceSetting } from './service-setting.ts';

/** Providers of Systems Manager's resource types. */
export const providers: readonly AnyResourceProvider[] = [
  association,
  document,
  maintenanceWindow,
  maintenanceWindowTarget,
  maintenanceWindowTask,
  opsItem,
  parameter,
  patchBaseline,
  resourceDataSync,
  resourcePolicy,
  serviceSetting,
];
