import type { Capability } from '../base/capability.ts';
import type { ServiceHandle } from './handle.ts';

/** A capability with a plugin's factory, called once, at the first use. */
export interface ProvidedCapability<State> {
  readonly capability: Capability<unknown>;
  make(handle: ServiceHandle<State>): unknown;
}

/** Declares the factory of a capability that the manifest names. */
export function provide<Offer, State>(
  capability: Capability<Offer>,
  make: (handle: ServiceHandle<State>) => Offer,
): ProvidedCapability<State> {
  return { capability, make };
}
