/** See affected.mjs. */
export function affectedBy(changed: readonly string[]): {
  readonly all: readonly string[];
  readonly affected: readonly string[];
  readonly packages: readonly string[];
  readonly cause: string | undefined;
};
