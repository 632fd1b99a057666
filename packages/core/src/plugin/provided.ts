import type { Capability } from '../base/capability.ts';
import type { ServiceHandle } from './handle.ts';

/** A capability with how a plugin makes it; made once, when somebody first asks. */
export interface ProvidedCapability<State> {
  readonly capability: Capability<unknown>;
  make(handle: ServiceHandle<State>): unknown;
}

/** Says how a plugin provides a capability that its manifest names. */
export function provide<Offer, State>(
  capability: Capability<Offer>,
  make: (handle: ServiceHandle<State>) => Offer,
): ProvidedCapability<State> {
  return { capability, make };
}
