import type { ResourceProvider } from '@emu/core';

/** The resource types that drift is detected of. */
export interface DriftTypes {
  /** The provider by which resources of a type are read; undefined where AWS does not compare them, or nobody has the type. */
  comparable(typeName: string): Promise<ResourceProvider | undefined>;
}
