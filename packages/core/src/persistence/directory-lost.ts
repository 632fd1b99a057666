/** The data directory is no longer this process's to write. */
export class DirectoryLost extends Error {
  override readonly name = 'DirectoryLost';

  /** @param directory its path */
  constructor(directory: string) {
    super(`${directory} was removed, or another process has taken it: nothing is written any more; start emu again`);
  }
}
