/**
 * Index of pools, clients and domains over all accounts and regions, which the states update: unsigned requests contain
 * only a client, token or session.
 */
export class Directory<State> {
  private static readonly ofServices = new WeakMap<object, Directory<unknown>>();

  /** State of a pool, by pool id. */
  readonly pools = new Map<string, State>();
  /** State of a client's pool, by client id. */
  readonly clients = new Map<string, State>();
  /** State of a domain's pool, by domain in lower case. */
  readonly domains = new Map<string, State>();

  /**
   * Returns the directory of an emulator.
   * @param service its handle of this service
   */
  static of<State>(service: object): Directory<State> {
    let directory = Directory.ofServices.get(service);
    if (!directory) {
      directory = new Directory<unknown>();
      Directory.ofServices.set(service, directory);
    }
    return directory as Directory<State>;
  }

  /** Removes all entries of a closed state. */
  remove(state: State): void {
    for (const map of [this.pools, this.clients, this.domains])
      for (const [key, value] of map) if (value === state) map.delete(key);
  }
}
