import type { ServiceDescription } from './description.ts';

/** Input of the templates for a new service. */
export interface NewService extends ServiceDescription {
  /** emu's name of the service, e.g. `kinesis`. */
  readonly name: string;
  /** Package of its SDK client, e.g. `@aws-sdk/client-kinesis`. */
  readonly client: string;
  /** Operation that the generated test and example call. */
  readonly first: string;
}

/** Returns a service's name as an identifier, e.g. `cognitoIdp`. */
export const identifierOf = (name: string): string =>
  name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const upper = (name: string): string => name[0]!.toUpperCase() + identifierOf(name).slice(1);

/** Returns the name of the client class: SDK v3 capitalises and joins the words of a service id. */
const clientClass = ({ serviceId }: NewService): string => {
  const words = serviceId.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return `${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}Client`;
};

function packageJson({ name, fullName, botocore, client }: NewService): string {
  const entry = (file: string) => ({
    'emu-source': `./src/${file}.ts`,
    default: `./dist/${file}.js`,
  });
  return `${JSON.stringify(
    {
      name: `@emu/svc-${name}`,
      version: '0.1.0',
      description: `${fullName} for emu`,
      type: 'module',
      exports: { '.': entry('index'), './manifest': entry('manifest') },
      scripts: { test: 'vitest run --config ../../vitest.shared.ts' },
      dependencies: { '@emu/core': 'workspace:*', '@emu/wire': 'workspace:*' },
      devDependencies: { [client]: 'catalog:', '@emu/gateway': 'workspace:*', '@emu/service-types': 'workspace:*' },
      emu: { models: [{ service: name, botocore }] },
    },
    null,
    2,
  )}\n`;
}

function manifest({ name, fullName, signingName, endpointPrefix, targetPrefix, queryVersion }: NewService): string {
  return `import type { ServiceManifest } from '@emu/core/service';

/** How requests for ${fullName} are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: '${name}',
  signingNames: ['${signingName}'],
  hostNames: ['${endpointPrefix}'],
${targetPrefix === undefined ? '' : `  targetPrefixes: ['${targetPrefix}'],\n`}${queryVersion === undefined ? '' : `  queryVersions: ['${queryVersion}'],\n`}  load: async () => (await import('./index.ts')).plugin,
};
`;
}

function plugin({ name, fullName }: NewService): string {
  const [first, second] =
    upper(name).toLowerCase() < 'create'
      ? [`type ${upper(name)}State`, 'createState']
      : ['createState', `type ${upper(name)}State`];
  return `import { definePlugin } from '@emu/core/service';
import type { ${upper(name)}Operations } from '@emu/service-types/${name}';
import type { ServiceModel } from '@emu/wire';
import model from '../model/${name}.json' with { type: 'json' };
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { ${first}, ${second} } from './state.ts';

/** ${fullName}. */
export const plugin = definePlugin<${upper(name)}Operations, ${upper(name)}State>({
  name: '${name}',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  resources,
  operations: [],
});
`;
}

const records = ({ fullName }: NewService): string => `/** Collections of ${fullName}. */
export const collections = [] as const;
`;

const resources = ({ fullName }: NewService): string => `import type { AnyResourceType } from '@emu/core/service';

/** Resource types of ${fullName}. */
export const resources: readonly AnyResourceType[] = [];
`;

function state({ name, fullName }: NewService): string {
  return `import type { StateScope } from '@emu/core/service';

/** State of ${fullName} for one account and region. */
export interface ${upper(name)}State {
  readonly accountId: string;
  readonly region: string;
}

/** Creates the state of an account and region. */
export function createState({ accountId, region }: StateScope): ${upper(name)}State {
  return { accountId, region };
}
`;
}

function context({ name }: NewService): string {
  return `import type { OperationContext } from '@emu/core/service';
import type { ${upper(name)}State } from './state.ts';

/** Context of the service's handlers. */
export type ${upper(name)}Context = OperationContext<${upper(name)}State>;
`;
}

/** Returns the test of a service without handlers. The first handler replaces it by the service contract. */
function firstTest(service: NewService): string {
  const { client, first } = service;
  const className = clientClass(service);
  return `import { ${className}, ${first}Command } from '${client}';
import { createTestEmulator } from '@emu/gateway/testing';
import { expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';

it('answers 501 to ${first}, which has no handler yet', async () => {
  const emulator = await createTestEmulator({ manifests: [manifest] });
  try {
    const client = new ${className}({ ...emulator.clientConfig(), maxAttempts: 1 });
    await expect(client.send(new ${first}Command({} as never))).rejects.toMatchObject({
      name: 'NotImplemented',
      $metadata: { httpStatusCode: 501 },
    });
  } finally {
    await emulator.close();
  }
});
`;
}

function scenario(service: NewService): string {
  const { name, fullName, client, first } = service;
  return `import * as sdk from '${client}';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-${name}/model/${name}.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

/** Creates the resources for the requests. */
async function setUp(_send: Send): Promise<Facts> {
  return {};
}

/** Returns the whole state as clients see it. */
async function observe(send: Send): Promise<unknown> {
  return send('${first}', {});
}

/** ${fullName}. */
export const ${identifierOf(name)}: Scenario = {
  service: '${name}',
  model: model as unknown as ServiceModel,
  client: (emulator) =>
    sender(new sdk.${clientClass(service)}({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {},
  reads: {},
};
`;
}

const conformanceTest = ({
  name,
}: NewService): string => `import { ${identifierOf(name)} } from '../../src/scenarios/${name}.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(${identifierOf(name)});
`;

/** Returns the page of a service with empty generated parts, which `pnpm coverage` writes. */
function page(service: NewService): string {
  const { fullName, client, name } = service;
  const className = clientClass(service);
  const generated = (part: string): string => `<!-- generated: ${part} -->\n<!-- end of generated -->`;
  return `# ${fullName}

No operation of ${fullName} works yet.

## Example

\`\`\`ts
import { ${className} } from '${client}';
import { createEmulator } from '@emu/emulator';

await using emu = await createEmulator({ services: ['${name}'] });
const client = new ${className}(emu.clientConfig());
console.log(await client.config.region()); // us-east-1
\`\`\`

## What works

Clients reach the service. No operation works yet.

## What differs from AWS

## What answers 501

${generated('operations')}

## Settings

${generated('settings')}

## Control routes

The service has no control routes.

## CloudFormation

${generated('cloudformation')}
`;
}

function absentOperations({ name, operations }: NewService): string {
  const absent = { reason: 'not implemented yet', operations };
  return `${JSON.stringify({ [name]: [absent] }, undefined, 2)}\n`;
}

/** Returns the files of a new service by path in the repository. */
export function filesOf(service: NewService): Record<string, string> {
  const { name } = service;
  const folder = `packages/svc-${name}`;
  return {
    [`${folder}/package.json`]: packageJson(service),
    [`${folder}/absent-operations.json`]: absentOperations(service),
    [`${folder}/src/manifest.ts`]: manifest(service),
    [`${folder}/src/index.ts`]: plugin(service),
    [`${folder}/src/context.ts`]: context(service),
    [`${folder}/src/records.ts`]: records(service),
    [`${folder}/src/resources.ts`]: resources(service),
    [`${folder}/src/state.ts`]: state(service),
    [`${folder}/test/${name}.test.ts`]: firstTest(service),
    [`tools/conformance/src/scenarios/${name}.ts`]: scenario(service),
    [`tools/conformance/test/services/${name}.test.ts`]: conformanceTest(service),
    [`docs/services/${name}.md`]: page(service),
  };
}
