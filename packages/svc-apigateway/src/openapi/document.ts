import { isObject, refuseCrowded } from '@emu/wire';
import { parse as parseYaml } from 'yaml';

/** Any object of a document. */
export type Node = Readonly<Record<string, unknown>>;

/** The members of an object; none where it is none. */
export const nodeOf = (value: unknown): Node => (isObject(value) ? value : {});
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Members that are texts. */
export const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(nodeOf(value)).flatMap(([key, one]) => {
      const text = textOf(one) ?? (typeof one === 'boolean' ? String(one) : undefined);
      return text === undefined ? [] : [[key, text]];
    }),
  );

/** Aliases that a document in YAML may use: each could be the whole document over again. */
const MOST_ALIASES = 100;

/** An OpenAPI document of version 2 or 3. */
export class OpenApi {
  readonly isV3: boolean;

  private constructor(readonly root: Node) {
    this.isV3 = root.openapi !== undefined;
  }

  /**
   * Reads JSON or YAML; undefined where it is neither, or no OpenAPI document.
   * @throws AwsError where it holds more values than emu takes apart
   */
  static read(text: string): OpenApi | undefined {
    const root = parsed(text);
    if (!isObject(root)) return undefined;
    const version = textOf(root.swagger) ?? textOf(root.openapi);
    return version !== undefined && /^(?:2\.0|3\.)/.test(version) ? new OpenApi(root) : undefined;
  }

  /** What a local reference stands for, else the value itself. */
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

  /** The schemas that become models. */
  get schemas(): Node {
    return nodeOf(this.isV3 ? nodeOf(this.root.components).schemas : this.root.definitions);
  }

  /** How callers say who they are. */
  get security(): Node {
    return nodeOf(this.isV3 ? nodeOf(this.root.components).securitySchemes : this.root.securityDefinitions);
  }

  /** The base path, without its last slash; empty where there is none. */
  get basePath(): string {
    if (!this.isV3) return (textOf(this.root.basePath) ?? '').replace(/\/$/, '');
    const server = nodeOf(listOf(this.root.servers)[0]);
    let url = textOf(server.url) ?? '';
    for (const [name, variable] of Object.entries(nodeOf(server.variables)))
      url = url.replace(`{${name}}`, (textOf(nodeOf(variable).default) ?? '').replace(/^\//, ''));
    return url.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/\/$/, '');
  }
}

function parsed(text: string): unknown {
  refuseCrowded(text, 'json');
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: perhaps YAML.
  }
  refuseCrowded(text, 'yaml');
  try {
    return parseYaml(text, { maxAliasCount: MOST_ALIASES });
  } catch {
    return undefined;
  }
}
