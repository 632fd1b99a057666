import type { ResourceProvider } from '@emu/core/service';

/** Resource types that support drift detection. */
export interface DriftTypes {
  /**
   * Returns the provider that reads resources of a type; undefined if AWS does not compare the type or no provider
   * exists.
   */
  comparable(typeName: string): Promise<ResourceProvider | undefined>;
}
