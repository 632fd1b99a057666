import { percentDecoded } from '@emu/core/service';
import type { RouteRecord } from '../records.ts';

/** Route of a request, with the values of its path variables. */
export interface RouteMatch {
  readonly route: RouteRecord;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface Node {
  readonly literals: Map<string, Node>;
  variable: Node | undefined;
  /** Routes that end here by method. */
  routes: Map<string, RouteRecord>;
  /** Greedy routes by method. */
  greedy: Map<string, RouteRecord>;
}

const newNode = (): Node => ({ literals: new Map(), variable: undefined, routes: new Map(), greedy: new Map() });

const VARIABLE = /^\{([^}+]+)\}$/;
const GREEDY = /^\{([^}+]+)\+\}$/;
const ANY = 'ANY';

const ofMethod = (routes: Map<string, RouteRecord>, method: string): RouteRecord | undefined =>
  routes.get(method) ?? routes.get(ANY);

/**
 * Finds the most specific route of a request, independent of creation order: a literal segment before a variable, a
 * variable before a greedy one, the method before `ANY`, and `$default` last.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
export class Router {
  private readonly root = newNode();
  private readonly fallback: RouteRecord | undefined;

  constructor(routes: readonly RouteRecord[]) {
    this.fallback = routes.find(({ RouteKey }) => RouteKey === '$default');
    for (const route of routes) if (route !== this.fallback) this.add(route);
  }

  /** @param path percent-encoded, without the stage; begins with a slash */
  find(method: string, path: string): RouteMatch | undefined {
    const segments = path.slice(1).split('/');
    const route = this.search(this.root, segments, 0, method);
    if (route) return { route, pathParameters: parametersOf(route, segments) };
    return this.fallback && { route: this.fallback, pathParameters: {} };
  }

  private add(route: RouteRecord): void {
    const space = route.RouteKey.indexOf(' ');
    const method = route.RouteKey.slice(0, space);
    let node = this.root;
    for (const segment of route.RouteKey.slice(space + 2).split('/')) {
      if (GREEDY.test(segment)) {
        node.greedy.set(method, route);
        return;
      }
      if (VARIABLE.test(segment)) {
        node.variable ??= newNode();
        node = node.variable;
      } else {
        const next = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    node.routes.set(method, route);
  }

  private search(node: Node, segments: readonly string[], at: number, method: string): RouteRecord | undefined {
    if (at === segments.length) return ofMethod(node.routes, method);
    const segment = segments[at]!;
    const literal = node.literals.get(segment) ?? node.literals.get(percentDecoded(segment));
    const found =
      (literal && this.search(literal, segments, at + 1, method)) ??
      (segment !== '' && node.variable ? this.search(node.variable, segments, at + 1, method) : undefined);
    if (found) return found;
    // A greedy variable must not be empty.
    const rest = at < segments.length - 1 || segment !== '';
    return rest ? ofMethod(node.greedy, method) : undefined;
  }
}

/** Returns the values of the variables in a route's path. */
function parametersOf({ RouteKey }: RouteRecord, segments: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  const template = RouteKey.slice(RouteKey.indexOf(' ') + 2).split('/');
  for (const [at, segment] of template.entries()) {
    const greedy = GREEDY.exec(segment)?.[1];
    if (greedy !== undefined) {
      parameters[greedy] = percentDecoded(segments.slice(at).join('/'));
      break;
    }
    const name = VARIABLE.exec(segment)?.[1];
    if (name !== undefined) parameters[name] = percentDecoded(segments[at]!);
  }
  return parameters;
}
