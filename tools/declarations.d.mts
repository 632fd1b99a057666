/** See declarations.mjs. */
export function publishDeclarations(
  from: string,
  to: string,
  entries: readonly string[],
  installed: ReadonlySet<string>,
): void;
