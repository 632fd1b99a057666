import type { ServiceHandle } from '@emu/core/service';
import type { DriftDetection } from '../drift/detections.ts';
import type { Resource, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import type { Place } from './store.ts';

/** CloudFormation in the account and region of an instance. */
export interface TargetStacks extends Pick<StackStore, 'find' | 'events' | 'resourcesIn' | 'template'> {
  readonly deployments: { settled(stack: string): Promise<void> };
  readonly drifts: { get(id: string): DriftDetection | undefined; settled(id: string): Promise<void> };
}

/** Returns the CloudFormation of an account and region; creates its state if missing. */
export const targetStacks = (service: ServiceHandle, { account, region }: Place): TargetStacks =>
  service.state(account, region) as TargetStacks;

/** Returns the CloudFormation of an account and region; undefined without state. */
export const existingTarget = (service: ServiceHandle, { account, region }: Place): TargetStacks | undefined =>
  service.existingState(account, region) as TargetStacks | undefined;

/** Returns the status reason of a failed stack, as stack sets report it. */
export function failureOf(target: TargetStacks, stack: Stack): string {
  const failed = target
    .events(stack.uuid)
    .reverse()
    .find(({ event }) => event.status.endsWith('_FAILED') && event.reason !== undefined);
  if (!failed) return stack.reason ?? `The stack is in the status ${stack.status}`;
  const { logicalId, type, reason } = failed.event;
  return `ResourceLogicalId:${logicalId}, ResourceType:${type}, ResourceStatusReason:${reason}.`;
}

/** Returns the resources of a stack compared by a drift detection. */
export const driftedResources = (target: TargetStacks, stack: Stack): Resource[] =>
  target.resourcesIn(stack.uuid).filter(({ drift }) => drift?.detail !== undefined);
