import { versionText } from '@emu/apigateway-common';
import { parseApiDefinition } from '@emu/core/yaml';
import { isObject, parseJson, refuseCrowded } from '@emu/wire';

/** An object of a document. */
export type Node = Readonly<Record<string, unknown>>;

/** Returns an object; empty for other values. */
export const nodeOf = (value: unknown): Node => (isObject(value) ? value : {});
export const scalarText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Returns the text members of an object. */
export const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(nodeOf(value)).flatMap(([key, one]) => {
      const text = scalarText(one) ?? (typeof one === 'boolean' ? String(one) : undefined);
      return text === undefined ? [] : [[key, text]];
    }),
  );

/** Maximum number of YAML aliases in a document: each could repeat the whole document. */
const MAX_ALIASES = 100;

/** An OpenAPI document, version 2 or 3. */
export class OpenApi {
  readonly isV3: boolean;

  private constructor(readonly root: Node) {
    this.isV3 = root.openapi !== undefined;
  }

  /**
   * Parses JSON or YAML; undefined if it is neither or not an OpenAPI document.
   * @throws AwsError if it has too many values
   */
  static read(text: string): OpenApi | undefined {
    const root = parsed(text);
    if (!isObject(root)) return undefined;
    const version = versionText(root.swagger) ?? versionText(root.openapi);
    return version !== undefined && /^(?:2\.0|3\.)/.test(version) ? new OpenApi(root) : undefined;
  }

  /** Resolves a local reference; returns other values unchanged. */
  resolve(value: unknown): Node {
    let found = nodeOf(value);
    for (let depth = 0; depth < 10 && typeof found.$ref === 'string' && found.$ref.startsWith('#/'); depth++) {
      let at: unknown = this.root;
      for (const part of found.$ref.slice(2).split('/'))
        at = nodeOf(at)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
      found = nodeOf(at);
    }
    return found;
  }

  /** Schemas that become models. */
  get schemas(): Node {
    return nodeOf(this.isV3 ? nodeOf(this.root.components).schemas : this.root.definitions);
  }

  /** Security schemes. */
  get security(): Node {
    return nodeOf(this.isV3 ? nodeOf(this.root.components).securitySchemes : this.root.securityDefinitions);
  }

  /** Base path without trailing slash; empty if missing. */
  get basePath(): string {
    if (!this.isV3) return (scalarText(this.root.basePath) ?? '').replace(/\/$/, '');
    const server = nodeOf(listOf(this.root.servers)[0]);
    let url = scalarText(server.url) ?? '';
    for (const [name, variable] of Object.entries(nodeOf(server.variables)))
      url = url.replace(`{${name}}`, (scalarText(nodeOf(variable).default) ?? '').replace(/^\//, ''));
    return url.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/\/$/, '');
  }
}

function parsed(text: string): unknown {
  refuseCrowded(text, 'json');
  try {
    return parseJson(text);
  } catch {
    // Not JSON: may be YAML.
  }
  refuseCrowded(text, 'yaml');
  try {
    return parseApiDefinition(text, MAX_ALIASES);
  } catch {
    return undefined;
  }
}
