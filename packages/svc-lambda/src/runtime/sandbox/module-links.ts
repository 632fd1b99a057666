import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A directory with packages for Node.js. */
export interface ModuleSource {
  /** Path on the machine. */
  directory: string;
  /** Path that functions see. */
  inside: string;
  /** Whether it may contain a part of a scope whose other packages are in later sources. */
  isLayer: boolean;
}

/**
 * Returns links, by name, that combine directories of packages. Node.js resolves ES modules only from parent
 * directories; AWS's runtimes use NODE_PATH, too.
 * @param sources nearest first
 */
export async function moduleLinks(sources: readonly ModuleSource[]): Promise<Map<string, string>> {
  const links = new Map<string, string>();
  /** Scopes of which layers contain packages. */
  const divided = new Set<string>();
  for (const { directory, inside, isLayer } of sources)
    for (const name of await namesIn(directory)) {
      if (name.startsWith('@') && isLayer) divided.add(name);
      const names = divided.has(name) ? await packagesIn(directory, name) : [name];
      for (const one of names) if (!links.has(one)) links.set(one, `${inside}/${one}`);
    }
  return links;
}

async function packagesIn(directory: string, scope: string): Promise<string[]> {
  return (await namesIn(join(directory, scope))).map((name) => `${scope}/${name}`);
}

async function namesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => !name.startsWith('.'));
}
