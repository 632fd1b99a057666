import { type Collection, defineResource, type Place, tagCallsBy, taggedRecord } from '@emu/core/service';
import { tagging } from '../tags.ts';
import type { WindowRecord } from './records.ts';

type Input = Readonly<Record<string, unknown>>;

/** Resources of an account and region among which maintenance windows are found. */
export interface WindowRegistry {
  readonly windows: { readonly windows: Collection<WindowRecord> };
}

/** Maintenance windows. */
export const windowType = defineResource({
  name: 'maintenancewindow',
  service: 'ssm',
  scope: 'region',
  format: 'maintenancewindow/{id}',
  cloudFormation: 'AWS::SSM::MaintenanceWindow',
  identify(input: Input, place: Place) {
    const id = input.WindowId ?? (input.ResourceType === 'MaintenanceWindow' ? input.ResourceId : undefined);
    return typeof id === 'string' ? { key: { id }, place } : undefined;
  },
  records: ({ windows }: WindowRegistry) => windows.windows,
  tagged: { tagging, find: ({ windows }, { id }) => taggedRecord(windows.windows, id) },
  tagCalls: tagCallsBy('AddTagsToResource', 'RemoveTagsFromResource', ({ id }: { id: string }) => ({
    ResourceType: 'MaintenanceWindow',
    ResourceId: id,
  })),
});

/** Targets of windows, as named in events. */
export const windowTargetType = defineResource({
  name: 'windowtarget',
  service: 'ssm',
  scope: 'region',
  format: 'windowtarget/{id}',
});
