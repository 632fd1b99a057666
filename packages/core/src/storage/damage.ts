/**
 * What a data directory holds is not what was written to it: a file is damaged, gone or older than it was. Loading is
 * refused, since what would be loaded is not what was acknowledged.
 */
export class DamagedData extends Error {
  /**
   * @param path of the file or directory
   * @param what is wrong with it, as the end of a sentence that begins with the path
   * @param whole bytes at the beginning of a journal that are whole; undefined where nothing of the file can be kept
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

/** The command that says what a data directory has lost, for people to copy. */
function doctorCommand(directory: string): string {
  const word = /^[\w@%+=:,./-]+$/.test(directory) ? directory : `'${directory.replaceAll("'", "'\\''")}'`;
  return `emu doctor --data-path ${word}`;
}

/** The error with what can be done about it, where it is about damage; any other as it is. */
export function withAdvice(error: unknown, directory: string): unknown {
  if (!(error instanceof DamagedData)) return error;
  return new Error(
    `${error.message}. Restore it from a backup, or let \`${doctorCommand(directory)}\` say what is whole; ` +
      'with --repair it sets the damaged parts aside.',
    { cause: error },
  );
}
