import type { Context } from 'hono';
import type { Visit } from '../request/visit.ts';
import type { Bindings } from './bindings.ts';

/** The environment of the application's handlers. */
export interface AppEnv {
  Bindings: Bindings & { visit: Visit };
}

/** The context of the application's handlers. */
export type AppContext = Context<AppEnv>;

/** Returns the path as it was sent. Hono's own path has resolved dot segments. */
export const sentPath = (_: Request, options?: { env?: AppEnv['Bindings'] }): string => options!.env!.visit.path;
