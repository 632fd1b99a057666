/**
 * What one service offers others without an API of AWS's, such as users and roles: an interface, named by its concept. A
 * plugin provides it, another asks for it by this value and gets undefined where no mounted service provides it.
 */
export interface Capability<Offer> {
  /** In words, for messages. */
  readonly concept: string;
  /** Carries the interface's type; never set. */
  readonly offer?: Offer;
}

/** Declares a capability. @param concept what is offered, in words */
export function defineCapability<Offer>(concept: string): Capability<Offer> {
  return { concept };
}
