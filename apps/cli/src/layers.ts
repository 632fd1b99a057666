import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LambdaLayer } from '@emu/control-client';
import { formatArn } from '@emu/core/service';
import { control, health } from './control.ts';
import { Failure } from './failure.ts';
import { buildLayer, type LayerPackages, packagesOf } from './layer-packages.ts';
import { columns } from './urls.ts';

/** Where layers are imported. */
export interface LayerTarget {
  /** URL of the emulator. */
  url: string;
  /** Directory of layers for every emulator. */
  directory: string | undefined;
}

/** Content of a layer to add: a file, or packages, those of a known layer by default. */
export interface LayerSource {
  file: string | undefined;
  npm: readonly string[];
  pip: readonly string[];
  /** Whether packages are for Linux, as in containers. */
  linux: boolean;
}

/** Parts of the ARN of a layer version. */
interface LayerName {
  arn: string;
  region: string;
  account: string;
  name: string;
  version: string;
}

const write = (text: string): boolean => process.stdout.write(`${text}\n`);

/** Parses the ARN of a layer version. @throws Failure if it is malformed */
function layerName(arn: string): LayerName {
  const [, region, account, name, version] =
    /^arn:[a-z-]+:lambda:([a-z0-9-]+):(\d{12}):layer:([a-zA-Z0-9-_]+):([1-9]\d*)$/.exec(arn) ?? [];
  if (version === undefined)
    throw new Failure(
      `${arn} is not the ARN of a layer version, such as arn:aws:lambda:us-east-1:123456789012:layer:name:1.`,
    );
  return { arn, region: region!, account: account!, name: name!, version };
}

/** Returns the path of a layer version in a directory, as emu expects it. */
const pathIn = (directory: string, { region, account, name, version }: LayerName): string =>
  join(directory, region, account, `${name}-${version}.zip`);

const route = ({ arn }: LayerName): string => `/_emulator/lambda/layers/${encodeURIComponent(arn)}`;

/**
 * `emu layer add`: imports a layer version from a file, or from packages of a registry. With a directory, stores it
 * there, and imports it if the emulator runs.
 * @throws Failure for a malformed ARN, an unusable file, or a layer without known packages
 */
export async function addLayer(arn: string, source: LayerSource, { url, directory }: LayerTarget): Promise<void> {
  const layer = layerName(arn);
  if (directory === undefined) await health(url);
  const bytes = await contentOf(layer, source);
  if (directory !== undefined) {
    const path = pathIn(directory, layer);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.tmp`, bytes);
    await rename(`${path}.tmp`, path);
    write(`${path} is ${arn}`);
    if (!(await isRunning(url))) return;
  }
  const { codeSize } = (await control(url, 'PUT', route(layer), bytes)) as LambdaLayer;
  write(`${arn} is imported: ${codeSize} bytes`);
}

async function contentOf({ arn, account, name }: LayerName, source: LayerSource): Promise<Uint8Array> {
  const { file, npm, pip, linux } = source;
  const isBuilt = npm.length > 0 || pip.length > 0;
  if (file !== undefined) {
    if (isBuilt) throw new Failure('emu layer add takes a file or packages.');
    return readFile(file).catch((error: Error) => {
      throw new Failure(`${file} cannot be used: ${error.message}.`);
    });
  }
  const known = packagesOf(account, name);
  if (!isBuilt && !known)
    throw new Failure(
      `emu does not know the packages of ${arn}. Name its file, emu layer add <arn> <file>, or its packages with --npm or --pip.`,
    );
  const packages: LayerPackages = isBuilt ? { ...known, npm, pip } : known!;
  return buildLayer(packages, linux);
}

/** `emu layer list`: prints the imported layers of the emulator, or those of the directory. */
export async function listLayers({ url, directory }: LayerTarget, json: boolean): Promise<void> {
  const layers = directory === undefined ? await importedAt(url) : await storedIn(directory);
  if (json) write(JSON.stringify({ layers }));
  else if (layers.length === 0) write('No layer is imported.');
  else write(columns(layers.map(({ arn, codeSize }) => [arn, `${codeSize} bytes`])));
}

async function importedAt(url: string): Promise<Pick<LambdaLayer, 'arn' | 'codeSize'>[]> {
  await health(url);
  const { layers } = (await control(url, 'GET', '/_emulator/lambda/layers')) as { layers: LambdaLayer[] };
  return layers;
}

async function storedIn(directory: string): Promise<Pick<LambdaLayer, 'arn' | 'codeSize'>[]> {
  const layers: Pick<LambdaLayer, 'arn' | 'codeSize'>[] = [];
  const paths = await readdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new Failure(`${directory} cannot be read: ${error.message}.`);
  });
  for (const path of paths.sort()) {
    const [, region, accountId, name, version] = /^([a-z0-9-]+)\/(\d{12})\/([\w-]+)-(\d+)\.zip$/.exec(path) ?? [];
    if (region === undefined || accountId === undefined) continue;
    const { size } = await stat(join(directory, path));
    const arn = formatArn({ service: 'lambda', region, accountId, resource: `layer:${name}:${version}` });
    layers.push({ arn, codeSize: size });
  }
  return layers;
}

/** `emu layer remove`: removes a layer from the directory, and from the emulator. @throws Failure if it is missing */
export async function removeLayer(arn: string, { url, directory }: LayerTarget): Promise<void> {
  const layer = layerName(arn);
  if (directory !== undefined) {
    await rm(pathIn(directory, layer)).catch((error: NodeJS.ErrnoException) => {
      throw new Failure(error.code === 'ENOENT' ? `${directory} does not have ${arn}.` : `${error.message}.`);
    });
    write(`${arn} is removed from ${directory}`);
    // The emulator imports a layer of the directory when a function uses it.
    if (!(await isRunning(url)) || !(await importedAt(url)).some((other) => other.arn === arn)) return;
  } else await health(url);
  await control(url, 'DELETE', route(layer));
  write(`${arn} is removed; functions that use it keep it`);
}

/** Whether an emulator responds at a URL. */
const isRunning = (url: string): Promise<boolean> =>
  health(url).then(
    () => true,
    () => false,
  );
