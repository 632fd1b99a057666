/** See declarations.mjs. */
export function publishDeclarations(
  folder: string,
  entries: readonly string[],
  privatePackages: ReadonlySet<string>,
): void;
