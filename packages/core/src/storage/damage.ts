/**
 * A damaged data directory: a file is corrupt, missing or older than expected. Loading it is refused, as the loaded
 * state would differ from what was acknowledged.
 */
export class DamagedData extends Error {
  /**
   * @param path path of the file or directory
   * @param what description of the damage, as the end of a sentence that begins with the path
   * @param whole bytes at the beginning of a journal that are intact; undefined if nothing of the file can be kept
   */
  constructor(
    readonly path: string,
    what: string,
    readonly whole?: number,
    options?: ErrorOptions,
  ) {
    super(`${path} ${what}`, options);
  }
}

/** Returns the command that reports the losses of a data directory, for users to copy. */
function doctorCommand(directory: string): string {
  const word = /^[\w@%+=:,./-]+$/.test(directory) ? directory : `'${directory.replaceAll("'", "'\\''")}'`;
  return `emu doctor --data-path ${word}`;
}

/** Adds advice to an error about damage; returns any other error unchanged. */
export function withAdvice(error: unknown, directory: string): unknown {
  if (!(error instanceof DamagedData)) return error;
  return new Error(
    `${error.message}. Restore it from a backup, or run \`${doctorCommand(directory)}\` to see what is intact; ` +
      'with --repair it sets damaged parts aside.',
    { cause: error },
  );
}
