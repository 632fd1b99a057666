import type { ControlRouteOf, HttpRouteName } from '@emu/control-client';
import type { ControlRequest, ControlResponse } from '@emu/core';
import { PatternRouter } from 'hono/router/pattern-router';

/** A control route, whoever declares it. */
export interface Route {
  method: string;
  /** Path as the specification writes it, e.g. `/_emulator/sqs/{queue_name}/force-dlq`. */
  path: string;
  handle(request: ControlRequest): ControlResponse | Promise<ControlResponse>;
}

/**
 * Declares a route of the gateway's own, held to the types that its clients have of it.
 * @param name method and path, e.g. `GET /_emulator/health`
 */
export function route<Name extends HttpRouteName>(name: Name, handle: ControlRouteOf<Name>['handle']): Route {
  const space = name.indexOf(' ');
  return { method: name.slice(0, space), path: name.slice(space + 1), handle: handle as unknown as Route['handle'] };
}

/** What a method and path lead to: a route with its parameters, or the methods that the path has instead. */
export type RouteMatch = { route: Route; params: Record<string, string> } | { allow: readonly string[] };

/** `{name}` as hono writes it, and without the name: two templates are one path if they differ only there. */
const honoPath = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1');
const shapeOf = (path: string): string => path.replace(/\{[^}]+\}/g, '{}');
const parameterCount = (path: string): number => path.split('{').length;

/** Finds the route of a request. Where several declare the same method and path the first one counts. */
export class ControlRouter {
  private readonly router = new PatternRouter<ReadonlyMap<string, Route>>();

  constructor(routes: readonly Route[]) {
    const byPath = new Map<string, { path: string; methods: Map<string, Route> }>();
    for (const route of routes) {
      const shape = shapeOf(route.path);
      const entry = byPath.get(shape) ?? { path: route.path, methods: new Map<string, Route>() };
      if (!entry.methods.has(route.method)) entry.methods.set(route.method, route);
      byPath.set(shape, entry);
    }
    // Literal segments win over parameters, whatever the order of declaration.
    const entries = [...byPath.values()].sort((a, b) => parameterCount(a.path) - parameterCount(b.path));
    for (const { path, methods } of entries) this.router.add('ALL', honoPath(path), methods);
  }

  /** @param path percent-encoded; parameters are decoded */
  match(method: string, path: string): RouteMatch | undefined {
    const [found] = this.router.match('ALL', path)[0];
    if (!found) return undefined;
    const [methods, encoded] = found as [ReadonlyMap<string, Route>, Record<string, string>];
    const route = methods.get(method === 'HEAD' ? 'GET' : method);
    if (!route) return { allow: [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : [])].sort() };
    // Routes of one path may call its parameters differently; they are in the same places.
    const names = [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    const params = Object.fromEntries(Object.values(encoded).map((value, index) => [names[index], decode(value)]));
    return { route, params };
  }
}

/** Text that is not well encoded stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
