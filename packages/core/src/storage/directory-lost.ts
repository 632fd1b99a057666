/** Error for a data directory that this process can no longer write. */
export class DirectoryLost extends Error {
  override readonly name = 'DirectoryLost';

  /** @param path what is lost: the directory, or a file with records of a service */
  constructor(path: string) {
    super(`${path} was removed, or another process has taken it: nothing is written any more; start emu again`);
  }
}
