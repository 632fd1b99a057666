/** Directory of pools and identities over all accounts and regions. Unsigned requests contain only the id. */
export class Directory<State> {
  private static readonly ofServices = new WeakMap<object, Directory<unknown>>();

  /** State of each pool, by its id. */
  readonly pools = new Map<string, State>();
  /** State of each identity, by its id. */
  readonly identities = new Map<string, State>();

  /** Returns the directory of an emulator. @param service handle of this service */
  static of<State>(service: object): Directory<State> {
    let directory = Directory.ofServices.get(service);
    if (!directory) {
      directory = new Directory<unknown>();
      Directory.ofServices.set(service, directory);
    }
    return directory as Directory<State>;
  }

  /** Removes the entries of a state that has ended. */
  forget(state: State): void {
    for (const map of [this.pools, this.identities])
      for (const [key, value] of map) if (value === state) map.delete(key);
  }
}
