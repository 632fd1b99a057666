import type { Kernel } from '@emu/core';
import { Hono } from 'hono/tiny';
import { corsHeaders } from '../access/cors.ts';
import { logAccess } from '../pipeline/access-log.ts';
import { type AppEnv, sentPath } from './app-context.ts';
import { emulatedDate } from './emulated-date.ts';

/**
 * Creates an empty application for routes of emu itself, with their common parts: the access log, the emulated time,
 * and CORS headers for pages that may use emu.
 */
export function routesApp(kernel: Kernel): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ getPath: sentPath });
  if (kernel.log.enabled('debug'))
    app.use(async (c, next) => {
      await next();
      const { path, started, request } = c.env.visit;
      const facts = { method: request.method, path, status: c.res.status, duration: performance.now() - started };
      logAccess(kernel.log, facts, undefined);
    });
  app.use(async (c, next) => {
    await next();
    const date = emulatedDate(kernel.clock);
    if (date !== undefined) c.header('date', date);
    const { origin } = c.env.visit.request.headers;
    if (origin === undefined) return;
    c.header('vary', 'Origin', { append: true });
    for (const [name, value] of Object.entries(corsHeaders(String(origin)))) c.header(name, value);
  });
  return app;
}
