/** Where pools and identities are, over all accounts and regions: unsigned requests name nothing else. */
export class Directory<State> {
  private static readonly ofServices = new WeakMap<object, Directory<unknown>>();

  /** State of each pool, by its id. */
  readonly pools = new Map<string, State>();
  /** State of each identity, by its id. */
  readonly identities = new Map<string, State>();

  /** The directory of an emulator. @param service its handle of this service */
  static of<State>(service: object): Directory<State> {
    let directory = Directory.ofServices.get(service);
    if (!directory) {
      directory = new Directory<unknown>();
      Directory.ofServices.set(service, directory);
    }
    return directory as Directory<State>;
  }

  /** Forgets everything of a state that ends. */
  forget(state: State): void {
    for (const map of [this.pools, this.identities])
      for (const [key, value] of map) if (value === state) map.delete(key);
  }
}
