import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyServicePlugin, ServiceManifest } from '@emu/core/service';

/** A service and its package directory. */
export interface Service {
  name: string;
  manifest: ServiceManifest;
  plugin: AnyServicePlugin;
  /** Relative to the root, e.g. `packages/svc-sqs`. */
  folder: string;
}

interface Package {
  emu?: { models?: { service: string }[] };
}

/** Returns the directory of the package whose `emu.models` contains a service. @throws Error without one */
function folderOf(service: string, root: string): string {
  const found = readdirSync(join(root, 'packages')).find((name) => {
    const file = join(root, 'packages', name, 'package.json');
    // The directory of a removed package can still contain ignored files.
    if (!existsSync(file)) return false;
    const { emu } = JSON.parse(readFileSync(file, 'utf8')) as Package;
    return emu?.models?.some((model) => model.service === service);
  });
  if (!found) throw new Error(`no package has the model of ${service}`);
  return `packages/${found}`;
}

/** Loads every service, ordered by name. */
export async function loadServices(manifests: readonly ServiceManifest[], root: string): Promise<Service[]> {
  const loading = manifests.map(async (manifest) => {
    const plugin = await manifest.load();
    return { name: plugin.name, manifest, plugin, folder: folderOf(plugin.name, root) };
  });
  return (await Promise.all(loading)).sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the names of a service's implemented operations, in the order of its model. */
export const implementedBy = ({ plugin }: Service): string[] =>
  Object.keys(plugin.model.operations).filter((name) => Object.hasOwn(plugin.operations, name));
