import type { CustomDomains, DomainMapping, Place } from '@emu/core/service';

/**
 * Name of a custom domain that has such a mapping; undefined where none has.
 * @param stores of the API that asks and of the other one, which may not be there
 */
export function domainThatMaps(
  stores: readonly (CustomDomains | undefined)[],
  place: Place,
  matches: (mapping: DomainMapping) => boolean,
): string | undefined {
  for (const store of stores)
    for (const { name } of store?.customDomains(place) ?? [])
      if (store!.domainMappings(place, name).some(matches)) return name;
  return undefined;
}
