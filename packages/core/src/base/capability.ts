/**
 * An interface that one service offers others besides AWS's API, such as users and roles; named by its concept. A
 * plugin provides it. Another plugin requests it by this value, and gets undefined if no mounted service provides it.
 */
export interface Capability<Offer> {
  /** Description for messages. */
  readonly concept: string;
  /** Carries the interface's type; never set. */
  readonly offer?: Offer;
}

/** Declares a capability. @param concept description of what is offered */
export function defineCapability<Offer>(concept: string): Capability<Offer> {
  return { concept };
}
