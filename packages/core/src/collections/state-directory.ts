/**
 * States of a service over all accounts and regions by ids that they have, for requests that contain no account, such as
 * unsigned ones.
 */
export type StateDirectory<State, Name extends string> = Readonly<Record<Name, Map<string, State>>> & {
  /** Removes all entries of a closed state. */
  remove(state: State): void;
};

/**
 * Declares the directory of a service.
 * @param names of its maps, e.g. `pools`
 * @returns a function that returns the directory of an emulator, by the emulator's handle of the service
 */
export function stateDirectory<State, Name extends string>(
  ...names: readonly Name[]
): (service: object) => StateDirectory<State, Name> {
  const ofServices = new WeakMap<object, StateDirectory<State, Name>>();
  return (service) => {
    const known = ofServices.get(service);
    if (known) return known;
    const maps = Object.fromEntries(names.map((name) => [name, new Map<string, State>()])) as Record<
      Name,
      Map<string, State>
    >;
    const directory: StateDirectory<State, Name> = {
      ...maps,
      remove(state) {
        for (const map of Object.values<Map<string, State>>(maps))
          for (const [key, value] of map) if (value === state) map.delete(key);
      },
    };
    ofServices.set(service, directory);
    return directory;
  };
}
