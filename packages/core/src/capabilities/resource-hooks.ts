import { type Capability, defineCapability } from '../base/capability.ts';
import type { Principal } from '../identity/principal.ts';

/** A resource in no stack that is about to be touched. */
export interface HookQuestion {
  readonly accountId: string;
  readonly region: string;
  /** CloudFormation's name of its type. */
  readonly typeName: string;
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE';
  /** By which hooks know the target. */
  readonly targetId: string;
  /** What it is to be; of a resource that is deleted, what it is. */
  readonly properties: Record<string, unknown>;
  /** What it is, where it is changed. */
  readonly previous?: Record<string, unknown>;
  /** As whom hooks without a role of their own are asked. */
  readonly principal: Omit<Principal, 'accessKeyId'>;
  readonly cause?: string | undefined;
  readonly signal: AbortSignal;
}

/** How asking a hook stands. */
export interface HookProgress {
  readonly typeName: string;
  readonly typeArn: string;
  readonly versionId: string;
  readonly mode: 'FAIL' | 'WARN';
  /** One of `HOOK_IN_PROGRESS`, `HOOK_COMPLETE_SUCCEEDED`, `HOOK_COMPLETE_FAILED` and `HOOK_FAILED`. */
  readonly status: string;
  readonly message: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The hooks of accounts, for those who touch resources outside stacks. */
export interface ResourceHooks {
  /**
   * Asks the hooks that a resource concerns.
   * @param note told of each hook when it is asked and when it has answered
   * @returns why the resource must not be touched, in AWS's words; undefined where it may be
   */
  ask(question: HookQuestion, note: (progress: HookProgress) => void): Promise<string | undefined>;
}

/** Hooks of CloudFormation. */
export const resourceHooks: Capability<ResourceHooks> = defineCapability('hooks of resources');
