import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { ServiceModel } from '@emu/wire';
import { awsServices } from './aws-services.ts';
import { type BotocoreService, fromBotocore } from './botocore.ts';
import { cloudFormationModel, findServiceSpec, resourceTypeNames } from './cloudformation.ts';
import { findInfrastructure, infrastructureFiles } from './global-infrastructure.ts';
import { compileGrammars, type Generated } from './grammars.ts';
import { findManagedPolicies, managedPolicyFiles } from './managed-policies.ts';
import { mergePatch } from './merge-patch.ts';
import { motoVersionOf } from './moto.ts';
import { InvalidPaginators, type OwnPaginators, type Paginator, paginationOf } from './pagination.ts';
import { selectOperations } from './select.ts';
import { type TypedService, typesIndexOf, typesOf } from './types.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Private package with the types of every service. */
const TYPES = join(root, 'packages/service-types');

/** Source models of a service package: the `emu` field of its package.json. */
interface Source {
  /** emu's name of the service. */
  service: string;
  /** Directory in botocore's data, e.g. `sqs/2012-11-05`. */
  botocore: string;
}

/** A service that is called but not yet emulated: the `emu.types` of the package of types. */
interface TypesSource extends Source {
  /** Called operations. */
  operations: string[];
}

interface Installed {
  version: string;
  data: string;
}

/** Finds botocore through Python; undefined if either is missing. */
function findBotocore(): Installed | undefined {
  const script = 'import botocore, os; print(botocore.__version__); print(os.path.dirname(botocore.__file__))';
  try {
    const out = execFileSync('python3', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [version, folder] = out.trim().split('\n');
    return { version: version!, data: join(folder!, 'data') };
  } catch {
    return undefined;
  }
}

/**
 * Reads botocore's description merged with the package's `model/overlay.json` (RFC 7396), or with
 * `model/<service>-overlay.json` for one service of a package with several.
 */
function readDescription(installed: Installed, source: Source, packageDir: string): BotocoreService {
  const file = join(installed.data, source.botocore, 'service-2.json.gz');
  const description: unknown = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
  const own = join(packageDir, `model/${source.service}-overlay.json`);
  const overlay = existsSync(own) ? own : join(packageDir, 'model/overlay.json');
  const merged = existsSync(overlay)
    ? mergePatch(description, JSON.parse(readFileSync(overlay, 'utf8')) as unknown)
    : description;
  return merged as BotocoreService;
}

/** Reads botocore's paginators of a service; none without a file. */
function readPaginators(installed: Installed, source: Source): Record<string, Paginator> {
  const file = join(installed.data, source.botocore, 'paginators-1.json');
  const packed = `${file}.gz`;
  const text = existsSync(packed)
    ? gunzipSync(readFileSync(packed)).toString('utf8')
    : existsSync(file) && readFileSync(file, 'utf8');
  return text ? (JSON.parse(text) as { pagination: Record<string, Paginator> }).pagination : {};
}

/** Reads the package's own declarations about paging in `model/paginators.json`, by service. */
function readOwnPaginators(packageDir: string, source: Source): OwnPaginators {
  const file = join(packageDir, 'model/paginators.json');
  if (!existsSync(file)) return {};
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, OwnPaginators>)[source.service] ?? {};
}

/** Formats one operation or shape per line, for readable diffs between model versions. */
function printModel(model: ServiceModel): string {
  const section = (entries: Record<string, unknown>): string =>
    Object.entries(entries)
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n');
  return `{
  "service": ${JSON.stringify(model.service)},
  "source": ${JSON.stringify(model.source)},
  "metadata": ${JSON.stringify(model.metadata)},
  "operations": {
${section(model.operations)}
  },
  "shapes": {
${section(model.shapes)}
  }
}
`;
}

function generate(packageDir: string, source: Source, installed: Installed): Generated[] {
  const description = readDescription(installed, source, packageDir);
  const model = fromBotocore(source.service, description, { botocore: installed.version, path: source.botocore });
  const pagination = paginationOf(model, readPaginators(installed, source), readOwnPaginators(packageDir, source));
  return [
    { path: join(packageDir, `model/${source.service}.json`), text: printModel(model) },
    { path: join(TYPES, `src/${source.service}.ts`), text: typesOf(model) },
    ...(pagination === undefined
      ? []
      : [{ path: join(packageDir, `src/generated/${source.service}-pagination.ts`), text: pagination }]),
  ];
}

/** Returns the types of called operations of a service that emu lacks. */
function generateTypes(source: TypesSource, installed: Installed): Generated {
  const description = readDescription(installed, source, TYPES);
  const model = fromBotocore(source.service, description, { botocore: installed.version, path: source.botocore });
  const types = typesOf(selectOperations(model, source.operations));
  return { path: join(TYPES, `src/${source.service}.ts`), text: types };
}

/** Returns the called services without a package. A service with a package needs no other types. */
function calledOnly(services: readonly string[]): TypesSource[] {
  const manifest = JSON.parse(readFileSync(join(TYPES, 'package.json'), 'utf8')) as { emu: { types: TypesSource[] } };
  return manifest.emu.types.filter(({ service }) => !services.includes(service));
}

/** Returns the index of the types. Internal operations outside of AWS's model are declared manually in `internal`. */
function typesIndex(services: readonly string[]): Generated {
  const typed = services.map((service): TypedService => {
    return { service, internal: existsSync(join(TYPES, `internal/${service}.ts`)) };
  });
  return { path: join(TYPES, 'src/index.d.ts'), text: typesIndexOf(typed) };
}

/** A package with its models; a package of two services (such as DynamoDB and its streams) has two. */
interface Package {
  dir: string;
  sources: Source[];
  /** CloudFormation namespaces and types of the package. */
  cloudFormation: string[];
}

/** Returns all packages. */
function packages(): Package[] {
  const folder = join(root, 'packages');
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const file = join(folder, name, 'package.json');
      const manifest = existsSync(file)
        ? (JSON.parse(readFileSync(file, 'utf8')) as { emu?: { models?: Source[]; cloudFormation?: string[] } })
        : {};
      const { models = [], cloudFormation = [] } = manifest.emu ?? {};
      return { dir: join(folder, name), sources: models, cloudFormation };
    });
}

function recordedVersion(packageDir: string, source: Source): string | undefined {
  const file = join(packageDir, `model/${source.service}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ServiceModel).source.botocore : undefined;
}

/** Writes changed files, or with `check` only counts them. */
function reconcile(files: readonly Generated[], check: boolean): number {
  let stale = 0;
  for (const { path, text } of files) {
    const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (current === text) continue;
    stale++;
    if (check) console.error(`generate: ${path.slice(root.length + 1)} is stale; run pnpm generate`);
    else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      console.log(`generate: wrote ${path.slice(root.length + 1)}`);
    }
  }
  return check ? stale : 0;
}

/**
 * Writes files made from moto, or with `check` counts differences if the same moto is installed.
 * @param what name of the files in messages
 * @param found facts of the installed moto, and the files made from them
 */
function reconcileMoto(what: string, found: { version: string; files: Generated[] } | undefined, check: boolean) {
  if (!found) {
    console.log(`generate: ${what} skipped, moto is not installed (python3 -c "import moto" fails)`);
    return 0;
  }
  const { version, files } = found;
  const { path } = files[0]!;
  const recorded = existsSync(path) ? motoVersionOf(readFileSync(path, 'utf8')) : undefined;
  if (check && recorded !== undefined && recorded !== version) {
    console.log(`generate: ${what} skipped, made from moto ${recorded} and ${version} is installed`);
    return 0;
  }
  return reconcile(files, check);
}

/** Writes AWS's managed policies and global infrastructure, or with `check` counts differences. */
function reconcileFacts(check: boolean): number {
  const policies = findManagedPolicies();
  const infrastructure = findInfrastructure();
  return (
    reconcileMoto(
      'managed policies',
      policies && {
        version: policies.version,
        files: managedPolicyFiles(join(root, 'packages/svc-iam'), policies),
      },
      check,
    ) +
    reconcileMoto(
      'global infrastructure',
      infrastructure && {
        version: infrastructure.version,
        files: infrastructureFiles(join(root, 'packages/svc-ssm'), infrastructure),
      },
      check,
    )
  );
}

/** Writes the types of called services, or with `check` counts differences if the same botocore is installed. */
function reconcileTypes(called: readonly TypesSource[], installed: Installed, check: boolean): number {
  let stale = 0;
  for (const source of called) {
    const file = join(TYPES, `src/${source.service}.ts`);
    const recorded = existsSync(file) ? /botocore (\S+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
    if (check && recorded !== undefined && recorded !== installed.version)
      console.log(
        `generate: types of ${source.service} skipped, made from botocore ${recorded} and ${installed.version} is installed`,
      );
    else stale += reconcile([generateTypes(source, installed)], check);
  }
  return stale;
}

/** Reads additions to the specification of a package's resource types, by type: `model/cloudformation-overlay.json`. */
function readOverlay(packageDir: string): Record<string, unknown> {
  const file = join(packageDir, 'model/cloudformation-overlay.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
}

/**
 * Writes the facts of CloudFormation's resource types and the names of all types, or with `check` counts differences if
 * the same version is installed.
 */
function reconcileCloudFormation(all: readonly Package[], check: boolean): number {
  const spec = findServiceSpec();
  if (!spec) {
    console.log('generate: resource types skipped, @aws-cdk/aws-service-spec is not installed');
    return 0;
  }
  const named = all.flatMap(({ cloudFormation }) => cloudFormation.filter((name) => name.split('::').length === 3));
  const models = all
    .filter(({ cloudFormation }) => cloudFormation.length > 0)
    .map(({ dir, cloudFormation }) => ({
      path: join(dir, 'model/cloudformation.json'),
      text: cloudFormationModel(spec, cloudFormation, new Set(named), readOverlay(dir)),
    }));
  const types = join(root, 'packages/svc-cloudformation/model/resource-types.json');
  return reconcile([...models, { path: types, text: resourceTypeNames(spec) }], check);
}

/** Writes the facts of all services of AWS, or with `check` counts differences if the same botocore is installed. */
function reconcileServices(sources: readonly Source[], installed: Installed, check: boolean): number {
  const path = join(root, 'packages/upstream/model/aws-services.json');
  const recorded = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { botocore: string }).botocore
    : undefined;
  if (check && recorded !== undefined && recorded !== installed.version) {
    console.log(
      `generate: services of AWS skipped, made from botocore ${recorded} and ${installed.version} is installed`,
    );
    return 0;
  }
  const own = new Set(sources.map(({ botocore }) => botocore.split('/', 1)[0]!));
  return reconcile([{ path, text: awsServices(installed.version, installed.data, own) }], check);
}

function main(): number {
  const check = process.argv.includes('--check');
  const installed = findBotocore();
  if (!installed)
    console.log('generate: models skipped, botocore is not installed (python3 -c "import botocore" fails)');
  let stale = reconcileFacts(check);
  const all = packages();
  const services = all.flatMap(({ sources }) => sources.map(({ service }) => service));
  const called = calledOnly(services);
  stale += reconcile([typesIndex([...services, ...called.map(({ service }) => service)].sort())], check);
  if (installed) stale += reconcileTypes(called, installed, check);
  if (installed)
    stale += reconcileServices(
      all.flatMap(({ sources }) => sources),
      installed,
      check,
    );
  stale += reconcileCloudFormation(all, check);
  for (const { dir, sources } of all) {
    stale += reconcile(compileGrammars(dir), check);
    for (const source of installed ? sources : []) {
      const recorded = recordedVersion(dir, source);
      if (check && recorded !== undefined && recorded !== installed!.version)
        console.log(
          `generate: ${source.service} skipped, made from botocore ${recorded} and ${installed!.version} is installed`,
        );
      else stale += reconcile(generate(dir, source, installed!), check);
    }
  }
  if (check && !stale) console.log('generate: every generated file is up to date');
  return stale ? 1 : 0;
}

try {
  process.exitCode = main();
} catch (error) {
  if (!(error instanceof InvalidPaginators)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
