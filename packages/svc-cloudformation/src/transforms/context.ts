import type { ServiceCaller } from '@emu/core';

/** What transforms work with. */
export interface TransformContext extends Pick<ServiceCaller, 'call'> {
  readonly accountId: string;
  readonly region: string;
  readonly stackName: string;
  readonly endpoint: string;
  /** Values of the template's parameters as macros get them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A new id for a request. */
  uuid(): string;
  /** The function of a macro of the account; undefined where there is no such macro. */
  macro(name: string): { functionName: string } | undefined;
}
