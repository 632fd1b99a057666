import { join } from 'node:path';
import type { Generated } from './grammars.ts';
import { type MotoFacts, motoHeader, readMoto } from './moto.ts';

/** A parameter in moto, with the parameters below it. */
interface Node {
  Value?: string;
  [name: string]: Node | string | undefined;
}

/** AWS's public parameters below `/aws/service/global-infrastructure`, by region and by service. */
export interface Infrastructure {
  regions: Readonly<Record<string, Node>>;
  services: Readonly<Record<string, Node>>;
}

const SCRIPT = `
import gzip, json
def below(name):
    with gzip.open(os.path.join(folder, 'ssm', 'resources', name + '.json.gz')) as file:
        return json.load(file)['aws']['service']['global-infrastructure'][name]
print(json.dumps({name: below(name) for name in ('regions', 'services')}))
`;

/** Finds AWS's parameters of its infrastructure in moto. */
export const findInfrastructure = (): MotoFacts<Infrastructure> | undefined => readMoto(SCRIPT);

/** Characters that stand for regions, by position. */
const REGION_KEYS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

const below = (node: Node, name: string): Node => (node[name] ?? {}) as Node;
const factOf = (node: Node, name: string): string => below(node, name).Value ?? '';
const namesOf = (node: Node): string[] =>
  Object.keys(node)
    .filter((name) => name !== 'Value')
    .sort();

/** Replaces region and domain in an endpoint by placeholders. */
function patternOf(endpoint: string, region: string, domain: string): string {
  const known = endpoint.endsWith(`.${domain}`) ? `${endpoint.slice(0, -domain.length)}{domain}` : endpoint;
  return known.replaceAll(region, '{region}');
}

/**
 * Returns AWS's infrastructure as a module of SSM's package: one line per region and service, ordered by name. A service
 * has groups of regions with the same form of endpoint.
 * @param packageDir directory of the package
 * @throws Error if there are more regions than keys for them
 */
export function infrastructureFiles(
  packageDir: string,
  { version, facts: { regions, services } }: MotoFacts<Infrastructure>,
): Generated[] {
  const header = motoHeader(version);
  const regionNames = Object.keys(regions).sort();
  if (regionNames.length > REGION_KEYS.length) throw new Error('there are more regions than keys for them');
  const regionRows = regionNames.map((name) => {
    const region = regions[name]!;
    const facts = ['longName', 'domain', 'partition', 'geolocationCountry', 'geolocationRegion'];
    const zones = ['availability-zones', 'local-zones', 'wavelength-zones'];
    return [
      name,
      ...facts.map((fact) => factOf(region, fact)),
      ...zones.map((kind) => namesOf(below(region, kind)).join(' ')),
    ];
  });
  const serviceNames = Object.keys(services)
    .filter((name) => services[name]!.Value !== undefined)
    .sort();
  const serviceRows = serviceNames.map((name) => {
    const service = services[name]!;
    const groups = new Map<string, string[]>();
    for (const region of namesOf(below(service, 'regions'))) {
      const key = REGION_KEYS[regionNames.indexOf(region)];
      if (key === undefined) continue;
      const facts = below(below(service, 'regions'), region);
      const pattern = patternOf(factOf(facts, 'endpoint'), region, factOf(regions[region]!, 'domain'));
      const group = JSON.stringify([pattern, factOf(facts, 'protocols')]);
      groups.set(group, [...(groups.get(group) ?? []), key]);
    }
    const listed = [...groups].flatMap(([group, keys]) => [...(JSON.parse(group) as string[]), keys.join('')]);
    return [name, factOf(service, 'longName'), factOf(service, 'marketingHomeURL'), ...listed];
  });
  const lines = (rows: readonly string[][]): string => rows.map((row) => `${JSON.stringify(row)},\n`).join('');
  const target = join(packageDir, 'src/generated/global-infrastructure');
  return [
    {
      path: `${target}.js`,
      text: `${header}export const regionKeys = '${REGION_KEYS}';\nexport const regions = [\n${lines(regionRows)}];\nexport const services = [\n${lines(serviceRows)}];\n`,
    },
    {
      path: `${target}.d.ts`,
      text: `${header}
/** Characters that stand for regions, by position. */
export const regionKeys: string;

/**
 * Name, long name, domain, partition, country, geolocation, and the availability, local and Wavelength zones, separated
 * by spaces. Unknown facts are empty.
 */
export const regions: readonly (readonly string[])[];

/**
 * Name, long name, home page, and any number of groups: endpoint with \`{region}\` and \`{domain}\`, protocols, and the
 * regions as characters of \`regionKeys\`. Unknown facts are empty.
 */
export const services: readonly (readonly string[])[];
`,
    },
  ];
}
