import type { ResourceProvider } from '@emu/core/service';
import { customResource } from '../../../packages/svc-cloudformation/src/resource-types/custom.ts';
import { type OwnStores, ownProviders } from '../../../packages/svc-cloudformation/src/resource-types/index.ts';
import { ABSENT_TYPES } from './absent-types.ts';
import { codes, table } from './markdown.ts';
import type { Service } from './services.ts';

/** A resource type with the support of its properties. */
export interface TypeRow {
  name: string;
  /** Partially supported properties, with their supported parts. */
  partly: ReadonlyMap<string, readonly string[]>;
  /** Unsupported properties of AWS's type. */
  refused: readonly string[];
}

type Provided = Pick<ResourceProvider, 'typeName' | 'facts' | 'handles'>;

/** Returns the supported properties of a provider's type. */
function typeRow({ typeName, facts, handles }: Provided): TypeRow {
  const handled = [...handles].sort();
  const known = new Set(handled.map((path) => path.split('.')[0]!));
  const partly = new Map<string, string[]>();
  for (const path of handled) {
    const [name, ...rest] = path.split('.');
    if (rest.length) partly.set(name!, [...(partly.get(name!) ?? []), rest.join('.')]);
  }
  const refused = known.has('*') ? [] : Object.keys(facts.properties).filter((name) => !known.has(name));
  return { name: typeName, partly, refused };
}

/** Returns the resource types of a service, ordered by name. */
export async function typesOf({ name, manifest }: Service): Promise<TypeRow[]> {
  const loaded = (await manifest.cloudFormation?.load()) ?? [];
  // Nothing is created; only the providers' declarations are read.
  const own =
    name === 'cloudformation'
      ? [
          ...ownProviders({} as OwnStores),
          customResource('AWS::CloudFormation::CustomResource', undefined as never, undefined as never),
        ]
      : [];
  return [...loaded, ...own]
    .map((provider) => typeRow(provider as unknown as Provided))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

const namespaceOf = (type: string): string => type.split('::').slice(0, 2).join('::');

/** Returns the unsupported types in the namespaces of a service's types, with the reasons. */
function absentBeside(types: readonly TypeRow[]): [type: string, reason: string][] {
  const namespaces = new Set(types.map(({ name }) => namespaceOf(name)));
  return Object.entries(ABSENT_TYPES).filter(([type]) => namespaces.has(namespaceOf(type)));
}

/** Returns the part about resource types of a service's page. */
export function typesPart(types: readonly TypeRow[]): string {
  if (!types.length) return 'The service has no resource types.';
  const refusing = types.some(({ refused }) => refused.length);
  const parts = types.flatMap(({ name, partly }) =>
    [...partly].map(([property, members]) => `- \`${property}\` of \`${name}\`: ${codes(members)}`),
  );
  const absent = absentBeside(types).map(([type, reason]) => `- \`${type}\`: ${reason}.`);
  return [
    `Stacks and Cloud Control support ${types.length} ${types.length === 1 ? 'type' : 'types'}.${refusing ? ' A template with a rejected property fails with an error that contains its name.' : ' Every property of them has an effect.'}`,
    types.map(({ name, refused }) => `- \`${name}\`${refused.length ? `, rejects ${codes(refused)}` : ''}`).join('\n'),
    ...(parts.length ? ['Only some members of these properties have an effect:', parts.join('\n')] : []),
    ...(absent.length ? ['These types are absent:', absent.join('\n')] : []),
  ].join('\n\n');
}

/** Returns the part of `docs/cloudformation.md` with the service of each type. */
export function typesIndex(types: ReadonlyMap<string, readonly TypeRow[]>): string {
  const rows = [...types].flatMap(([service, list]) =>
    list.map(({ name }) => [`\`${name}\``, `[${service}](services/${service}.md#cloudformation)`]),
  );
  rows.sort(([one], [other]) => (one! < other! ? -1 : 1));
  return `${rows.length} types:\n\n${table(['Type', 'Service'], rows)}`;
}
