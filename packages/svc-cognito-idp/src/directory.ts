/**
 * Where pools, clients and domains are, over all accounts and regions: unsigned requests name only a client, a token or a
 * session. Filled by the states as they change.
 */
export class Directory<State> {
  private static readonly ofServices = new WeakMap<object, Directory<unknown>>();

  /** State of each pool, by the pool's id. */
  readonly pools = new Map<string, State>();
  /** State of each client's pool, by the client's id. */
  readonly clients = new Map<string, State>();
  /** State of each domain's pool, by the domain in lower case. */
  readonly domains = new Map<string, State>();

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
    for (const map of [this.pools, this.clients, this.domains])
      for (const [key, value] of map) if (value === state) map.delete(key);
  }
}
