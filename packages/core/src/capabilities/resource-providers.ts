import { defineCapability } from '../base/capability.ts';
import type { ResourceProvider } from '../cloudformation/provider.ts';

/** The resource types of every mounted service. */
export interface ResourceProviders {
  /** Returns the type names, in order. */
  readonly names: readonly string[];
  /** Whether a type has a provider, without loading it. */
  has(typeName: string): boolean;
  /** Loads the provider of a type. @returns undefined if no mounted service has the type */
  provider(typeName: string): Promise<ResourceProvider | undefined>;
}

/** The resource types of every mounted service; provided by the kernel. */
export const resourceProviders = defineCapability<ResourceProviders>('providers of resource types');
