import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono/tiny';
import { type AppContext, type AppEnv, sentPath } from './application/app-context.ts';
import { ConnectionCut, webResponse } from './application/web-response.ts';
import type { ControlParts } from './control/control-app.ts';
import { writeResponse } from './http/node-response.ts';
import type { Plane } from './identify/planes.ts';
import type { GatewayResponse } from './request/gateway-request.ts';
import type { Visit } from './request/visit.ts';

/** Parts of the gateway that the application uses; see `Gateway`. */
interface GatewaySteps extends ControlParts {
  restricted(visit: Visit): Promise<GatewayResponse | undefined> | undefined;
  planeOf(visit: Visit): Plane | undefined;
  served(visit: Visit): Promise<GatewayResponse | undefined> | undefined;
  dispatch(visit: Visit): Promise<GatewayResponse>;
  finish(visit: Visit, answer: GatewayResponse): void;
  failed(error: unknown): GatewayResponse;
}

/** Creates the application of a gateway: control routes, metadata, data planes and, last, the APIs of services. */
export function createApplication(gateway: GatewaySteps): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ getPath: sentPath });

  let control: Promise<Hono<AppEnv>> | undefined;
  const controlApp = async (c: AppContext): Promise<Response> => {
    control ??= import('./control/control-app.ts').then(({ controlApp }) => controlApp(gateway));
    return (await control).fetch(c.req.raw, c.env);
  };
  let metadata: Promise<Hono<AppEnv>> | undefined;
  const metadataApp = async (c: AppContext): Promise<Response> => {
    metadata ??= import('./metadata/metadata-app.ts').then(({ metadataApp }) => metadataApp(gateway));
    return (await metadata).fetch(c.req.raw, c.env);
  };

  app.use(async (c, next) => {
    const restricted = gateway.restricted(c.env.visit);
    const answer = restricted && (await restricted);
    return answer ? send(gateway, c, answer) : next();
  });
  app.all('*', (c, next) => {
    const plane = gateway.planeOf(c.env.visit);
    if (plane === undefined) return next();
    return plane === 'metadata' ? metadataApp(c) : controlApp(c);
  });
  app.all('*', async (c, next) => {
    const served = gateway.served(c.env.visit);
    const answer = served && (await served);
    return answer ? send(gateway, c, answer) : next();
  });
  app.all('*', async (c) => send(gateway, c, await gateway.dispatch(c.env.visit)));
  app.onError((error) => {
    if (error instanceof ConnectionCut) throw error;
    return webResponse(gateway.failed(error), 'GET');
  });
  return app;
}

/**
 * Sends a response on the connection of its request, as the listeners do; returns it for a request without a
 * connection.
 */
async function send(gateway: GatewaySteps, c: AppContext, answer: GatewayResponse): Promise<Response> {
  const { visit, incoming, outgoing } = c.env;
  gateway.finish(visit, answer);
  if (!incoming || !outgoing) return webResponse(answer, visit.request.method);
  await writeResponse(incoming, outgoing, answer, false);
  return RESPONSE_ALREADY_SENT;
}
