/** The data directory is no longer this process's to write. */
export class DirectoryLost extends Error {
  override readonly name = 'DirectoryLost';

  /** @param path of what is gone: the directory, or a file that holds records of a service */
  constructor(path: string) {
    super(`${path} was removed, or another process has taken it: nothing is written any more; start emu again`);
  }
}
