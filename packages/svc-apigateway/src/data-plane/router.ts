import { type DeepReadonly, percentDecoded } from '@emu/core/service';
import type { Method } from '@emu/service-types/apigateway';
import type { ApiDefinition, ResourceRecord } from '../records.ts';

/** Result of routing a request within an API. */
export interface Route {
  readonly resource: DeepReadonly<ResourceRecord>;
  /** Undefined if the resource does not have the method. */
  readonly method: DeepReadonly<Method> | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Node {
  resource: DeepReadonly<ResourceRecord> | undefined;
  readonly literal: Map<string, Node>;
  variable: { readonly name: string; readonly node: Node } | undefined;
  greedy: { readonly name: string; readonly resource: DeepReadonly<ResourceRecord> } | undefined;
}

const newNode = (): Node => ({ resource: undefined, literal: new Map(), variable: undefined, greedy: undefined });

/** Routes requests of an API: literal parts before variables, variables before greedy variables. */
class Router {
  private readonly root = newNode();

  constructor(resources: readonly DeepReadonly<ResourceRecord>[]) {
    for (const resource of resources) this.add(resource);
  }

  private add(resource: DeepReadonly<ResourceRecord>): void {
    let node = this.root;
    for (const part of resource.path.split('/').filter((one) => one !== '')) {
      if (part.endsWith('+}')) {
        node.greedy = { name: part.slice(1, -2), resource };
        return;
      }
      if (part.startsWith('{')) {
        node.variable ??= { name: part.slice(1, -1), node: newNode() };
        node = node.variable.node;
        continue;
      }
      let next = node.literal.get(part);
      if (!next) {
        next = newNode();
        node.literal.set(part, next);
      }
      node = next;
    }
    node.resource = resource;
  }

  /**
   * Returns the resource of a path with the method for a request; resources that have the method take precedence.
   * @param path percent-encoded, without the stage
   * @returns undefined if no resource matches; values of variables are not decoded, as recorded from AWS
   */
  find(httpMethod: string, path: string): Route | undefined {
    const parts = path.split('/').slice(1);
    if (parts.at(-1) === '') parts.pop();
    let other: Route | undefined;
    for (const { resource, parameters } of candidates(this.root, parts, 0, [])) {
      const method = resource.methods[httpMethod] ?? resource.methods.ANY;
      const route = { resource, method, pathParameters: Object.fromEntries(parameters) };
      if (method) return route;
      other ??= route;
    }
    return other;
  }
}

interface Candidate {
  resource: DeepReadonly<ResourceRecord>;
  parameters: [name: string, value: string][];
}

function* candidates(
  node: Node,
  parts: readonly string[],
  at: number,
  parameters: [string, string][],
): Generator<Candidate> {
  const part = parts[at];
  if (part === undefined) {
    if (node.resource) yield { resource: node.resource, parameters };
    return;
  }
  const next = node.literal.get(part) ?? node.literal.get(percentDecoded(part));
  if (next) yield* candidates(next, parts, at + 1, parameters);
  const { variable, greedy } = node;
  if (variable && part !== '') yield* candidates(variable.node, parts, at + 1, [...parameters, [variable.name, part]]);
  if (greedy) {
    const rest = parts.slice(at).join('/');
    if (rest !== '') yield { resource: greedy.resource, parameters: [...parameters, [greedy.name, rest]] };
  }
}

const routers = new WeakMap<DeepReadonly<ApiDefinition>, Router>();

/** Returns the router of a definition, created once. */
export function routerOf(definition: DeepReadonly<ApiDefinition>): Router {
  let router = routers.get(definition);
  if (!router) {
    router = new Router(definition.resources);
    routers.set(definition, router);
  }
  return router;
}
