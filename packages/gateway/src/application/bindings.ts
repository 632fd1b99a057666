import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Visit } from '../request/visit.ts';

/** What comes with a request into the application: its connection, where it came by one. */
export interface Bindings {
  incoming?: HttpBindings['incoming'] | Http2Bindings['incoming'];
  outgoing?: HttpBindings['outgoing'] | Http2Bindings['outgoing'];
  /** What the gateway knows of the request already. */
  visit?: Visit;
}

/** The environment of the application's handlers. */
export interface AppEnv {
  Bindings: Bindings & { visit: Visit };
}

/** The context of the application's handlers. */
export type AppContext = Context<AppEnv>;

/** The path as it was sent: hono's own has its dot segments resolved. */
export const sentPath = (_: Request, options?: { env?: AppEnv['Bindings'] }): string => options!.env!.visit.path;
