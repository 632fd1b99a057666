import type { Hono } from 'hono/tiny';
import type { AppContext, AppEnv } from '../application/app-context.ts';
import type { Route } from './route.ts';

/** Responses to a request of a route, and of a path without a route for its method. */
export interface RouteAnswers {
  route(c: AppContext, route: Route): Promise<Response>;
  /** @param allow the methods of the path */
  otherMethod(c: AppContext, allow: readonly string[]): Response;
}

/** Returns `{name}` as hono writes it, and without the name: templates that differ only in names are the same path. */
const honoPath = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1');
const shapeOf = (path: string): string => path.replace(/\{[^}]+\}/g, '{}');
const parameterCount = (path: string): number => path.split('{').length;

/** Adds control routes to an application. Of several with the same method and path, the first counts. */
export function addRoutes(app: Hono<AppEnv>, routes: readonly Route[], answers: RouteAnswers): void {
  const byShape = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const shape = shapeOf(route.path);
    const methods = byShape.get(shape) ?? new Map<string, Route>();
    if (!methods.has(route.method)) methods.set(route.method, route);
    byShape.set(shape, methods);
  }
  // Literal segments have precedence over parameters in any order of declaration.
  const paths = [...byShape].sort(([a], [b]) => parameterCount(a) - parameterCount(b));
  for (const [, methods] of paths) {
    for (const route of methods.values()) app.on(route.method, honoPath(route.path), (c) => answers.route(c, route));
    const allow = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : [])].sort();
    const [first] = methods.values();
    app.all(honoPath(first!.path), (c) => answers.otherMethod(c, allow));
  }
}
