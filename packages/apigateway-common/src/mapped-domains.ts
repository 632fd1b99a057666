import type { CustomDomains, DomainMapping, Place } from '@emu/core/service';

/**
 * Returns the name of a custom domain with a matching mapping; undefined if there is none.
 * @param stores of the calling API and of the other one, which may be unavailable
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
