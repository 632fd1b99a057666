import { type Capability, defineCapability } from '../base/capability.ts';
import type { Principal } from '../identity/principal.ts';

/** A resource outside of stacks that is about to be changed. */
export interface HookQuestion {
  readonly accountId: string;
  readonly region: string;
  /** CloudFormation's name of its type. */
  readonly typeName: string;
  readonly action: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Identifies the target for hooks. */
  readonly targetId: string;
  /** Properties after the change; for a deletion, the current ones. */
  readonly properties: Record<string, unknown>;
  /** Current properties, for an update. */
  readonly previous?: Record<string, unknown>;
  /** Caller of hooks without a role of their own. */
  readonly principal: Omit<Principal, 'accessKeyId'>;
  readonly cause?: string | undefined;
  readonly signal: AbortSignal;
}

/** Progress of a hook's invocation. */
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

/** The hooks of accounts, for changes of resources outside of stacks. */
export interface ResourceHooks {
  /**
   * Invokes the hooks for a resource.
   * @param note called for each hook when it is invoked and when it has responded
   * @returns AWS's message if the change is denied, else undefined
   */
  ask(question: HookQuestion, note: (progress: HookProgress) => void): Promise<string | undefined>;
}

/** Hooks of CloudFormation. */
export const resourceHooks: Capability<ResourceHooks> = defineCapability('hooks of resources');
