import { type Branch, leaf } from './public-tree.ts';

type Facts = typeof import('../generated/global-infrastructure.js');

/** Endpoint and protocols of a service in a region; empty if unknown. */
interface Presence {
  readonly endpoint: string;
  readonly protocols: string;
}

interface Service {
  readonly name: string;
  readonly longName: string;
  readonly homePage: string;
  /** By region. */
  readonly regions: ReadonlyMap<string, Presence>;
}

/** Kinds of zones in the order of a region's row. */
const ZONES = ['availability-zones', 'local-zones', 'wavelength-zones'];

let loading: Promise<Branch> | undefined;

/**
 * Returns the tree of AWS's regions, services and zones, loaded on first use.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-public-parameters-global-infrastructure.html
 */
export function globalInfrastructure(): Promise<Branch> {
  loading ??= import('../generated/global-infrastructure.js').then(treeOf);
  return loading;
}

function treeOf(facts: Facts): Branch {
  const services = facts.services.map((row) => serviceOf(row, facts));
  const regions = new Map(facts.regions.map((row) => [row[0]!, regionOf(row, services)] as const));
  const zonesOf = (kind: number) => facts.regions.flatMap((row) => zones(row, kind)).sort();
  return {
    value: undefined,
    children: () =>
      new Map([
        ...ZONES.map((name, kind) => [name, leaves(zonesOf(kind))] as const),
        ['regions', { value: undefined, children: () => regions }],
        ['services', { value: undefined, children: () => new Map(services.map((one) => [one.name, branchOf(one)])) }],
      ]),
  };
}

function serviceOf([name, longName, homePage, ...groups]: readonly string[], facts: Facts): Service {
  const regions: (readonly [string, Presence])[] = [];
  for (let at = 0; at < groups.length; at += 3) {
    const [pattern, protocols, keys] = groups.slice(at, at + 3);
    for (const key of keys!) {
      const [region, , domain] = facts.regions[facts.regionKeys.indexOf(key)]!;
      const endpoint = pattern!.replaceAll('{region}', region!).replace('{domain}', domain!);
      regions.push([region!, { endpoint, protocols: protocols! }]);
    }
  }
  return { name: name!, longName: longName!, homePage: homePage!, regions: new Map(regions.sort(byName)) };
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const zones = (row: readonly string[], kind: number): string[] => row[6 + kind]!.split(' ').filter(Boolean);

/** Returns a branch without a value, with a leaf for each name. */
const leaves = (names: readonly string[]): Branch => ({
  value: undefined,
  children: () => new Map(names.map((name) => [name, leaf(name)])),
});

/** Returns a branch with leaves for the known facts. */
const known = (
  value: string,
  facts: readonly (readonly [string, string])[],
  more: [string, Branch][] = [],
): Branch => ({
  value,
  children: () =>
    new Map(
      [...facts.flatMap(([name, fact]) => (fact === '' ? [] : [[name, leaf(fact)] as const])), ...more].sort(byName),
    ),
});

const presenceOf = (value: string, { endpoint, protocols }: Presence): Branch =>
  known(value, [
    ['endpoint', endpoint],
    ['protocols', protocols],
  ]);

function branchOf({ name, longName, homePage, regions }: Service): Branch {
  const inRegions: Branch = {
    value: undefined,
    children: () => new Map([...regions].map(([region, presence]) => [region, presenceOf(region, presence)])),
  };
  return known(
    name,
    [
      ['longName', longName],
      ['marketingHomeURL', homePage],
    ],
    [['regions', inRegions]],
  );
}

function regionOf(row: readonly string[], services: readonly Service[]): Branch {
  const [name, longName, domain, partition, country, geolocation] = row;
  const present: Branch = {
    value: undefined,
    children: () =>
      new Map(
        services.flatMap(({ name: service, regions }) => {
          const presence = regions.get(name!);
          return presence ? [[service, presenceOf(service, presence)] as const] : [];
        }),
      ),
  };
  return known(
    name!,
    [
      ['domain', domain!],
      ['geolocationCountry', country!],
      ['geolocationRegion', geolocation!],
      ['longName', longName!],
      ['partition', partition!],
    ],
    [
      ...ZONES.flatMap((kind, index): [string, Branch][] => {
        const names = zones(row, index);
        return names.length ? [[kind, leaves(names)]] : [];
      }),
      ['services', present],
    ],
  );
}
