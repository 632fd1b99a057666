import type { ServiceCaller } from '@emu/core/service';

/** Dependencies of transforms. */
export interface TransformContext extends Pick<ServiceCaller, 'call'> {
  readonly accountId: string;
  readonly region: string;
  readonly stackName: string;
  readonly endpoint: string;
  /** Parameter values as macros receive them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Creates a request id. */
  uuid(): string;
  /** Returns the function of a macro in the account; undefined for an unknown macro. */
  macro(name: string): { functionName: string } | undefined;
}
