import type { ControlRequest, ControlResponse } from '@emu/core';
import { Hono } from 'hono/tiny';

/** A control route, whoever declares it. */
export interface Route {
  method: string;
  /** Path as the specification writes it, e.g. `/_emulator/sqs/{queue_name}/force-dlq`. */
  path: string;
  handle(request: ControlRequest): ControlResponse | Promise<ControlResponse>;
}

/** What a request carries besides method and path; read only by the route that answers it. */
export interface RouteBindings {
  /** Reads and parses the JSON body. @throws ControlError where it is not JSON */
  body(): Promise<unknown>;
  /** Base URL the caller reached emu by. */
  endpoint: string;
}

/** `{name}` as hono writes it, and without the name: two templates are one route if they differ only there. */
const honoPath = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1');
const shapeOf = (path: string): string => path.replace(/\{[^}]+\}/g, '{}');

/**
 * Makes the router of some routes. Where several declare the same method and path the first one counts; a path that
 * exists with other methods answers 405.
 */
export function createRouter(routes: readonly Route[]): Hono<{ Bindings: RouteBindings }> {
  const app = new Hono<{ Bindings: RouteBindings }>();
  // Who calls the router knows best what an error means; hono's own answer would be text.
  app.onError((error) => {
    throw error;
  });
  app.notFound((context) => problem(404, 'NotFound', `There is no control route ${context.req.path}.`));
  const byPath = new Map<string, { path: string; methods: Map<string, Route> }>();
  for (const route of routes) {
    const entry = byPath.get(shapeOf(route.path)) ?? { path: route.path, methods: new Map<string, Route>() };
    if (!entry.methods.has(route.method)) entry.methods.set(route.method, route);
    byPath.set(shapeOf(route.path), entry);
  }
  // Literal segments win over parameters, whatever the order of declaration.
  const entries = [...byPath.values()].sort((a, b) => parameters(a.path) - parameters(b.path));
  for (const { path, methods } of entries) {
    for (const [method, route] of methods)
      app.on(method, honoPath(route.path), async (context) => {
        const query = new URL(context.req.url).searchParams;
        const { body, endpoint } = context.env;
        return responseOf(await route.handle({ params: context.req.param(), query, body: await body(), endpoint }));
      });
    const allow = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : [])].sort().join(', ');
    app.all(honoPath(path), (context) =>
      problem(405, 'MethodNotAllowed', `${context.req.path} does not answer ${context.req.method}; it does ${allow}.`, {
        allow,
      }),
    );
  }
  return app;
}

const parameters = (path: string): number => path.split('{').length;

function responseOf(answer: ControlResponse): Response {
  if ('json' in answer) return Response.json(answer.json ?? null, { status: answer.status ?? 200 });
  const { body, contentType, status = 200 } = answer;
  const content = body instanceof Uint8Array ? new Uint8Array(body) : ReadableStream.from(body);
  return new Response(content, { status, headers: { 'content-type': contentType } });
}

/** An error in the form of the control routes. */
export function problem(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}
